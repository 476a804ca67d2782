internal import ResumableServer
internal import SystemIO

/// Uploads as files of one folder: `ID.data`, `ID.record` and, while something is checked, `ID.staged`.
///
/// Bytes are written at their place and, with `CommitMode.fsync`, on the disk before a record says that
/// they came; all that may wait for the disk happens on libuv's threads.
final class DiskUploadStore: UploadStore {
    let loop: EventLoop
    let commit: CommitMode
    /// Of unfinished uploads.
    let folder: Folder
    /// Where finished uploads become objects.
    let objects: Folder
    /// Names of records that could not be read; they are left alone.
    var damaged: [String] = []
    /// Records as they are in the store.
    var records: [String: KnownRecord] = [:]
    private var files: [String: OpenFiles] = [:]

    struct KnownRecord {
        var record: UploadRecord
        /// Number of the offset that was written last.
        var sequence: UInt64
    }

    /// Files of an upload that somebody works on.
    private struct OpenFiles {
        var record: File?
        var content: File?
        var staged: File?

        var isEmpty: Bool { record == nil && content == nil && staged == nil }
    }

    init(folder: Folder, objects: Folder, commit: CommitMode, loop: EventLoop) {
        self.folder = folder
        self.objects = objects
        self.commit = commit
        self.loop = loop
    }

    static func contentName(_ identifier: String) -> String { "\(identifier).data" }
    static func recordName(_ identifier: String) -> String { "\(identifier).record" }
    static func stagedName(_ identifier: String) -> String { "\(identifier).staged" }

    var isDurable: Bool { commit == .fsync }

    // MARK: Records

    func persist(_ record: UploadRecord, done: @escaping (SystemError?) -> Void) {
        guard let known = records[record.identifier] else {
            return replaceRecord(record, offsetBefore: 0, done: done)
        }
        guard known.record != record else { return done(nil) }
        guard known.record.differsInOffsetAlone(from: record) else {
            return replaceRecord(record, offsetBefore: known.record.offset, done: done)
        }
        writeOffset(of: record, after: known.sequence, done: done)
    }

    private func replaceRecord(
        _ record: UploadRecord,
        offsetBefore: UInt64,
        done: @escaping (SystemError?) -> Void
    ) {
        let identifier = record.identifier
        do throws(SystemError) {
            // The file exists before a record speaks of it; one sync of the folder covers both.
            if record.state == .active { _ = try content(of: identifier) }
        } catch {
            return done(error)
        }
        let bytes = UploadRecordFile.bytes(of: record)
        close(\.record, of: identifier)
        let (folder, isDurable) = (folder, isDurable)
        let isAhead = isDurable && record.offset != offsetBefore
        // What was written since is in an open file, or it is gone with the upload.
        let content = isAhead ? files[identifier]?.content : nil
        inBackground { () throws(SystemError) in
            try content?.synchronize()
            try folder.replace(Self.recordName(identifier), with: bytes, durably: isDurable)
        } done: { [weak self] error in
            if error == nil { self?.note(record, sequence: 0) }
            done(error)
        }
    }

    private func note(_ record: UploadRecord, sequence: UInt64) {
        records[record.identifier] = KnownRecord(record: record, sequence: sequence)
        // The bytes of a finished upload are under their final name, and need no second one.
        guard case .complete = record.state, record.origin.concatenation != .partial else { return }
        removeContent(record.identifier)
    }

    private func writeOffset(
        of record: UploadRecord,
        after last: UInt64,
        done: @escaping (SystemError?) -> Void
    ) {
        do throws(SystemError) {
            let file = try recordFile(of: record.identifier)
            let sequence = last + 1
            let place = UploadRecordFile.place(offset: record.offset, sequence: sequence)
            let position = UploadRecordFile.position(ofSequence: sequence)
            guard isDurable else {
                try file.write(place, at: position)
                note(record, sequence: sequence)
                return done(nil)
            }
            let content = try content(of: record.identifier)
            inBackground { () throws(SystemError) in
                try content.synchronize()
                try file.write(place, at: position)
                try file.synchronize()
            } done: { [weak self] error in
                if error == nil { self?.note(record, sequence: sequence) }
                done(error)
            }
        } catch {
            done(error)
        }
    }

    // MARK: Bytes

    func write(
        _ bytes: BodyBytes,
        count: Int,
        to place: UploadPlaceInStore,
        at offset: UInt64,
        done: @escaping (_ written: Int, _ error: SystemError?) -> Void
    ) {
        do throws(SystemError) {
            let file = try file(of: place)
            let first = bytes.prefix(count)
            let pieces = first.pieces.map { (buffer: $0.memory.buffer, range: $0.range) }
            file.write(pieces, at: offset, on: loop) { written, error in
                withExtendedLifetime(first) { done(written, error) }
            }
        } catch {
            done(0, error)
        }
    }

    func synchronize(_ place: UploadPlaceInStore, done: @escaping (SystemError?) -> Void) {
        guard isDurable else { return done(nil) }
        do throws(SystemError) {
            try file(of: place).synchronize(on: loop) { done(Self.error($0)) }
        } catch {
            done(error)
        }
    }

    func moveStaged(
        _ identifier: String,
        count: UInt64,
        to offset: UInt64,
        done: @escaping (SystemError?) -> Void
    ) {
        do throws(SystemError) {
            let staged = try file(of: UploadPlaceInStore(identifier, .staged))
            let content = try content(of: identifier)
            let isDurable = isDurable
            inBackground { () throws(SystemError) in
                try FileCopy.copy(count, of: staged, to: content, at: offset)
                if isDurable { try content.synchronize() }
            } done: {
                done($0)
            }
        } catch {
            done(error)
        }
    }

