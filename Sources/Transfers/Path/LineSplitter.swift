/// Cuts a stream of bytes into lines, none longer than a limit.
struct LineSplitter {
    private let limit: Int
    private var partial: [UInt8] = []
    private var isSkipping = false

    init(limit: Int) { self.limit = limit }

    /// Adds bytes and answers the lines that they complete, without their ends; a longer line is
    /// left out.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isSkipping { lines.append(partial) }
                partial.removeAll(keepingCapacity: true)
                isSkipping = false
            } else if partial.count < limit {
                partial.append(byte)
            } else {
                isSkipping = true
            }
        }
        return lines
    }
}
