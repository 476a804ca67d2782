/// The first line of a message: a request line or a status line (RFC 9112 §2.1).
protocol StartLine: Sendable {
    /// Whether empty lines may stand before it (RFC 9112 §2.2).
    static var mayFollowEmptyLines: Bool { get }

    /// Whether a message can begin so; other bytes are refused before their line ends.
    static func canBegin(with byte: UInt8) -> Bool

    init(_ line: Span<UInt8>) throws(MessageError)
}

/// Method, target and version (RFC 9112 §3).
struct RequestLine: StartLine {
    static let mayFollowEmptyLines = true
    let method: String
    let target: String
    let version: HTTPVersion

    static func canBegin(with byte: UInt8) -> Bool { byte.isTokenCharacter }

    init(_ line: Span<UInt8>) throws(MessageError) {
        let methodEnd = line.firstSpace(from: 0)
        guard methodEnd > 0, (0..<methodEnd).allSatisfy({ line[$0].isTokenCharacter }) else {
            throw .malformed("the method is not a token")
        }
        let targetStart = min(methodEnd + 1, line.count)
        let targetEnd = line.firstSpace(from: targetStart)
        guard targetStart < targetEnd,
            targetEnd == line.count || line.firstSpace(from: targetEnd + 1) == line.count
        else {
            throw .malformed("a request line that is not method, target and version")
        }
        guard (targetStart..<targetEnd).allSatisfy({ (0x21...0x7E).contains(line[$0]) }) else {
            throw .malformed("the target has a character that belongs percent-encoded")
        }
        // HTTP/0.9 has no version.
        guard targetEnd < line.count else { throw .versionNotSupported }
        version = try HTTPVersion(line.extracting((targetEnd + 1)...))
        method = String(scalars: line.extracting(..<methodEnd))
        target = String(scalars: line.extracting(targetStart..<targetEnd))
    }
}

/// Version, status and reason phrase (RFC 9112 §4).
struct StatusLine: StartLine {
    static let mayFollowEmptyLines = false
    let version: HTTPVersion
    let status: Int
    let reason: String

    static func canBegin(with byte: UInt8) -> Bool { byte == UInt8(ascii: "H") }

    init(_ line: Span<UInt8>) throws(MessageError) {
        let versionEnd = line.firstSpace(from: 0)
        version = try HTTPVersion(line.extracting(..<versionEnd))
        let start = min(versionEnd + 1, line.count)
        let end = line.firstSpace(from: start)
        guard end - start == 3, (start..<end).allSatisfy({ line[$0].isDigit }) else {
            throw Self.noStatus
        }
        status = (start..<end).reduce(0) { $0 * 10 + Int(line[$1] &- UInt8(ascii: "0")) }
        guard status >= 100 else { throw Self.noStatus }
        // Many servers leave out the space before an empty reason phrase.
        let phrase = min(end + 1, line.count)..<line.count
        guard phrase.allSatisfy({ line[$0].isFieldCharacter }) else {
            throw .malformed("a control character in the reason phrase")
        }
        reason = String(scalars: line.extracting(phrase))
    }

    private static let noStatus = MessageError.malformed(
        "a status that is not three digits from 100"
    )
}

extension HTTPVersion {
    /// Reads `HTTP/1.1`.
    ///
    /// A higher minor version counts as 1.1 (RFC 9110 §6.2).
    fileprivate init(_ text: Span<UInt8>) throws(MessageError) {
        guard text.count == 8, zip(text.indices, "HTTP/".utf8).allSatisfy({ text[$0] == $1 }),
            text[5].isDigit, text[6] == UInt8(ascii: "."), text[7].isDigit
        else {
            throw .malformed("a version that is not HTTP/, digit, point and digit")
        }
        guard text[5] == UInt8(ascii: "1") else { throw .versionNotSupported }
        self = text[7] == UInt8(ascii: "0") ? .http10 : .http11
    }
}

extension Span<UInt8> {
    /// Where the first space stands from `start` on; the end if there is none.
    fileprivate func firstSpace(from start: Int) -> Int {
        var index = start
        while index < count, self[index] != 0x20 { index += 1 }
        return index
    }
}
