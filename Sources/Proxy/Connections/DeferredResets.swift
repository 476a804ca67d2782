internal import Basics
internal import SystemIO

/// Clients that are to be reset before they may have seen that they are connected.
///
/// The kernel completes a handshake before anybody here hears of it. Whether the client then finds a
/// connection and a reset, or a connect that failed, would be a race between two processes: curl ends
/// with 56 or with 7. So a client that has said and heard nothing is reset as soon as it says something,
/// or when it has had time to look.
final class DeferredResets: ReadinessHandler {
    private final class Client {
        var socket: Socket
        var token = WatchToken.none
        var timer = TimerQueue.Token.none

        init(_ socket: consuming Socket) { self.socket = socket }
    }

    private let loop: EventLoop
    /// Of a client, to look at its connect.
    private let patience: Duration
    private let timers: TimerQueue
    private var clients: [UInt32: Client] = [:]
    private var nextTag: UInt32 = 0

    /// More than wait at once where clients are refused one after another; a storm is not kept.
    private static let limit = 256

    init(loop: EventLoop, timers: TimerQueue, patienceMilliseconds: UInt64) {
        patience = .milliseconds(clamping: patienceMilliseconds)
        self.loop = loop
        self.timers = timers
    }

    /// Resets a client of which nothing was read, and to which nothing was written.
    ///
    /// - Parameters:
    ///   - socket: of the client.
    ///   - token: by which it is watched; none if it is not.
    ///   - time: when it was accepted, on the loop's clock.
    func reset(
        _ socket: consuming Socket,
        token: WatchToken = .none,
        acceptedAt time: Instant
    ) {
        let client = Client(socket)
        let end = time + patience
        let tag = nextTag
        guard end > loop.now, clients.count < Self.limit,
            let token = watch(client, token, tag)
        else {
            loop.unwatch(token)
            client.socket.reset()
            return
        }
        nextTag &+= 1
        client.token = token
        client.timer = timers.set(at: end) { [weak self] in self?.end(tag) }
        clients[tag] = client
    }

    private func watch(_ client: Client, _ token: WatchToken, _ tag: UInt32) -> WatchToken? {
        guard token != .none else {
            return try? loop.watch(client.socket, handler: self, tag: tag)
        }
        loop.rewatch(token, handler: self, tag: tag)
        // What has come already is reported once more.
        loop.reportArrivals(true, at: client.socket, token)
        return token
    }

    /// Resets all that wait.
    func finish() {
        for tag in clients.keys.sorted() { end(tag) }
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        if readiness.isReadable || readiness.hasEnding || readiness.isFailure { end(tag) }
    }

    private func end(_ tag: UInt32) {
        guard let client = clients.removeValue(forKey: tag) else { return }
        timers.cancel(client.timer)
        loop.unwatch(client.token)
        client.socket.reset()
    }
}
