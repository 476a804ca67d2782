internal import SystemIO

/// Copies between files piece by piece; for libuv's threads, since it waits for the disk.
enum FileCopy {
    private static let pieceBytes = 1 << 20

    /// Copies the first `count` bytes of a file to a place in another.
    ///
    /// - Throws: what the system says; `inputOutput` if the file is shorter.
    static func copy(
        _ count: UInt64,
        of source: File,
        to target: File,
        at offset: UInt64
    ) throws(SystemError) {
        let buffer = TransferBuffer(capacity: pieceBytes)
        try forEachPiece(of: source, count: count, buffer: buffer) {
            bytes,
            place throws(SystemError) in
            try target.write(buffer, count: bytes, at: offset + place)
        }
    }

    /// Reads the first `count` bytes piece by piece into a buffer.
    static func forEachPiece(
        of file: File,
        count: UInt64,
        buffer: TransferBuffer,
        _ body: (_ bytes: Int, _ place: UInt64) throws(SystemError) -> Void
    ) throws(SystemError) {
        var place: UInt64 = 0
        while place < count {
            let limit = Int(min(UInt64(buffer.capacity), count - place))
            switch file.read(into: buffer, limit: limit, at: place) {
            case .moved(let bytes):
                try body(bytes, place)
                place += UInt64(bytes)
            case .failed(let error): throw error
            case .ended, .wouldBlock: throw .inputOutput
            }
        }
    }
}
