/// Knows whether all requests on a connection were answered, and nothing else of the answers.
///
/// Most answers say how long they are and need no parser: one pass over their head is enough.
package struct AnswerCount: Sendable {
    private var parser = ResponseParser()
    /// Bytes of an answer's content that are still to come, if no parser reads it.
    private var left = 0
    /// Whether what comes are no answers, so that nothing more is known.
    private var isOpaque = false

    package init() {}

    /// Says that a request was sent.
    package mutating func expect(method: String) { parser.expect(method: method) }

    /// Whether each request has its whole answer.
    package var isComplete: Bool {
        parser.expectedCount == 0 && parser.isBetweenMessages && left == 0 && !isOpaque
    }

    /// Takes the server's next bytes.
    package mutating func read(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count, !isOpaque {
            if left > 0 {
                let count = min(left, bytes.count - index)
                left -= count
                index += count
            } else if let answer = PlainAnswer(in: bytes, from: index, to: parser) {
                parser.skipResponse()
                left = answer.length
                index = answer.end
            } else {
                readOn(bytes, &index)
            }
        }
    }

    /// Reads up to the end of one message, or of the bytes.
    private mutating func readOn(_ bytes: Span<UInt8>, _ index: inout Int) {
        while true {
            guard let step = try? parser.next(bytes.extracting(index...)) else {
                isOpaque = true
                return
            }
            index += step.consumed
            switch step.event {
            case .opaque?:
                isOpaque = true
                return
            case .end?, nil: return
            case .head?, .body?: continue
            }
        }
    }
}

/// The head of a final response with content of a stated length.
private struct PlainAnswer {
    let length: Int
    /// Where its content begins in the given bytes.
    let end: Int

    /// Reads a head; nil for any other one, a wrong one included, and for one that has not come whole.
    init?(in bytes: Span<UInt8>, from start: Int, to parser: ResponseParser) {
        guard parser.isBetweenMessages, let method = parser.nextMethod, method != "HEAD",
            method != "CONNECT"
        else { return nil }
        let limits = MessageLimits()
        var scan = HeadScan(index: start)
        guard scan.skip("HTTP/1.1 ".utf8, bytes), Self.skipStatus(&scan, bytes),
            scan.skipValue(bytes) != nil, scan.index - start <= limits.startLine,
            let length = Self.skipFields(&scan, bytes, limit: limits.fields),
            scan.index - start <= limits.head
        else { return nil }
        self.length = length
        end = scan.index
    }

    /// Three digits and a space, unless they say that there is no content, or another head.
    private static func skipStatus(_ scan: inout HeadScan, _ bytes: Span<UInt8>) -> Bool {
        guard bytes.count - scan.index > 3 else { return false }
        var status = 0
        for _ in 0..<3 {
            guard bytes[scan.index].isDigit else { return false }
            status = status * 10 + Int(bytes[scan.index] &- UInt8(ascii: "0"))
            scan.index += 1
        }
        return status >= 200 && status != 204 && status != 304 && scan.skip(" ".utf8, bytes)
    }

    /// All fields and the empty line; the length that they say.
    private static func skipFields(
        _ scan: inout HeadScan,
        _ bytes: Span<UInt8>,
        limit: Int
    ) -> Int? {
        var length: Int?
        for _ in 0...limit {
            if scan.skipLineEnd(bytes) { return length }
            guard let name = scan.skipName(bytes), let value = scan.skipValue(bytes) else {
                return nil
            }
            let text = bytes.extracting(name)
            if text.spells("transfer-encoding") { return nil }
            guard text.spells("content-length") else { continue }
            guard length == nil, let number = number(bytes.extracting(value)) else { return nil }
            length = number
        }
        return nil
    }

    /// Up to fifteen digits.
    private static func number(_ digits: Span<UInt8>) -> Int? {
        guard (1...15).contains(digits.count), digits.indices.allSatisfy({ digits[$0].isDigit })
        else { return nil }
        return digits.indices.reduce(0) { $0 * 10 + Int(digits[$1] &- UInt8(ascii: "0")) }
    }
}
