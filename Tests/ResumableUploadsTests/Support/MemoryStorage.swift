import ResumableUploads

/// A storage of a test's own: what a storage has to do, and no more.
actor MemoryStorage: UploadStorage {
    private var records: [String: [UInt8]] = [:]
    private(set) var contents: [String: [UInt8]] = [:]
    /// Bytes of all contents together.
    private var room = Int.max

    struct Missing: Error {}

    func limit(to room: Int) { self.room = room }

    var names: [String] { records.keys.sorted() }

    func text(ofRecord name: String) -> String {
        String(decoding: records[name] ?? [], as: UTF8.self)
    }

    func uploads() -> [StoredUpload] {
        records.map { StoredUpload($0, record: $1, contentSize: UInt64(contents[$0]?.count ?? 0)) }
    }

    func save(_ record: [UInt8], of upload: String) { records[upload] = record }

    func write(_ bytes: [UInt8], to content: String, at offset: UInt64) throws {
        var whole = contents[content] ?? []
        let end = Int(offset) + bytes.count
        guard end <= room else { throw UploadStorageError.full }
        if whole.count < end { whole += [UInt8](repeating: 0, count: end - whole.count) }
        whole.replaceSubrange(Int(offset)..<end, with: bytes)
        contents[content] = whole
    }

    func read(_ content: String, from offset: UInt64, count: Int) throws -> [UInt8] {
        guard let whole = contents[content], whole.count >= Int(offset) + count else {
            throw Missing()
        }
        return Array(whole[Int(offset)..<Int(offset) + count])
    }

    func removeContent(_ content: String) { contents[content] = nil }
    func removeRecord(of upload: String) { records[upload] = nil }
}
