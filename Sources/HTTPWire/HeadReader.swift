/// Reads heads: a start line, fields and the empty line behind them.
struct HeadReader<Start: StartLine>: Sendable {
    private let limits: MessageLimits
    private var lines = LineBuffer()
    /// Bytes of empty lines before the start line of the head that is being read.
    private(set) var skipped = 0
    private var current: (start: Start, block: FieldBlock)?

    init(limits: MessageLimits) { self.limits = limits }

    /// Whether no byte of a head has been read; empty lines before it do not count.
    var isIdle: Bool {
        current == nil && (lines.isEmpty || lines.line == [UInt8(ascii: "\r")])
    }

    /// Why parsers may disagree about how the last complete head frames its content.
    private(set) var framingDoubt: String?

    /// The start line, or what there is of it.
    var startLine: [UInt8] { lines.line }

    /// Reads on from `index` and moves it; nil if all bytes were used and more are needed.
    ///
    /// - Returns: also how many bytes the empty lines before the start line had.
    mutating func read(
        _ bytes: Span<UInt8>,
        from index: inout Int
    ) throws(MessageError) -> (Start, HeaderFields, skipped: Int)? {
        if current == nil { try readStart(bytes, from: &index) }
        guard try current?.block.read(bytes, from: &index) == true, let complete = current.take()
        else { return nil }
        defer { skipped = 0 }
        framingDoubt = complete.block.framingDoubt
        return (complete.start, complete.block.fields, skipped)
    }

    private mutating func readStart(
        _ bytes: Span<UInt8>,
        from index: inout Int
    ) throws(MessageError) {
        while index < bytes.count {
            try checkFirst(bytes[index])
            if readWholeStart(bytes, from: &index) { return }
            guard
                try lines.read(
                    bytes,
                    from: &index,
                    limit: limits.startLine,
                    excess: .startLineTooLong
                )
            else {
                return
            }
            let size = skipped + lines.line.count + 2
            guard size <= limits.head else { throw .headTooLarge }
            if !lines.line.isEmpty {
                let line = lines.line
                current = (try Start(line.span), FieldBlock(size: size, limits: limits))
                return
            }
            skipped = size
        }
    }

    /// Reads a start line that has come whole; false for anything else, which stays to be read.
    private mutating func readWholeStart(_ bytes: Span<UInt8>, from index: inout Int) -> Bool {
        guard let line = lines.wholeLine(in: bytes, from: index, limit: limits.startLine),
            skipped + line.count + 2 <= limits.head,
            let start = try? Start(bytes.extracting(line))
        else { return false }
        current = (start, FieldBlock(size: skipped + line.count + 2, limits: limits))
        index = line.upperBound + 2
        return true
    }

    /// Refuses at its first byte what can be no message, such as a TLS handshake.
    private func checkFirst(_ byte: UInt8) throws(MessageError) {
        let isEmptyLine = byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
        guard
            !lines.isEmpty || Start.canBegin(with: byte)
                || (Start.mayFollowEmptyLines && isEmptyLine)
        else {
            throw .malformed("the first byte of a message is none of HTTP/1.1")
        }
    }
}
