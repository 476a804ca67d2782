package import HTTPWire
package import SystemIO

/// One request and its response.
///
/// The server's handler gets it once the head is complete. Nothing more is read until `read` asks
/// for it, so a client that sends too fast is held up by its own kernel. Everything happens on the
/// loop's thread. Closures may be called before the call that led to them returns only where that is
/// said; all of them are let go when the exchange is over.
///
/// An exchange ends in one of two ways: `onAbort`, then `onEnd`; or `onEnd` alone, once the kernel
/// has taken the whole response. Until then it lives by itself: the handler need not hold it.
package final class ServerExchange {
    package let head: RequestHead
    /// The connection's number, from 1 in the order in which they were accepted.
    package let connectionOrdinal: Int
    /// The request's number on its connection, from 1.
    package let requestOrdinal: Int
    package let peer: SocketAddress?
    package let isSecure: Bool

    /// Called once if the exchange cannot be completed, whatever the reason; no `read` is answered
    /// after it.
    ///
    /// Called before `reset()` returns, and before the server's `stop()` does.
    package var onAbort: ((AbortReason) -> Void)?
    /// Called once, last.
    package var onEnd: ((ExchangeReport) -> Void)?
    /// Called when it shows that the client has ended its side, and when it has gone, also while
    /// nobody reads.
    ///
    /// It is news, not the end: what came before can still be read, and a client that has only
    /// ended its side can still be answered.
    package var onPeerEnd: ((PeerEnd) -> Void)?
    /// Called when the server stops taking requests, but only for an exchange that has left HTTP:
    /// others end on their own.
    package var onFinish: (() -> Void)?

    package enum PeerEnd: Hashable, Sendable {
        /// It sends no more; it may still read.
        case finished
        case reset
    }

    weak var carrier: (any ExchangeCarrier)?
    var pull: BodyPull?
    var report: ExchangeReport
    var hasSentContinue = false
    /// Whether `BodyPiece.end` was handed over, or nobody needs it.
    var hasDeliveredEnd = false
    /// Runs on the loop before anything else.
    var deferred: (() -> Void)?
    /// Whether the content came whole.
    package internal(set) var isRequestComplete = false
    /// Whether the final response was given.
    package internal(set) var hasResponded = false
    /// Whether the exchange has left HTTP, and has the raw bytes of the connection.
    package internal(set) var isUpgraded = false
    package internal(set) var isOver = false
    package internal(set) var peerEnd: PeerEnd?

    init(_ head: RequestHead, isSecure: Bool, report: ExchangeReport) {
        self.head = head
        self.isSecure = isSecure
        self.report = report
        connectionOrdinal = report.connection
        requestOrdinal = report.request
        peer = report.peer
    }

    /// Bytes of content that were handed over.
    package var receivedContentBytes: Int { report.receivedContentBytes }

    /// Asks for content: at most `limit` bytes, put into `buffer` from `start` on.
    ///
    /// The first call answers an `Expect: 100-continue`. One call at a time, and none after
    /// `respond`; after `upgrade` it gets what the client sends from there on. The buffer belongs
    /// to the exchange until `done`. After the last bytes comes
    /// `BodyPiece.end`; a message without content has nothing but that.
    ///
    /// - Parameters:
    ///   - buffer: where the bytes go; chunk framing passes through it too.
    ///   - start: the place of the first one.
    ///   - limit: how many at most, from 1.
    ///   - done: called on the loop, not before this returns; never after `onAbort`.
    package func read(
        into buffer: TransferBuffer,
        from start: Int = 0,
        limit: Int,
        then done: @escaping (BodyPiece) -> Void
    ) {
        precondition(pull == nil, "one read at a time")
        precondition(limit > 0 && start >= 0 && start + limit <= buffer.capacity)
        guard !isOver, !hasResponded || isUpgraded else { return }
        pull = BodyPull(buffer: buffer, start: start, limit: limit, done: done)
        carrier?.wake()
    }

    /// Sends an interim response, such as 104, ahead of the final one.
    ///
    /// - Returns: false if it was left out: to a client of HTTP/1.0, which does not know them
    ///   (RFC 9110 §15.2); after the final response; and to one that does not read while many wait.
    /// - Throws: if the head cannot be written; nothing is sent then.
    @discardableResult
    package func sendInterim(_ response: ResponseHead) throws(MessageWriteError) -> Bool {
        precondition(response.isInterim, "an interim response has a status below 200")
        guard !isOver, !hasResponded, let carrier, head.version != .http10 else { return false }
        guard try carrier.sendInterim(response) else { return false }
        report.interimResponses += 1
        if response.status == 100 { hasSentContinue = true }
        return true
    }

    /// Gives the final response.
    ///
    /// The fields that frame the content, `Connection` and `Date` are added as the content and the
    /// request ask; a `Content-Length` of the head's own counts where no content is sent (HEAD, 304).
    /// HEAD gets the framing fields that GET would (RFC 9110 §9.3.2).
    /// If the request's content was not read to its end, it is not read any more: the connection, or
    /// the HTTP/2 stream, ends after the response.
    ///
    /// - Parameters:
    ///   - response: a final response; it is sent in the version of the connection.
    ///   - body: the content; not sent for HEAD, but its length is.
    /// - Throws: if the head cannot be written; another response may be given then.
    package func respond(
        _ response: ResponseHead,
        _ body: MessageBody = .none
    ) throws(MessageWriteError) {
        precondition(!hasResponded, "one response to each request")
        precondition(!response.isInterim, "a final response has a status from 200 on")
        guard !isOver, let carrier else { return }
        try carrier.respond(response, body, to: self)
    }

    /// Leaves HTTP/1.1: answers 101, and takes over the bytes of the connection (RFC 9110 §7.8).
    ///
    /// From here on `read` gets what the client sends, beginning with what it sent after its request,
    /// and `BodyPiece.end` once it has ended its side. The exchange ends with `output`, and the connection
    /// with the exchange. Only a request of HTTP/1.1 whose content came whole can be answered so.
    ///
    /// - Parameters:
    ///   - response: of status 101, with all fields that it needs.
    ///   - output: makes the bytes for the client.
    /// - Throws: if the head cannot be written; another response may be given then.
    package func upgrade(
        _ response: ResponseHead,
        sending output: @escaping BodyGenerator
    ) throws(MessageWriteError) {
        precondition(!hasResponded, "one response to each request")
        precondition(head.version == .http11 && isRequestComplete && response.status == 101)
        guard !isOver, let carrier else { return }
        try carrier.upgrade(response, sending: output, of: self)
    }

    /// Says that a source that answered `.later` has bytes again.
    package func resume() { carrier?.wake() }

    /// Ends the connection at once, with a reset; of HTTP/2, its stream alone.
    ///
    /// What is under way in either direction, and what came and was not read, is thrown away.
    /// `onAbort(.takenOver)` and `onEnd` come before this returns.
    /// So an exchange that was handed an older one can be sure that nothing of that comes any more.
    package func reset() { carrier?.abort(.takenOver) }

    func runLater(_ action: @escaping () -> Void) {
        deferred = action
        carrier?.wake()
    }

    /// Lets all closures go, so that nothing holds what they hold.
    func release() {
        isOver = true
        pull = nil
        deferred = nil
        onAbort = nil
        onPeerEnd = nil
        onFinish = nil
        onEnd = nil
    }
}
