internal import Basics
package import ResumableClient
package import SystemIO

/// What an upload sends: a file, perhaps within a form, or bytes in memory.
package final class UploadSource {
    package let path: String
    /// What it was when it was opened; the size is that of all that is sent.
    package private(set) var identity: SourceIdentity
    private let file: File?
    private var fileSize: UInt64 = 0
    /// What stands before and after the file.
    private var head: [UInt8] = []
    private var tail: [UInt8] = []
    /// The value of `Content-Type` that a form has.
    package private(set) var contentType: String?

    package init(_ path: String) throws(StorageError) {
        self.path = path
        do throws(SystemError) {
            let file = try File(path, for: .reading)
            let information = try file.information()
            self.file = file
            fileSize = information.size
            identity = SourceIdentity(
                size: information.size,
                modified: information.modified
            )
        } catch {
            throw StorageError("cannot read '\(path)': \(error)", .cannotRead)
        }
    }

    /// Copies standard input to a file of its own in `folder`, which goes away with the process.
    package init(spoolingStandardInputTo folder: String) throws(StorageError) {
        path = "standard input"
        do throws(SystemError) {
            let file = try Folder(folder).unnamedFile()
            let size = try StandardInput.copy(to: file)
            self.file = file
            fileSize = size
            identity = SourceIdentity(size: size)
        } catch {
            throw StorageError("cannot keep standard input in '\(folder)': \(error)")
        }
    }

    /// Bytes in memory, known again by their digest.
    package init(bytes: [UInt8]) {
        path = "data"
        file = nil
        head = bytes
        identity = SourceIdentity(size: UInt64(bytes.count))
        remember(digest: SHA256.digest(bytes))
    }

    /// Puts the content into a form.
    package func wrap(in form: FormChoice) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let content = FormContent(form, fileNamed: name, source: identity)
        // Of bytes in memory, the head is all there is.
        head = content.head + head
        tail = content.tail
        contentType = content.contentType
        identity.size += UInt64(content.head.count + tail.count)
    }

    /// Remembers the digest of the content, so that a file that was written again with the same
    /// bytes is known again.
    package func remember(digest: [UInt8]) {
        identity.digestPrefix = String(HexadecimalText.encode(digest).prefix(32))
    }

    /// Why the bytes may no longer be those that were announced; nil if they are.
    func change() -> StorageError? {
        guard let file else { return nil }
        guard let information = try? file.information() else {
            return StorageError("cannot read '\(path)' any more", .cannotRead)
        }
        let isUntouched =
            identity.modified.map { $0 == information.modified } ?? true
        if information.size == fileSize, isUntouched {
            return nil
        }
        return StorageError("'\(path)' was changed while it was being sent", .cannotRead)
    }

    package func read(into buffer: TransferBuffer, from start: Int, limit: Int, at offset: UInt64)
        -> SystemIO.TransferResult
    {
        let begin = UInt64(head.count)
        if offset < begin { return store(head, from: Int(offset), into: buffer, start, limit) }
        let place = offset - begin
        guard place < fileSize, let file else {
            return store(tail, from: Int(place - fileSize), into: buffer, start, limit)
        }
        let count = Int(min(UInt64(limit), fileSize - place))
        return file.read(into: buffer, from: start, limit: count, at: place)
    }

    private func store(
        _ bytes: [UInt8],
        from first: Int,
        into buffer: TransferBuffer,
        _ start: Int,
        _ limit: Int
    ) -> SystemIO.TransferResult {
        let piece = bytes[min(first, bytes.count)...].prefix(limit)
        guard !piece.isEmpty else { return .ended }
        buffer.store(Array(piece), at: start)
        return .moved(piece.count)
    }
}
