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
