/// The part of an HTTP/1.1 request that the origin looks at.
package struct RequestHead: Hashable, Sendable {
    package var method = ""
    package var path = ""
    /// Without the question mark; nil if there is none.
    package var query: String?
    /// Whether the connection may be used again (RFC 9112 §9.3).
    package var keepsConnection = true
    package var range: String?
    package var ifRange: String?
    package var ifNoneMatch: String?
    /// A request with a body is refused: no resource of the origin takes one.
    package var hasBody = false

    package init() {}
}

/// Why bytes are not a request; the number is the answer's status code.
package enum RequestError: Int, Error, Hashable, Sendable {
    case malformed = 400
    case headTooLarge = 431
    case versionNotSupported = 505
}

/// Collects bytes until they hold a whole request head.
package struct RequestReader: Hashable, Sendable {
    /// The most bytes of request line and fields together.
    package static let headLimit = 16_384

    private var bytes: [UInt8] = []

    package init() {}

    /// Whether a request has begun that is not complete.
    package var isInsideRequest: Bool { !bytes.isEmpty }

    package mutating func append(_ chunk: some Sequence<UInt8>) {
        bytes.append(contentsOf: chunk)
    }

    /// The next request head, if all of it is there; what follows it is kept.
    package mutating func next() throws(RequestError) -> RequestHead? {
        // RFC 9112 §2.2: empty lines before a request are ignored.
        let start = bytes.firstIndex { $0 != 0x0D && $0 != 0x0A } ?? bytes.count
        bytes.removeFirst(start)
        guard let end = endOfHead() else {
            if bytes.count > Self.headLimit { throw .headTooLarge }
            return nil
        }
        guard end.head <= Self.headLimit else { throw .headTooLarge }
        let lines = bytes[..<end.head].split(separator: 0x0A).map { line in
            line.last == 0x0D ? line.dropLast() : line
        }
        bytes.removeFirst(end.rest)
        return try Self.parse(lines)
    }

    /// Where the head ends, and where what follows the empty line begins.
    private func endOfHead() -> (head: Int, rest: Int)? {
        var index = 0
        while let feed = bytes[index...].firstIndex(of: 0x0A) {
            let next = feed + 1
            if next < bytes.count, bytes[next] == 0x0A { return (feed, next + 1) }
            if next + 1 < bytes.count, bytes[next] == 0x0D, bytes[next + 1] == 0x0A {
                return (feed, next + 2)
            }
            index = next
        }
        return nil
    }

    private static func parse(_ lines: [ArraySlice<UInt8>]) throws(RequestError) -> RequestHead {
        guard let first = lines.first else { throw .malformed }
        let words = first.split(separator: 0x20, omittingEmptySubsequences: false).map(text)
        guard words.count == 3, !words[0].isEmpty else { throw .malformed }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            throw words[2].hasPrefix("HTTP/") ? .versionNotSupported : .malformed
        }
        var head = RequestHead()
        head.method = words[0]
        head.keepsConnection = words[2] == "HTTP/1.1"
        try setTarget(words[1], of: &head)
        for line in lines.dropFirst() { try setField(line, of: &head) }
        return head
    }

    /// Takes the origin form or the absolute form of a target (RFC 9112 §3.2).
    private static func setTarget(
        _ target: String,
        of head: inout RequestHead
    ) throws(RequestError) {
        var rest = target[...]
        if rest.lowercased().hasPrefix("http://") {
            rest = rest.dropFirst(7).drop { $0 != "/" && $0 != "?" }
            if !rest.hasPrefix("/") { rest = "/" + rest }
        }
        guard rest.hasPrefix("/") else { throw .malformed }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        head.path = String(parts[0])
        head.query = parts.count > 1 ? String(parts[1]) : nil
    }

    private static func setField(
        _ line: ArraySlice<UInt8>,
        of head: inout RequestHead
    ) throws(RequestError) {
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
            line.first != 0x20, line.first != 0x09
        else { throw .malformed }
        let value = trimmed(text(line[(colon + 1)...]))
        switch text(line[..<colon]).lowercased() {
        case "connection":
            let options = value.lowercased().split(separator: ",").map { trimmed(String($0)) }
            if options.contains("close") { head.keepsConnection = false }
            if options.contains("keep-alive") { head.keepsConnection = true }
        case "range": head.range = value
        case "if-range": head.ifRange = value
        case "if-none-match": head.ifNoneMatch = value
        case "content-length": head.hasBody = head.hasBody || value != "0"
        case "transfer-encoding": head.hasBody = true
        default: break
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        var slice = text[...]
        while let first = slice.first, isSpace(first) { slice.removeFirst() }
        while let last = slice.last, isSpace(last) { slice.removeLast() }
        return String(slice)
    }
}
