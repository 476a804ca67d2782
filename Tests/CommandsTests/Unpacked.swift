import SystemIO

/// What compressed bytes contain, up to where they end.
struct Unpacked {
    private(set) var bytes: [UInt8] = []
    private(set) var unfinishedBytes: UInt64 = 0

    var lines: Int { bytes.count { $0 == UInt8(ascii: "\n") } }

    init(_ compressed: [UInt8], pieceSize: Int = .max) throws {
        var input = CompressibleInput()
        for start in stride(from: 0, to: compressed.count, by: min(pieceSize, 1 << 20)) {
            let end = min(compressed.count, start + min(pieceSize, 1 << 20))
            _ = try input.take(compressed[start..<end]) {
                bytes += $0
                return true
            }
        }
        input.finish {
            bytes += $0
            return true
        }
        unfinishedBytes = input.unfinishedBytes
    }
}
