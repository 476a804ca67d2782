internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

/// A datagram on its way, and what is to become of it.
struct PassingDatagram {
    var bytes: [UInt8]
    /// The ECN field of its IP header.
    var ecn: UInt8
    var verdict: FlowGate.Verdict
}

/// One direction of a flow: its account, what waits on the link, and the last step, in which datagrams
/// are doubled, held or overtaken.
final class FlowWay {
    private struct Overtaken {
        let datagram: PassingDatagram
        /// Later ones that still go first.
        var left: Int
        let number: UInt64
    }

    var tally = FlowEnd.Tally()
    /// What waits on the link, by number.
    var onLink: [UInt64: PassingDatagram] = [:]
    private let timers: TimerQueue
    private var overtaken: [Overtaken] = []
    private var numbers: UInt64 = 0
    private var isCancelled = false

    /// After this a datagram that waits to be overtaken leaves, however few have come.
    private static let patienceNanoseconds: UInt64 = 100_000_000

    init(_ timers: TimerQueue) { self.timers = timers }

    /// Lets a datagram leave, now or later.
    func pass(
        _ datagram: PassingDatagram,
        atNanoseconds start: UInt64,
        nowNanoseconds now: UInt64,
        _ leave: @escaping (PassingDatagram) -> Void
    ) {
        let verdict = datagram.verdict
        let held = verdict.heldUntil.map { start &+ UInt64($0.nanoseconds) } ?? 0
        let due = max(held, now) &+ UInt64(verdict.delay.nanoseconds)
        if due > now {
            // At one moment, not after one time: those that are held until then keep their order.
            at(due) { [weak self] in self?.pass(inTurn: datagram, atNanoseconds: due, leave) }
        } else {
            pass(inTurn: datagram, atNanoseconds: now, leave)
        }
    }

    private func pass(
        inTurn datagram: PassingDatagram,
        atNanoseconds now: UInt64,
        _ leave: @escaping (PassingDatagram) -> Void
    ) {
        if datagram.verdict.overtakers > 0 { return wait(datagram, atNanoseconds: now, leave) }
        leave(datagram)
        if datagram.verdict.isDoubled { leave(datagram) }
        guard !overtaken.isEmpty else { return }
        for index in overtaken.indices { overtaken[index].left -= 1 }
        let due = overtaken.filter { $0.left <= 0 }
        overtaken.removeAll { $0.left <= 0 }
        for one in due { leave(one.datagram) }
    }

    private func wait(
        _ datagram: PassingDatagram,
        atNanoseconds now: UInt64,
        _ leave: @escaping (PassingDatagram) -> Void
    ) {
        numbers += 1
        let number = numbers
        overtaken.append(
            Overtaken(datagram: datagram, left: datagram.verdict.overtakers, number: number)
        )
        at(now &+ Self.patienceNanoseconds) { [weak self] in
            guard let self, let place = overtaken.firstIndex(where: { $0.number == number }) else {
                return
            }
            leave(overtaken.remove(at: place).datagram)
        }
    }

    private func at(_ nanoseconds: UInt64, _ action: @escaping () -> Void) {
        _ = timers.set(atNanoseconds: nanoseconds) { [weak self] in
            guard let self, !isCancelled else { return }
            action()
        }
    }

    /// Lets nothing leave any more.
    func cancel() {
        isCancelled = true
        overtaken.removeAll()
        onLink.removeAll()
    }
}
