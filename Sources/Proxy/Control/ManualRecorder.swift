package import Basics
package import Faults
package import LinkEngine

/// Writes down what is done by hand as faults at bytes, so that a session becomes a schedule.
///
/// A fault is written down when it acts, not when it is asked for: only then its byte is known, and
/// what was called off has never been.
package struct ManualRecorder: Sendable {
    /// What was done by hand, as faults that do the same again, in the order in which they acted.
    package private(set) var faults: [Fault] = []
    /// Why a replay will not give the same journal, in words.
    package private(set) var differences: [String] = []
    private var notes: [String] = []
    /// When the link carried nothing, since the begin of the run; they do not overlap.
    package private(set) var outages: [Outages.Window] = []
    private var outage: (begin: Duration, length: Duration?)?
    private var adds: [String] = []
    private var removes: [String] = []

    package init() {}

    /// Faults of one schedule.
    private static let faultLimit = ScheduleLimits.faults
    private static let wordsLimit = 64

    /// What a schedule cannot say and a journal does not show, in words: times, mostly.
    package var remarks: [String] {
        notes + (outage.map { ["no network from \(Quantity.text($0.begin)) on"] } ?? [])
    }

    /// Something was done to a connection that this fault does, too; equal ones do it again.
    ///
    /// - Parameters:
    ///   - fault: as a schedule has it.
    ///   - listeners: how many the proxy has.
    package mutating func acted(_ fault: Fault, listeners: Int) {
        if listeners > 1 {
            difference("a schedule does not tell listeners apart, and this proxy has several")
        }
        keep(fault)
    }

    /// A fault acts from now on.
    ///
    /// - Parameters:
    ///   - fault: as a schedule has it.
    ///   - isLate: whether a run that has it from its start does more than this one.
    package mutating func added(_ fault: Fault, isLate: Bool) {
        let text = fault.canonicalText
        if isLate {
            difference(
                "'\(text)' came after connections on which it acts in a replay, too;"
                    + " name one to come, as in c9:down+1000=rst"
            )
        }
        if let place = removes.firstIndex(of: text) {
            removes.remove(at: place)
        } else {
            adds.append(text)
        }
    }

    /// A fault was taken back.
    ///
    /// - Parameters:
    ///   - fault: as a schedule has it.
    ///   - hasActed: whether the journal tells of it, so that it has to stay.
    package mutating func removed(_ fault: Fault, hasActed: Bool) {
        let text = fault.canonicalText
        guard !hasActed else {
            difference("'\(text)' was removed after the journal had recorded it; it is kept")
            return keep(fault)
        }
        if let place = adds.firstIndex(of: text) {
            adds.remove(at: place)
        } else {
            removes.append(text)
        }
    }

    /// The link carries nothing from now on, for a time or until it is said that it does.
    package mutating func outageBegan(
        at elapsed: Duration,
        for length: Duration? = nil
    ) {
        outageEnded(at: elapsed)
        outage = (elapsed, length)
    }

    /// The link carries something again.
    package mutating func outageEnded(at elapsed: Duration) {
        guard let (begin, wanted) = outage, elapsed > begin else { return }
        outage = nil
        guard outages.count < Self.faultLimit else {
            return remark("only the first \(Self.faultLimit) outages are kept")
        }
        let length = elapsed - begin
        let window = Outages.Window(at: begin, length: wanted.map { min($0, length) } ?? length)
        outages.append(window)
        remark(
            "no network from \(Quantity.text(begin)) on, for \(Quantity.text(window.length))"
        )
    }

    /// Something was done after which a replay gives another journal.
    package mutating func difference(_ text: String) {
        guard differences.count < Self.wordsLimit, !differences.contains(text) else { return }
        differences.append(text)
    }

    /// Something was done that a schedule cannot say.
    package mutating func remark(_ text: String) {
        guard notes.count < Self.wordsLimit, !notes.contains(text) else { return }
        notes.append(text)
    }

    /// Gives what was added and taken back since the last call, for the record of the change.
    mutating func takeChanges() -> (adds: [String], removes: [String]) {
        defer { (adds, removes) = ([], []) }
        return (adds, removes)
    }

    /// Forgets everything.
    package mutating func clear() {
        let outage = outage
        self = ManualRecorder()
        self.outage = outage
        difference("what was done before the record was cleared is missing")
    }

    private mutating func keep(_ fault: Fault) {
        guard faults.count < Self.faultLimit else {
            return difference("only the first \(Self.faultLimit) faults are kept")
        }
        faults.append(fault)
    }
}
