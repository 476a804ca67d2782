internal import Basics
package import ResumableClient
package import SystemIO

/// The file that an upload sends.
package final class UploadSource {
    package let path: String
    /// What it was when it was opened.
    package private(set) var identity: SourceIdentity
    private let file: File

    package init(_ path: String) throws(StorageError) {
        self.path = path
        do throws(SystemError) {
            file = try File(path, for: .reading)
            let information = try file.information()
            identity = SourceIdentity(
                size: information.size,
                modified: information.modificationNanoseconds
            )
        } catch {
            throw StorageError("cannot read '\(path)': \(error)", .cannotRead)
        }
    }

    /// Copies standard input to a file of its own in `folder`, which goes away with the process.
    package init(spoolingStandardInputTo folder: String) throws(StorageError) {
        path = "standard input"
        do throws(SystemError) {
            let folder = try Folder(folder)
            let name = ".linkcond-" + HexadecimalText.encode(SecureRandom.bytes(12))
            file = try folder.file(
                name,
                for: .readingAndWriting,
                creation: .mustNotExist,
                permissions: 0o600
            )
            try folder.remove(name)
            let size = try StandardInput.copy(to: file)
            identity = SourceIdentity(size: size)
        } catch {
            throw StorageError("cannot keep standard input in '\(folder)': \(error)")
        }
    }

    /// Remembers the digest of the content, so that a file that was written again with the same
    /// bytes is known again.
    package func remember(digest: [UInt8]) {
        identity.digestPrefix = String(HexadecimalText.encode(digest).prefix(32))
    }

    /// Why the bytes may no longer be those that were announced; nil if they are.
    func change() -> StorageError? {
        guard let information = try? file.information() else {
            return StorageError("cannot read '\(path)' any more", .cannotRead)
        }
        let isUntouched =
            identity.modified.map { $0 == information.modificationNanoseconds } ?? true
        if information.size == identity.size, isUntouched {
            return nil
        }
        return StorageError("'\(path)' was changed while it was being sent", .cannotRead)
    }

    package func read(into buffer: TransferBuffer, from start: Int, limit: Int, at offset: UInt64)
        -> SystemIO.TransferResult
    {
        file.read(into: buffer, from: start, limit: limit, at: offset)
    }
}
