internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

/// A datagram on its way, and what is to become of it.
struct PassingDatagram {
    var bytes: [UInt8]
    /// The ECN field of its IP header.
    var ecn: UInt8
    var verdict = FlowGate.Verdict()
    /// Its number in this direction, from 1, and when it came.
    let number: UInt64
    let came: Instant
    /// The types of its QUIC packets, if it is recorded.
    var types: [String] = []
}

/// One direction of a flow: its account, what waits on the link, and its last step.
///
/// Each call passes the flow: a reference to it would cost idle flows memory.
final class FlowWay {
    var tally = FlowEnd.Tally()
    /// What waits on the link, by number.
    var onLink: [UInt64: PassingDatagram] = [:]
    /// Whether a note says that some datagrams are too long for the network.
    var hasReportedLength = false
    private let direction: Direction
    private var exit = FlowExit<PassingDatagram>()
    /// For the next one that leaves by itself.
    private var timer = TimerQueue.Token.none
    private var armedFor: Instant?

    init(_ direction: Direction) { self.direction = direction }

    /// The datagrams that have not left.
    var waiting: [PassingDatagram] { Array(onLink.values) + exit.waiting }

    /// Takes a datagram that has crossed the link, which leaves when its verdict says so.
    ///
    /// - Returns: whether there is room for it among those that are held.
    func pass(_ datagram: PassingDatagram, of flow: Flow) -> Bool {
        if datagram.verdict.leavesAtOnce, exit.isIdle {
            flow.leave(datagram, direction)
            return true
        }
        guard exit.count < flow.context.tools.settings.mostHeld else { return false }
        exit.pass(datagram, datagram.verdict, at: flow.now)
        drain(flow)
        return true
    }

    /// Releases what is held for ever.
    func release(_ flow: Flow) {
        exit.release(at: flow.now)
        drain(flow)
    }

    /// Stops the timer, so that nothing leaves by itself any more.
    func stop(_ timers: TimerQueue) { timers.cancel(timer) }

    private func drain(_ flow: Flow) {
        while let datagram = exit.next() { flow.leave(datagram, direction) }
        let due = exit.nextDeadline
        guard due != armedFor else { return }
        let context = flow.context
        context.tools.timers.cancel(timer)
        armedFor = due
        guard let due else { return }
        timer = context.tools.timers.set(
            at: context.startedAt.later(by: due - .start)
        ) { [self, weak flow] in
            guard let flow else { return }
            armedFor = nil
            // A timer that is early by the clock's grain still means its own moment.
            exit.advance(to: max(flow.now, due))
            drain(flow)
        }
    }
}