    func discardStaged(_ identifier: String) {
        close(\.staged, of: identifier)
        try? folder.remove(Self.stagedName(identifier))
    }

    func digests(
        _ algorithms: [DigestAlgorithm],
        of place: UploadPlaceInStore,
        count: UInt64,
        done: @escaping (Result<[ExpectedDigest], SystemError>) -> Void
    ) {
        do throws(SystemError) {
            let file = try file(of: place)
            FileDigests.compute(algorithms, of: file, count: count, on: loop, done: done)
        } catch {
            done(.failure(error))
        }
    }

    func join(
        _ parts: [UploadRecord],
        into identifier: String,
        done: @escaping (SystemError?) -> Void
    ) {
        do throws(SystemError) {
            let target = try content(of: identifier)
            let sources = try parts.map { part throws(SystemError) in
                (file: try file(of: UploadPlaceInStore(part.identifier)), count: part.offset)
            }
            let isDurable = isDurable
            inBackground { () throws(SystemError) in
                var offset: UInt64 = 0
                for source in sources {
                    try FileCopy.copy(source.count, of: source.file, to: target, at: offset)
                    offset += source.count
                }
                if isDurable { try target.synchronize() }
            } done: {
                done($0)
            }
        } catch {
            done(error)
        }
    }

    // MARK: End

    func publish(
        _ identifier: String,
        as name: String,
        done: @escaping (Result<String, SystemError>) -> Void
    ) {
        let (wanted, folder, objects) = (ObjectName(trusted: name), folder, objects)
        publish(identifier, done) { content throws(SystemError) in
            try Self.link(content, of: folder, as: wanted, in: objects)
        }
    }

    func publish(
        _ identifier: String,
        replacing name: String,
        done: @escaping (Result<String, SystemError>) -> Void
    ) {
        let (folder, objects) = (folder, objects)
        publish(identifier, done) { content throws(SystemError) in
            try folder.rename(content, to: name, in: objects)
            return name
        }
    }

    /// `give` gives the content its name among the objects, on another thread.
    private func publish(
        _ identifier: String,
        _ done: @escaping (Result<String, SystemError>) -> Void,
        _ give: @escaping @Sendable (_ content: String) throws(SystemError) -> String
    ) {
        let (folder, objects, isDurable) = (folder, objects, isDurable)
        BackgroundWork.run(on: loop) { () -> Result<String, SystemError> in
            Result { () throws(SystemError) in
                let content = Self.contentName(identifier)
                let file = try folder.file(content, for: .writing, creation: .ifMissing)
                if isDurable { try file.synchronize() }
                let name = try give(content)
                if isDurable { try objects.synchronize() }
                return name
            }
        } done: {
            done($0)
        }
    }

    /// More of one name, and the upload is kept under its identifier.
    private static let maximumCandidates = 10_000

    /// Gives a file its first free name in another folder; one that it has already counts as free.
    private static func link(
        _ content: String,
        of folder: Folder,
        as wanted: ObjectName,
        in objects: Folder
    ) throws(SystemError) -> String {
        let identity = try folder.information(content).identity
        for number in 1...maximumCandidates {
            let candidate = wanted.candidate(number)
            if let present = try? objects.information(candidate) {
                if present.identity == identity { return candidate }
                continue
            }
            do throws(SystemError) {
                try folder.link(content, to: candidate, in: objects)
                return candidate
            } catch {
                guard error == .alreadyExists else { throw error }
            }
        }
        throw .alreadyExists
    }

    func removeContent(_ identifier: String) {
        close(\.content, of: identifier)
        try? folder.remove(Self.contentName(identifier))
        discardStaged(identifier)
    }

    func forget(_ identifier: String) {
        removeContent(identifier)
        records[identifier] = nil
        files[identifier] = nil
        try? folder.remove(Self.recordName(identifier))
    }

    func rest(_ identifier: String) { files[identifier] = nil }

    /// Uploads of which a file is open.
    var openUploads: Int { files.count }

    // MARK: Files

    /// Closes a file of an upload, and forgets an upload that has none open.
    private func close(_ file: WritableKeyPath<OpenFiles, File?>, of identifier: String) {
        files[identifier]?[keyPath: file] = nil
        if files[identifier]?.isEmpty == true { files[identifier] = nil }
    }

    private func file(of place: UploadPlaceInStore) throws(SystemError) -> File {
        place.kind == .staged
            ? try staged(of: place.identifier) : try content(of: place.identifier)
    }

    func content(of identifier: String) throws(SystemError) -> File {
        if let file = files[identifier]?.content { return file }
        let file = try open(Self.contentName(identifier))
        files[identifier, default: OpenFiles()].content = file
        return file
    }

    private func staged(of identifier: String) throws(SystemError) -> File {
        if let file = files[identifier]?.staged { return file }
        let file = try open(Self.stagedName(identifier))
        files[identifier, default: OpenFiles()].staged = file
        return file
    }

    private func recordFile(of identifier: String) throws(SystemError) -> File {
        if let file = files[identifier]?.record { return file }
        let file = try folder.file(Self.recordName(identifier), for: .writing)
        files[identifier, default: OpenFiles()].record = file
        return file
    }

    private func open(_ name: String) throws(SystemError) -> File {
        try folder.file(name, for: .readingAndWriting, creation: .ifMissing, permissions: 0o644)
    }

    private func inBackground(
        _ work: @escaping @Sendable () throws(SystemError) -> Void,
        done: @escaping (SystemError?) -> Void
    ) {
        BackgroundWork.run(on: loop) {
            Result { () throws(SystemError) in try work() }
        } done: {
            done(Self.error($0))
        }
    }

    private static func error(_ result: Result<Void, SystemError>) -> SystemError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }
}
