internal import Analysis
internal import Basics
internal import SystemIO

/// One kind of failure at one place of the protocol.
package struct Finding: Hashable, Sendable {
    /// Equal in every run, shard and machine: from the class and the places.
    package let id: String
    /// `flaky` if the failure does not always come; what it is when it comes is in `failure`.
    package let kind: FindingClass
    package let failure: FindingClass
    /// The places of the faults, such as `GET /a resp.body`.
    package let positions: [String]
    /// The simplest schedule that shows it.
    package let minimal: Point
    package let reason: String
    /// Where along the messages it comes, as far as is known.
    package let intervals: [Interval]
    /// How many different schedules showed it.
    package let schedules: Int
    /// How often the simplest schedule was run again, and how often it came out the same.
    package let confirmations: Confirmations
    /// What was seen on the wire.
    package let evidence: [String]
    package let trace: String?

    /// The journal of the run that shows it, if that was kept.
    package var journal: String? { trace.map { "\($0)/\(RunFolders.journalName)" } }

    package struct Confirmations: Hashable, Sendable {
        package var equal: Int
        package var of: Int

        package init(equal: Int, of: Int) {
            self.equal = equal
            self.of = of
        }

        package var text: String { "\(equal)/\(of)" }
    }

    package var position: String { positions.joined(separator: " + ") }

    static func id(_ kind: FindingClass, _ positions: [String]) -> String {
        let text = ([kind.rawValue] + positions.sorted()).joined(separator: "\n")
        return HexadecimalText.encode(SHA256.digest(Array(text.utf8)).prefix(5))
    }
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
