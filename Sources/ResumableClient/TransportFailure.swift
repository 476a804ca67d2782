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
