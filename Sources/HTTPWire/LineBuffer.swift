/// Collects one line, which may be split over several calls.
struct LineBuffer {
    /// The bytes so far; of a complete line all but its CR LF.
    private(set) var line: [UInt8] = []
    private var isComplete = false

    /// Whether nothing has been read since the last complete line.
    var isEmpty: Bool { line.isEmpty || isComplete }

    /// Where the next line stands, without its CR LF, if all of it is in `bytes` from `index` on.
    ///
    /// Most lines come whole and need not be kept. The caller continues after the CR LF. Any other line, a
    /// wrong one among them, is for `read`.
    func wholeLine(in bytes: Span<UInt8>, from index: Int, limit: Int) -> Range<Int>? {
        guard isEmpty else { return nil }
        var end = index
        while end < bytes.count, bytes[end] != UInt8(ascii: "\r"), bytes[end] != UInt8(ascii: "\n")
        {
            end += 1
        }
        guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\r"),
            bytes[end + 1] == UInt8(ascii: "\n"), end - index <= limit
        else { return nil }
        return index..<end
    }

    /// Reads on from `index` and moves it; says whether the line is complete.
    ///
    /// - Parameters:
    ///   - bytes: what was given.
    ///   - index: where to begin in it.
    ///   - limit: bytes that the line may have without its CR LF.
    ///   - excess: what to throw for a longer line.
    /// - Returns: false if all bytes were used and more are needed.
    /// - Throws: also for LF alone and for CR alone, which some parsers take for the end of a line and
    ///   others do not (RFC 9112 §2.2, §11.2).
    mutating func read(
        _ bytes: Span<UInt8>,
        from index: inout Int,
        limit: Int,
        excess: MessageError
    ) throws(MessageError) -> Bool {
        if isComplete {
            line.removeAll(keepingCapacity: true)
            isComplete = false
        }
        guard limit >= 0 else { throw excess }
        var last = line.last
        line.reserveCapacity(min(bytes.count - index, 80))
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\n") {
                try end(limit: limit, excess: excess)
                return true
            }
            guard last != UInt8(ascii: "\r") else { throw .malformed("a CR without LF") }
            line.append(byte)
            last = byte
            // One byte more than the limit may be the CR.
            guard line.count <= limit + 1 else { throw excess }
        }
        return false
    }

    private mutating func end(limit: Int, excess: MessageError) throws(MessageError) {
        isComplete = true
        let hasReturn = line.last == UInt8(ascii: "\r")
        if hasReturn { line.removeLast() }
        guard line.count <= limit else { throw excess }
        guard hasReturn else { throw .malformed("a line ends in LF without CR") }
    }
}
