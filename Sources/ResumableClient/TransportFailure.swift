/// How a request failed below HTTP, as far as it matters for what comes next.
package enum TransportFailure: String, Error, Hashable, Sendable, CaseIterable {
    /// Nobody listens there.
    case refused = "refused"
    /// The host's name has no address.
    case unknownHost = "unknown-host"
    /// No connection for another reason: unreachable, reset while connecting, nothing left here.
    case notConnected = "not-connected"
    /// No connection within the connect timeout.
    case connectTimeout = "connect-timeout"
    /// The connection was reset or closed before the final answer's head was complete.
    case connectionLost = "connection-lost"
    /// No byte moved either way for the idle timeout.
    case idleTimeout = "idle-timeout"
    /// The final answer's body ended before its framing says so.
    case truncated = "truncated"
    /// What came is not HTTP/1.1, or passes a limit of the parser.
    case malformed = "malformed"
    /// The server's certificate or the TLS handshake was refused.
    case untrusted = "untrusted"

    /// Whether there never was a connection.
    var isConnect: Bool {
        switch self {
        case .refused, .unknownHost, .notConnected, .connectTimeout: true
        case .connectionLost, .idleTimeout, .truncated, .malformed, .untrusted: false
        }
    }
}

/// Why an attempt failed: below HTTP or by its answer.
package enum AttemptFailure: Error, Hashable, Sendable {
    case transport(TransportFailure)
    /// A final answer with this status.
    case status(Int)
    /// A success that contradicts what was sent, so that the state must be asked for.
    case contradiction(String)
}

extension AttemptFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .transport(.refused): "the server refuses connections (nothing listens there)"
        case .transport(.unknownHost): "there is no host of this name"
        case .transport(.notConnected): "no connection to the server"
        case .transport(.connectTimeout): "no connection to the server in time"
        case .transport(.connectionLost): "the connection ended before the answer"
        case .transport(.idleTimeout): "nothing moved on the connection for too long"
        case .transport(.truncated): "the response ended early"
        case .transport(.malformed):
            "what answers does not speak HTTP/1.1 (are port and http or https right?)"
        case .transport(.untrusted): "the server's certificate is not accepted"
        case .status(let status): "the server answered \(status)"
        case .contradiction(let text): text
        }
    }
}
