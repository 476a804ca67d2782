internal import Analysis
internal import Basics
internal import SystemIO

/// One way to fail for one cause, with every place where it comes.
package struct Finding: Hashable, Sendable {
    /// Equal in every run, shard and machine: from the class, the outcome and the cause.
    package let id: String
    /// `flaky` if the failure does not always come; what it is when it comes is in `failure`.
    package let kind: FindingClass
    package let failure: FindingClass
    /// How it fails, in a few words.
    package let outcome: String
    /// Every place where it comes; that of the simplest schedule first.
    package let places: [FindingPlace]
    /// The simplest schedule that shows it.
    package let minimal: Point
    package let reason: String
    /// What would keep the command from failing so, if that is known.
    package let remedy: String?
    /// How many different schedules showed it.
    package let schedules: Int
    /// How often the simplest schedule was run again, and how often it came out the same.
    package let confirmations: Confirmations
    /// How the runs ended in which the failure did not come again, as in `2 passed (exit 0)`.
    package let others: [String]
    /// How the failure comes about, where that changes what it means.
    let manner: Manner
    /// How many of the runs that the simplest schedule takes were ended by the deadline.
    let deadlines: UInt64
    /// What was seen on the wire.
    package let evidence: [String]
    package let trace: String?

    /// The journal of the run that shows it, if that was kept.
    package var journal: String? { trace.map { "\($0)/\(RunFolders.journalName)" } }

    /// How a failure comes about.
    enum Manner: Hashable, Sendable {
        case plain
        /// Only if a fault acts this many times in a row; the command survives it once.
        case repeated(UInt32)
        /// In the run afterwards, with what the schedule says of it.
        case later(String)
    }

    /// What is wrong, in a few words.
    package var meaning: String {
        guard kind == failure else { return kind.meaning }
        switch manner {
        case .plain: return kind.meaning
        case .repeated(let count):
            return "survives one failure, but not \(count == 2 ? "two" : "\(count)") in a row"
        case .later(let words):
            return "started again \(words), \(kind.laterMeaning)"
        }
    }

    package struct Confirmations: Hashable, Sendable {
        package var equal: Int
        package var of: Int

        package init(equal: Int, of: Int) {
            self.equal = equal
            self.of = of
        }

        package var text: String { "\(equal)/\(of)" }
    }

    /// The place of the simplest schedule.
    package var position: String { positions.joined(separator: " + ") }

    /// The places of the simplest schedule's faults, such as `GET /a resp.body`.
    package var positions: [String] { places.first?.positions ?? [] }

    /// Where along the messages it comes, as far as is known.
    package var intervals: [Interval] { places.flatMap(\.intervals) }

    static func id(_ cause: FindingCause) -> String {
        HexadecimalText.encode(SHA256.digest(Array(cause.text.utf8)).prefix(5))
    }
}

/// One of the places where a finding comes.
package struct FindingPlace: Hashable, Sendable {
    /// Of each fault, such as `GET /a resp.body`.
    package let positions: [String]
    /// What the faults do, where they are on no line of neighbouring positions.
    package let deeds: [String]
    package let intervals: [Interval]

    package var position: String { positions.joined(separator: " + ") }
}

/// Neighbouring points of one series that show the same failure.
package struct Interval: Hashable, Sendable {
    /// Effect and arguments.
    package let deed: String
    /// The places of the first and the last point, as a schedule line writes them.
    package let first: String
    package let last: String
    /// How many positions this is.
    package let length: UInt64
    /// Whether the next position outside does not show it, on both sides.
    package let isExact: Bool

    /// As in `c1/r1:resp.body+1 … resp.body+1499`.
    package var text: String {
        guard first != last else { return first }
        let tail = last.split(separator: ":", maxSplits: 1).last.map(String.init) ?? last
        return "\(first) … \(tail)"
    }
}
