/// The first line of a message: a request line or a status line (RFC 9112 §2.1).
protocol StartLine: Sendable {
    /// Whether empty lines may stand before it (RFC 9112 §2.2).
    static var mayFollowEmptyLines: Bool { get }

    /// Whether a message can begin so; other bytes are refused before their line ends.
    static func canBegin(with byte: UInt8) -> Bool

    init(_ line: [UInt8]) throws(MessageError)
}

/// Method, target and version (RFC 9112 §3).
struct RequestLine: StartLine {
    static let mayFollowEmptyLines = true
    let method: String
    let target: String
    let version: HTTPVersion

    static func canBegin(with byte: UInt8) -> Bool { byte.isTokenCharacter }

    init(_ line: [UInt8]) throws(MessageError) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts[0].allSatisfy(\.isTokenCharacter), !parts[0].isEmpty else {
            throw .malformed("the method is not a token")
        }
        guard parts.count > 1, (2...3).contains(parts.count), !parts[1].isEmpty else {
            throw .malformed("a request line that is not method, target and version")
        }
        guard parts[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformed("the target has a character that belongs percent-encoded")
        }
        // HTTP/0.9 has no version.
        guard parts.count == 3 else { throw .versionNotSupported }
        version = try HTTPVersion(parts[2])
        method = String(scalars: parts[0])
        target = String(scalars: parts[1])
    }
}

/// Version, status and reason phrase (RFC 9112 §4).
struct StatusLine: StartLine {
    static let mayFollowEmptyLines = false
    let version: HTTPVersion
    let status: Int
    let reason: String

    static func canBegin(with byte: UInt8) -> Bool { byte == UInt8(ascii: "H") }

    init(_ line: [UInt8]) throws(MessageError) {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        version = try HTTPVersion(parts[0])
        // Many servers leave out the space before an empty reason phrase.
        guard parts.count > 1, parts[1].count == 3, parts[1].allSatisfy(\.isDigit),
            let status = Int(String(scalars: parts[1])), status >= 100
        else {
            throw .malformed("a status that is not three digits from 100")
        }
        let reason = parts.count == 3 ? parts[2] : []
        guard reason.allSatisfy(\.isFieldCharacter) else {
            throw .malformed("a control character in the reason phrase")
        }
        self.status = status
        self.reason = String(scalars: reason)
    }
}

extension HTTPVersion {
    /// Reads `HTTP/1.1`.
    ///
    /// A higher minor version counts as 1.1 (RFC 9110 §6.2).
    fileprivate init(_ text: ArraySlice<UInt8>) throws(MessageError) {
        let digits = text.dropFirst(5)
        guard text.starts(with: "HTTP/".utf8), digits.count == 3,
            let major = digits.first, major.isDigit, digits.dropFirst().first == UInt8(ascii: "."),
            let minor = digits.last, minor.isDigit
        else {
            throw .malformed("a version that is not HTTP/, digit, point and digit")
        }
        guard major == UInt8(ascii: "1") else { throw .versionNotSupported }
        self = minor == UInt8(ascii: "0") ? .http10 : .http11
    }
}
