internal import ResumableServer
internal import SystemIO

/// Digests of files, computed on libuv's threads.
enum FileDigests {
    private static let pieceBytes = 1 << 20

    /// Computes digests of the first `count` bytes, in the order of `algorithms`.
    static func compute(
        _ algorithms: [DigestAlgorithm],
        of file: File,
        count: UInt64,
        on loop: EventLoop,
        done: @escaping (Result<[ExpectedDigest], SystemError>) -> Void
    ) {
        BackgroundWork.run(on: loop) { () -> Result<[ExpectedDigest], SystemError> in
            Result { () throws(SystemError) in try digests(algorithms, of: file, count: count) }
        } done: {
            done($0)
        }
    }

    private static func digests(
        _ algorithms: [DigestAlgorithm],
        of file: File,
        count: UInt64
    ) throws(SystemError) -> [ExpectedDigest] {
        let digests = algorithms.map { Digest(Self.algorithm($0)) }
        let buffer = TransferBuffer(capacity: pieceBytes)
        try FileCopy.forEachPiece(of: file, count: count, buffer: buffer) { bytes, _ in
            for digest in digests { digest.update(buffer, count: bytes) }
        }
        return zip(algorithms, digests).map { ExpectedDigest($0, $1.value) }
    }

    private static func algorithm(_ algorithm: DigestAlgorithm) -> Digest.Algorithm {
        switch algorithm {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}
