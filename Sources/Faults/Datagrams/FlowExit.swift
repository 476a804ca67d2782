package import Basics

/// The last step of one direction of a flow: a datagram that has crossed the link leaves at once,
/// later, twice, or after later ones, as its verdict says.
///
/// Knows no clock. The driver calls `pass` for each datagram that has crossed, takes every one that
/// leaves with `next()`, and comes back at `nextDeadline` with `advance(to:)`. Times never run
/// backwards.
package struct FlowExit<Datagram> {
    /// One that leaves at a moment.
    private struct Held {
        let datagram: Datagram
        let verdict: FlowGate.Verdict
        let due: Instant
    }

    /// One that waits until later ones have left.
    private struct Overtaken {
        let datagram: Datagram
        let isDoubled: Bool
        /// How many still go first.
        var left: Int
        let patience: Instant
    }

    /// In the order in which they leave.
    private var held: [Held] = []
    /// In the order in which their patience ends.
    private var overtaken: [Overtaken] = []
    private var leaving: [Datagram] = []

    /// After this a datagram that waits to be overtaken leaves, however few have come.
    package static var patience: Duration { .milliseconds(100) }

    package init() {}

    /// Whether nothing waits, so that a datagram without a verdict could leave by itself.
    package var isIdle: Bool { held.isEmpty && overtaken.isEmpty && leaving.isEmpty }

    /// When something next leaves by itself; nil if nothing waits for a time.
    package var nextDeadline: Instant? {
        guard let due = held.first?.due, due != .never else { return overtaken.first?.patience }
        guard let patience = overtaken.first?.patience else { return due }
        return min(due, patience)
    }

    /// Takes a datagram that has crossed the link.
    package mutating func pass(
        _ datagram: Datagram,
        _ verdict: FlowGate.Verdict,
        at now: Instant
    ) {
        advance(to: now)
        let begin = max(verdict.heldUntil ?? now, now)
        let due = begin.later(by: verdict.delay)
        guard due > now else { return takeTurn(datagram, verdict, at: now) }
        let place = held.firstIndex { $0.due > due } ?? held.endIndex
        held.insert(Held(datagram: datagram, verdict: verdict, due: due), at: place)
    }

    /// Lets leave what is due by then.
    package mutating func advance(to now: Instant) {
        while let next = nextDeadline, next <= now {
            if held.first?.due == next {
                let one = held.removeFirst()
                takeTurn(one.datagram, one.verdict, at: next)
            } else {
                let one = overtaken.removeFirst()
                leave(one.datagram, twice: one.isDoubled)
            }
        }
    }

    /// Releases what is held for ever, in its order.
    package mutating func release(at now: Instant) {
        advance(to: now)
        let released = held.filter { $0.due == .never }
        held.removeAll { $0.due == .never }
        for one in released { takeTurn(one.datagram, one.verdict, at: now) }
    }

    /// How many datagrams wait.
    package var count: Int { held.count + overtaken.count }

    /// The datagrams that have not left.
    package var waiting: [Datagram] {
        held.map(\.datagram) + overtaken.map(\.datagram) + leaving
    }

    /// Takes the next datagram that leaves now; nil if there is none.
    package mutating func next() -> Datagram? { leaving.isEmpty ? nil : leaving.removeFirst() }

    private mutating func takeTurn(
        _ datagram: Datagram,
        _ verdict: FlowGate.Verdict,
        at now: Instant
    ) {
        if verdict.overtakers > 0 {
            overtaken.append(
                Overtaken(
                    datagram: datagram,
                    isDoubled: verdict.isDoubled,
                    left: verdict.overtakers,
                    patience: now + Self.patience
                )
            )
            return
        }
        leave(datagram, twice: verdict.isDoubled)
        guard !overtaken.isEmpty else { return }
        for index in overtaken.indices { overtaken[index].left -= 1 }
        for one in overtaken where one.left <= 0 { leave(one.datagram, twice: one.isDoubled) }
        overtaken.removeAll { $0.left <= 0 }
    }

    private mutating func leave(_ datagram: Datagram, twice: Bool) {
        leaving.append(datagram)
        if twice { leaving.append(datagram) }
    }
}
