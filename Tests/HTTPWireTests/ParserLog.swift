import HTTPWire

/// What a parser says about bytes that come in pieces, as one line of text.
///
/// Content is joined, so that logs are equal if the messages are.
struct ParserLog: Hashable {
    private(set) var text = ""
    private var isInContent = false

    /// Requests in bytes that come in pieces of these sizes, the last size again and again.
    static func requests(
        _ bytes: [UInt8],
        pieces: [Int] = [.max],
        limits: MessageLimits = MessageLimits()
    ) -> String {
        var parser = RequestParser(limits: limits)
        var log = ParserLog()
        if log.feed(cut(bytes, pieces), to: &parser) {
            do { try parser.finish() } catch { log.add(error) }
        }
        return log.text
    }

    /// Responses to requests with these methods.
    static func responses(
        _ bytes: [UInt8],
        to methods: [String],
        pieces: [Int] = [.max],
        limits: MessageLimits = MessageLimits()
    ) -> String {
        var parser = ResponseParser(limits: limits)
        for method in methods { parser.expect(method: method) }
        var log = ParserLog()
        if log.feed(cut(bytes, pieces), to: &parser) {
            do { if try parser.finish() { log.add("by close") } } catch { log.add(error) }
        }
        return log.text
    }

    static func cut(_ bytes: [UInt8], _ pieces: [Int]) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let size = pieces[min(result.count, pieces.count - 1)]
            let end = start + min(size, bytes.count - start)
            result.append(Array(bytes[start..<end]))
            start = end
        }
        return result
    }

    /// Whether the parser took all pieces; if not, the log says why.
    private mutating func feed(_ pieces: [[UInt8]], to parser: inout some LoggedParser) -> Bool {
        for piece in pieces {
            do { guard try feed(piece, to: &parser) else { return false } } catch {
                add(error)
                return false
            }
        }
        return true
    }

    private mutating func feed(
        _ bytes: [UInt8],
        to parser: inout some LoggedParser
    ) throws(MessageError) -> Bool {
        var start = 0
        while true {
            let step = try parser.next(bytes.span.extracting(start..<bytes.count))
            switch step.event {
            case .head(let head): add(head.logged)
            case .body(let range):
                add(content: bytes[start + range.lowerBound..<start + range.upperBound])
            case .end(let trailers): add("end" + ParserLog.text(trailers))
            case .opaque:
                add("opaque")
                return false
            case nil:
                if start + step.consumed < bytes.count { add("left over") }
                return true
            }
            start += step.consumed
        }
    }

    mutating func add(_ word: String) {
        isInContent = false
        text += text.isEmpty ? word : " " + word
    }

    mutating func add(content: ArraySlice<UInt8>) {
        if !isInContent { text += " =" }
        isInContent = true
        text += String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
    }

    mutating func add(_ error: MessageError) {
        switch error {
        case .malformed(let reason): add("!\(reason)")
        default: add("!\(error)")
        }
    }

    static func text(_ fields: HeaderFields) -> String {
        fields.isEmpty
            ? "" : "(\(fields.fields.map { "\($0.name):\($0.value)" }.joined(separator: "|")))"
    }
}

protocol LoggedParser {
    associatedtype Head: LoggedHead
    mutating func next(_ bytes: Span<UInt8>) throws(MessageError) -> MessageStep<Head>
}

extension RequestParser: LoggedParser {}
extension ResponseParser: LoggedParser {}

protocol LoggedHead: Hashable, Sendable {
    var logged: String { get }
}

extension RequestHead: LoggedHead {
    var logged: String { "\(method) \(target) \(version)\(ParserLog.text(fields))" }
}

extension ResponseHead: LoggedHead {
    var logged: String { "\(status) \(version)\(ParserLog.text(fields))" }
}

extension String {
    /// Each scalar as a byte.
    var wireBytes: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
