package import Basics
package import HTTPWire
package import SystemIO

/// Why an exchange ended before its response was sent.
package enum AbortReason: Hashable, Sendable {
    /// The client ended its side (FIN) within the content of its request.
    case truncatedRequest
    /// The client reset the connection, or it broke.
    case reset
    /// The content of the request made no progress.
    case requestTimeout
    /// The client took no byte of the response.
    case responseTimeout
    /// The content of the request is no HTTP/1.1.
    case malformed(MessageError)
    case tls(TLSError)
    /// The source of the response's content failed, or had less than it said.
    case sourceFailed
    /// Another exchange, or the server's own code, ended this connection by `reset()`.
    case takenOver
    /// The server was stopped.
    case serverStopped
}

/// What came of one request, for a log of accesses.
package struct ExchangeReport: Hashable, Sendable {
    package enum Ending: Hashable, Sendable {
        /// The kernel has taken the whole response.
        case complete
        case aborted(AbortReason)
        /// There was no request to hand over: its head was refused with the response's status.
        case refused
    }

    /// The connection's number, from 1 in the order in which they were accepted.
    package var connection: Int
    /// The request's number on its connection, from 1.
    package var request: Int
    package var peer: SocketAddress?
    /// nil if there was no whole head.
    package var head: RequestHead?
    /// Of the final response; nil if there was none.
    package var status: Int?
    package var interimResponses = 0
    /// Bytes of the request's content that were handed over.
    package var receivedContentBytes = 0
    /// Whether the request's content came whole.
    package var isRequestComplete = false
    /// Bytes of all responses that the kernel took, heads and framing included; with TLS,
    /// ciphertext.
    package var sentBytes = 0
    /// When the head was complete, on the loop's clock.
    package var beganAt: Instant
    /// When the final response was begun; nil if there was none.
    package var respondedAt: Instant?
    package var endedAt: Instant
    package var ending: Ending
}
