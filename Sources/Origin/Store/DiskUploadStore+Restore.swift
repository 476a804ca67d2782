internal import ResumableServer
internal import SystemIO

extension DiskUploadStore {
    /// Files of more uploads than any limit allows.
    private static let entryLimit = 1_000_000
    /// A record holds an answer of 64 KiB at most, each byte as a number.
    private static let recordBytes = 1 << 20

    /// Reads the records and brings the files in line with them.
    ///
    /// Bytes beyond a recorded offset were never promised and are cut off. What no record speaks of
    /// was never promised either and is removed.
    func restore() throws(SystemError) -> [StoredUpload] {
        var stored: [StoredUpload] = []
        let entries = try folder.entries(limit: Self.entryLimit).filter {
            $0.information.kind == .regular
        }
        let names = Set(entries.map(\.name))
        for entry in entries {
            guard let dot = entry.name.lastIndex(of: ".") else { continue }
            let identifier = String(entry.name[..<dot])
            switch entry.name[dot...] {
            case ".record": stored += try restored(identifier)
            case ".data" where !names.contains(Self.recordName(identifier)), ".staged", ".tmp":
                try folder.remove(entry.name)
            default: continue
            }
        }
        return stored
    }

    private func restored(_ identifier: String) throws(SystemError) -> [StoredUpload] {
        let name = Self.recordName(identifier)
        let file = try folder.file(name, for: .reading)
        let bytes = try file.read(at: 0, count: Int(min(try file.size(), UInt64(Self.recordBytes))))
        guard let found = UploadRecordFile(bytes), found.record.identifier == identifier else {
            damaged.append(name)
            return []
        }
        records[identifier] = KnownRecord(record: found.record, sequence: found.sequence)
        return [StoredUpload(record: found.record, bytes: try contentBytes(of: found.record))]
    }

    private func contentBytes(of record: UploadRecord) throws(SystemError) -> UInt64 {
        let name = Self.contentName(record.identifier)
        guard let size = try? folder.information(name).size else { return 0 }
        guard record.state == .active, size > record.offset else { return size }
        try folder.file(name, for: .writing).truncate(to: record.offset)
        return record.offset
    }
}
