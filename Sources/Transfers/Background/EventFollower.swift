package import Basics
package import SystemIO

/// Follows the events of a background transfer until no process works on it any more.
///
/// What was handed out once is noted in the transfer's folder, so that the next follower continues
/// there.
package final class EventFollower {
    private let transfer: TransferFolder
    private let reader: EventReader
    private let timer: Timer
    private let onEvents: ([JSONObject]) -> Void
    private let onEnd: (BackgroundState) -> Void
    private var isOver = false

    /// How often the file is looked at.
    private static let pollMilliseconds: UInt64 = 50

    /// - Parameters:
    ///   - transfer: to follow.
    ///   - fromStart: whether events that were handed out before come again.
    ///   - loop: on which the functions are called.
    ///   - onEvents: receives events in order; called at each look, with or without events.
    ///   - onEnd: receives the state once, after the last event.
    /// - Throws: if the system has no timer left.
    package init(
        _ transfer: TransferFolder,
        fromStart: Bool = false,
        on loop: EventLoop,
        onEvents: @escaping ([JSONObject]) -> Void,
        onEnd: @escaping (BackgroundState) -> Void
    ) throws(SystemError) {
        self.transfer = transfer
        self.onEvents = onEvents
        self.onEnd = onEnd
        reader = EventReader(transfer.events, from: fromStart ? 0 : transfer.attachedOffset)
        let target = Target()
        timer = try Timer(loop: loop) { target.follower?.look() }
        target.follower = self
    }

    /// What the timer speaks to; the timer is made before the follower is complete.
    private final class Target {
        weak var follower: EventFollower?
    }

    /// Looks at once, and from then on again and again.
    package func start() {
        timer.start(
            afterMilliseconds: Self.pollMilliseconds,
            repeatMilliseconds: Self.pollMilliseconds
        )
        look()
    }

    /// Ends without a call of `onEnd`.
    package func close() {
        isOver = true
        timer.close()
    }

    private func look() {
        guard !isOver else { return }
        // Before the events: a worker that is gone writes no more.
        let isAlive = transfer.worker() != nil
        onEvents(reader.next())
        transfer.attachedOffset = reader.offset
        guard !isAlive, !isOver else { return }
        close()
        onEnd(transfer.state)
    }
}
