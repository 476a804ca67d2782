internal import Basics
internal import DNS
internal import SystemIO

/// A client that asks over TCP.
final class QueryConnection {
    let number: Int
    let stream: MessageStream
    let peer: SocketAddress?
    /// When a query or an answer last passed.
    private(set) var lastUse: Instant
    private let loop: EventLoop
    /// Queries whose answers are still to come.
    private var awaited = 0
    var onClose: (QueryConnection) -> Void = { _ in }

    init(_ stream: MessageStream, number: Int, loop: EventLoop) {
        self.stream = stream
        self.number = number
        self.loop = loop
        peer = stream.peerAddress
        lastUse = loop.now
    }

    /// Notes that a query has come.
    func await() {
        awaited += 1
        lastUse = loop.now
    }

    func deliver(_ delivery: QueryReply.Delivery) {
        awaited -= 1
        lastUse = loop.now
        guard stream.isOpen else { return }
        switch delivery {
        case .bytes(let bytes): stream.send(bytes)
        case .silence: break
        case .fin: return close()
        case .rst:
            stream.reset()
            return onClose(self)
        }
        closeIfDone()
    }

    /// Closes once the client has ended its side and nothing is to come any more.
    func closeIfDone() {
        if stream.hasEnded, awaited == 0 { close() }
    }

    func close() {
        guard stream.isOpen else { return }
        stream.close()
        onClose(self)
    }
}
