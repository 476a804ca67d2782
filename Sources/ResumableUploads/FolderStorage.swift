internal import SystemIO

/// Keeps uploads in a folder of the disk; what a client was told to be there survives power failure.
///
/// Its calls wait for the disk.
public actor FolderStorage: UploadStorage {
    private let folder: Folder
    private var files: [String: File] = [:]
    /// Names of files, in the order in which they were opened.
    private var opened: [String] = []

    private static let mostOpenFiles = 64
    private static let recordSuffix = ".record"
    private static let contentSuffix = ".data"
    private static let recordLimit = 1 << 20

    /// Opens a folder that exists and that nothing else writes to.
    public init(_ path: String) throws(UploadFolderError) {
        do throws(SystemError) {
            folder = try Folder(path)
        } catch {
            throw UploadFolderError(description: "cannot open the folder '\(path)': \(error)")
        }
    }

    /// Reads back what an earlier run has left.
    public func uploads() throws -> [StoredUpload] {
        let names = try folder.entries(limit: 1_000_000).map(\.name)
        return try names.filter { $0.hasSuffix(Self.recordSuffix) }.map { name in
            let upload = String(name.dropLast(Self.recordSuffix.count))
            let file = try folder.file(name, for: .reading)
            let size = try? folder.information(upload + Self.contentSuffix).size
            let count = Int(min(try file.size(), UInt64(Self.recordLimit)))
            let record = try file.read(at: 0, count: count)
            return StoredUpload(upload, record: record, contentSize: size ?? 0)
        }
    }

    /// Brings the content and then the record to the disk.
    public func save(_ record: [UInt8], of upload: String) throws {
        try orFull { () throws(SystemError) in
            try files[upload]?.synchronize()
            try folder.replace(upload + Self.recordSuffix, with: record, durably: true)
        }
    }

    /// Writes bytes into a content.
    public func write(_ bytes: [UInt8], to content: String, at offset: UInt64) throws {
        try orFull { () throws(SystemError) in try file(content).write(bytes, at: offset) }
    }

    /// Reads bytes of a content.
    public func read(_ content: String, from offset: UInt64, count: Int) throws -> [UInt8] {
        let bytes = try file(content).read(at: offset, count: count)
        guard bytes.count == count else { throw SystemError.inputOutput }
        return bytes
    }

    /// Removes a content.
    public func removeContent(_ content: String) throws {
        close(content)
        try remove(content + Self.contentSuffix)
    }

    /// Removes a record.
    public func removeRecord(of upload: String) throws { try remove(upload + Self.recordSuffix) }

    private func remove(_ name: String) throws(SystemError) {
        do throws(SystemError) {
            try folder.remove(name)
        } catch {
            guard error == .noSuchFile else { throw error }
        }
    }

    private func file(_ content: String) throws(SystemError) -> File {
        if let file = files[content] { return file }
        // What was written to it is on the disk before anybody speaks of it, also when it is closed.
        if opened.count >= Self.mostOpenFiles, let oldest = opened.first {
            try files[oldest]?.synchronize()
            close(oldest)
        }
        let file = try folder.file(
            content + Self.contentSuffix,
            for: .readingAndWriting,
            creation: .ifMissing,
            permissions: 0o600
        )
        files[content] = file
        opened.append(content)
        return file
    }

    private func close(_ content: String) {
        files[content] = nil
        opened.removeAll { $0 == content }
    }

    private func orFull(_ work: () throws(SystemError) -> Void) throws {
        do throws(SystemError) {
            try work()
        } catch {
            if error.isOutOfSpace { throw UploadStorageError.full }
            throw error
        }
    }
}

/// Why a folder cannot keep uploads, in one line.
public struct UploadFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason.
    public let description: String
}
