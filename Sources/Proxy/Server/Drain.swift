internal import Basics
internal import LinkEngine
internal import SystemIO

/// How the connections that are open at a proxy's end come to theirs, within a limit.
final class Drain {
    private let connections: ConnectionTable
    private let timers: TimerQueue
    private let done: () -> Void
    private var limit = TimerQueue.Token.none
    private var look = TimerQueue.Token.none
    /// How many bytes had moved on each idle connection at the last look.
    private var movedBytes: [UInt32: UInt64] = [:]
    private var isOver = false

    /// A connection that was idle and moved no byte for this long is closed.
    private static let lookTime = Duration.milliseconds(100)

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - connections: those that are open.
    ///   - timers: for the limit.
    ///   - milliseconds: connections that are open then are reset.
    ///   - closesIdle: whether connections on which nothing happens are closed at once.
    ///   - done: called once, on the loop, when no connection is open.
    init(
        _ connections: ConnectionTable,
        timers: TimerQueue,
        limitMilliseconds milliseconds: UInt64,
        closesIdle: Bool,
        then done: @escaping () -> Void
    ) {
        self.connections = connections
        self.timers = timers
        self.done = done
        limit = timers.set(after: .milliseconds(clamping: milliseconds)) { [weak self] in
            self?.connections.resetAll()
        }
        for connection in connections.inOrder { connection.drainBegan() }
        if closesIdle { lookForIdle() }
    }

    /// A connection has ended.
    func connectionEnded() {
        guard connections.isEmpty, !isOver else { return }
        isOver = true
        timers.cancel(limit)
        timers.cancel(look)
        done()
    }

    private func lookForIdle() {
        let idle = connections.inOrder.filter(\.isIdle)
        let before = movedBytes
        movedBytes = [:]
        for connection in idle {
            let number = connection.identity.number
            let moved = connection.bytes(.up) &+ connection.bytes(.down)
            if before[number] == moved {
                connection.closeIdle()
            } else {
                movedBytes[number] = moved
            }
        }
        guard !isOver else { return }
        look = timers.set(after: Self.lookTime) { [weak self] in
            self?.lookForIdle()
        }
    }
}
