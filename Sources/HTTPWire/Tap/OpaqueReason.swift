/// Why the tap cannot say what the bytes mean.
package enum OpaqueReason: Hashable, Sendable {
    /// The first byte is that of a TLS record: the client's of a handshake, the server's of an alert.
    case tls
    /// The connection preface of HTTP/2 (RFC 9113 §3.4).
    case http2
    /// A 101 changed the protocol (RFC 9110 §7.8).
    case upgrade
    /// The answer to CONNECT opened a tunnel (RFC 9110 §9.3.6).
    case tunnel
    /// Bytes behind a request with `Upgrade` or CONNECT came before the answer, which alone says
    /// whether they are HTTP.
    case beforeSwitchWasAnswered
    /// Bytes behind a message that is the last one of its direction (RFC 9112 §9.6).
    case afterLastMessage
    /// A final answer came instead of the 100 that the client waited for: what it sends now may be the
    /// content or the next request (RFC 9110 §10.1.1).
    case refusedExpectation
    /// No request is known that the bytes could answer.
    case responseWithoutRequest
    /// More requests without an answer than the tap remembers.
    case tooManyRequests
    /// A message that can have no content declares some, which some parsers then read
    /// (RFC 9110 §8.6, §9.3.6).
    case contentWhereNoneCanBe
    /// Not HTTP/1.x, or parsers disagree about it.
    case malformed(MessageError)
}

/// First bytes of TLS records (RFC 8446 §5.1), which no HTTP message has.
enum TLSRecord {
    static let alert: UInt8 = 21
    static let handshake: UInt8 = 22
}

extension OpaqueReason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tls: "TLS"
        case .http2: "HTTP/2"
        case .upgrade: "the protocol was changed by a 101"
        case .tunnel: "a tunnel was opened by CONNECT"
        case .beforeSwitchWasAnswered: "bytes behind Upgrade or CONNECT before its answer"
        case .afterLastMessage: "bytes behind the last message"
        case .refusedExpectation: "bytes behind a refused Expect: content or the next request"
        case .responseWithoutRequest: "a response without a request"
        case .tooManyRequests: "too many requests without an answer"
        case .contentWhereNoneCanBe: "content is declared where there can be none"
        case .malformed(let error): Self.text(error)
        }
    }

    private static func text(_ error: MessageError) -> String {
        switch error {
        case .malformed(let what): what
        case .startLineTooLong: "the start line is too long"
        case .headTooLarge: "the head is too large"
        case .versionNotSupported: "a version other than HTTP/1.x"
        case .transferCodingNotSupported: "a transfer coding other than chunked"
        case .incomplete: "the message is incomplete"
        }
    }
}
