package import HTTPWire
package import SystemIO

/// Why a request did not get its whole response.
package struct ClientFailure: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The host's name has no address.
        case resolve(SystemError)
        /// Nobody listens.
        case refused
        case unreachable(SystemError)
        case connectTimeout
        /// The handshake failed, or what came later is no TLS.
        case tls(TLSError)
        /// The connection was reset, or broke.
        case reset
        /// The server ended the connection before it began to answer.
        case closedBeforeResponse
        /// The server ended the connection within the head of a response.
        case truncatedHead
        /// A connection that was kept for another request ended before it began to answer: most
        /// likely it ended before the request came.
        case staleReuse
        /// The server said that it has not looked at the request (RFC 9113 §8.7): it can be sent again.
        case notProcessed
        /// The server ended the stream of the request alone, with this error.
        case streamReset(String)
        /// The connection ended within the response, or TLS did without saying so.
        case truncatedBody
        /// No byte went either way for too long.
        case idleTimeout
        case malformed(MessageError)
        /// The source of the request's content failed, or had less than it said.
        case sourceFailed
        /// The head of the request cannot be written.
        case unwritable(MessageWriteError)
        /// This process or machine lacks something, such as descriptors.
        case local(SystemError)
    }

    package let reason: Reason
    /// Bytes of the request that the kernel took, heads and framing included; with TLS, ciphertext.
    package let requestBytesSent: Int
    /// Whether the connection had carried another request before.
    package let isReused: Bool
    /// Whether the head of the final response had come.
    package let hasResponse: Bool

    /// Whether the server may have seen anything of the request.
    package var didRequestLeave: Bool { requestBytesSent > 0 && reason != .notProcessed }

    package init(
        _ reason: Reason,
        requestBytesSent: Int = 0,
        isReused: Bool = false,
        hasResponse: Bool = false
    ) {
        self.reason = reason
        self.requestBytesSent = requestBytesSent
        self.isReused = isReused
        self.hasResponse = hasResponse
    }
}

extension ClientFailure: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .resolve(let error): "the host was not found: \(error)"
        case .refused: "connection refused"
        case .unreachable(let error): "cannot connect: \(error)"
        case .connectTimeout: "no connection in time"
        case .tls(let error): error.description
        case .reset: "the connection was reset"
        case .closedBeforeResponse: "the server closed the connection without an answer"
        case .truncatedHead: "the connection ended within the head of the response"
        case .staleReuse: "a kept connection ended without an answer"
        case .notProcessed: "the server did not take the request"
        case .streamReset(let error): "the server ended the stream with \(error)"
        case .truncatedBody: "the connection ended within the response"
        case .idleTimeout: "nothing was sent or received for too long"
        case .malformed(let error): "the response is not HTTP: \(error)"
        case .sourceFailed: "the content to send could not be read"
        case .unwritable(let error): error.description
        case .local(let error): error.description
        }
    }
}
