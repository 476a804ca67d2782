internal import ResumableClient
internal import SystemIO

/// A download's way to standard output: bytes that were written cannot be taken back.
final class StandardOutputTarget {
    private let file: OutputFile
    /// Bytes that were written.
    private(set) var count: UInt64 = 0
    private let digests: [DigestCheck.Algorithm: Digest]

    init(_ file: OutputFile) {
        self.file = file
        digests = [.sha256: Digest(.sha256), .sha512: Digest(.sha512)]
    }

    /// Writes the bytes that belong at `offset`, waiting for the reader.
    func write(_ buffer: TransferBuffer, _ range: Range<Int>, at offset: UInt64)
        throws(StorageError)
    {
        guard offset == count else {
            throw StorageError(
                "\(count) bytes are written already and cannot be taken back",
                .cannotRestart
            )
        }
        do throws(SystemError) {
            try file.writeAll(buffer.bytes(range))
        } catch {
            throw StorageError("cannot write to standard output: \(error)")
        }
        for algorithm in [DigestCheck.Algorithm.sha256, .sha512] {
            digests[algorithm]?.update(buffer, from: range.lowerBound, count: range.count)
        }
        count += UInt64(range.count)
    }

    func truncate(to size: UInt64) throws(StorageError) {
        guard size == count else {
            throw StorageError(
                "the transfer begins again, but \(count) bytes are written to standard output"
                    + " already; use -o FILE",
                .cannotRestart
            )
        }
    }

    /// Whether these digests are right; those of a part cannot be computed any more and count as
    /// right, since the parts are held together by their validator.
    func isRight(_ checks: [DigestCheck]) -> Bool {
        checks.allSatisfy { check in
            check.range != 0..<count || digests[check.algorithm]?.value == check.expected
        }
    }
}
