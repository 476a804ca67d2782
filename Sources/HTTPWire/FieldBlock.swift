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
        while try lines.read(
            bytes,
            from: &index,
            limit: limits.head - size - 2,
            excess: .headTooLarge
        ) {
            if lines.line.isEmpty { return true }
            size += lines.line.count + 2
            let field = try Self.field(lines.line)
            framingDoubt = framingDoubt ?? Self.doubt(field, lines.line)
            guard fields.fields.count < limits.fields else { throw .headTooLarge }
            fields.add(field.name, field.value)
        }
        return false
    }

    /// What some parsers make of a field that frames the content, or of one with such a name.
    ///
    /// A tab behind the value is white space, but llhttp and http_parser take it for a part of the value;
    /// http_parser notes a transfer coding before it has read the whole name.
    private static func doubt(_ field: HeaderFields.Field, _ line: [UInt8]) -> String? {
        // Most names are shorter than either; looking at them costs more than counting their bytes.
        let length = field.name.utf8.count
        guard length == "content-length".utf8.count || length >= "transfer-encoding".utf8.count
        else { return nil }
        let name = field.name.asciiLowercased
        guard name == "content-length" || name.hasPrefix("transfer-encoding") else { return nil }
        if name.utf8.count > "transfer-encoding".utf8.count {
            return "a field whose name begins with Transfer-Encoding"
        }
        return line.reversed().prefix(while: \.isBlank).contains(0x09)
            ? "a tab behind a value that frames the content" : nil
    }

    /// A name, a colon directly behind it, and a value with white space around it (RFC 9112 §5).
    private static func field(_ line: [UInt8]) throws(MessageError) -> HeaderFields.Field {
        guard let first = line.first, !first.isBlank else {
            throw .malformed("a header line begins with white space")
        }
        let name = line.prefix(while: \.isTokenCharacter)
        guard !name.isEmpty else { throw .malformed("a header line without a name") }
        guard name.count < line.count, line[name.count] == UInt8(ascii: ":") else {
            throw .malformed("a header name that is not followed by a colon")
        }
        let value = line.dropFirst(name.count + 1).trimmingBlanks
        guard value.allSatisfy(\.isFieldCharacter) else {
            throw .malformed("a control character in a header value")
        }
        return HeaderFields.Field(String(scalars: name), String(scalars: value))
    }
}

extension ArraySlice<UInt8> {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmingBlanks: Self {
        var rest = drop(while: \.isBlank)
        while rest.last?.isBlank == true { rest.removeLast() }
        return rest
    }
}
