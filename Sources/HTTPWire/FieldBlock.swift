/// Reads field lines up to the empty line behind them: those of a head or of trailers.
struct FieldBlock {
    private(set) var fields = HeaderFields()
    /// Why parsers may disagree about how the content is framed; nil if they do not.
    private(set) var framingDoubt: String?
    /// Bytes read so far, line ends included.
    private var size: Int
    private var lines = LineBuffer()
    private let limits: MessageLimits

    /// Begins with `size` bytes of a start line already counted.
    init(size: Int, limits: MessageLimits) {
        self.size = size
        self.limits = limits
    }

    /// Reads on from `index` and moves it; says whether the empty line was reached.
    mutating func read(
        _ bytes: Span<UInt8>,
        from index: inout Int
    ) throws(MessageError) -> Bool {
        while true {
            let limit = limits.head - size - 2
            if let whole = lines.wholeLine(in: bytes, from: index, limit: limit) {
                index = whole.upperBound + 2
                if whole.isEmpty { return true }
                try add(bytes.extracting(whole))
                continue
            }
            guard try lines.read(bytes, from: &index, limit: limit, excess: .headTooLarge) else {
                return false
            }
            if lines.line.isEmpty { return true }
            let line = lines.line
            try add(line.span)
        }
    }

    private mutating func add(_ line: Span<UInt8>) throws(MessageError) {
        size += line.count + 2
        let field = try Self.field(line)
        framingDoubt = framingDoubt ?? Self.doubt(field, line)
        guard fields.fields.count < limits.fields else { throw .headTooLarge }
        fields.add(field.name, field.value)
    }

    /// What some parsers make of a field that frames the content, or of one with such a name.
    ///
    /// A tab behind the value is white space, but llhttp and http_parser take it for a part of the value;
    /// http_parser notes a transfer coding before it has read the whole name.
    private static func doubt(_ field: HeaderFields.Field, _ line: Span<UInt8>) -> String? {
        // Most names are shorter than either; looking at them costs more than counting their bytes.
        let length = field.name.utf8.count
        guard length == "content-length".utf8.count || length >= "transfer-encoding".utf8.count
        else { return nil }
        let name = field.name.asciiLowercased
        guard name == "content-length" || name.hasPrefix("transfer-encoding") else { return nil }
        if name.utf8.count > "transfer-encoding".utf8.count {
            return "a field whose name begins with Transfer-Encoding"
        }
        let end = line.trimmingBlanks(line.indices).upperBound
        return (end..<line.count).contains { line[$0] == 0x09 }
            ? "a tab behind a value that frames the content" : nil
    }

    /// A name, a colon directly behind it, and a value with white space around it (RFC 9112 §5).
    private static func field(_ line: Span<UInt8>) throws(MessageError) -> HeaderFields.Field {
        guard !line.isEmpty, !line[0].isBlank else {
            throw .malformed("a header line begins with white space")
        }
        var colon = 0
        while colon < line.count, line[colon].isTokenCharacter { colon += 1 }
        guard colon > 0 else { throw .malformed("a header line without a name") }
        guard colon < line.count, line[colon] == UInt8(ascii: ":") else {
            throw .malformed("a header name that is not followed by a colon")
        }
        let value = line.trimmingBlanks(colon + 1..<line.count)
        guard value.allSatisfy({ line[$0].isFieldCharacter }) else {
            throw .malformed("a control character in a header value")
        }
        return HeaderFields.Field(
            String(scalars: line.extracting(..<colon)),
            String(scalars: line.extracting(value))
        )
    }
}

extension Span<UInt8> {
    /// The range without spaces and tabs at both ends.
    func trimmingBlanks(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}
