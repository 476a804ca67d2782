internal import CLibuv
internal import CLibrary

/// One entry of a folder.
package struct FolderEntry: Hashable, Sendable {
    package let name: String
    /// Of the entry itself: a symbolic link is not followed.
    package let information: FileInformation
}

extension Folder {
    /// The entries in ascending order of their names, without `.` and `..`.
    ///
    /// - Parameter limit: the most entries; of a folder with more, any.
    /// - Returns: what was there while it was read.
    /// - Throws: what the system says.
    package func entries(limit: Int = 100_000) throws(SystemError) -> [FolderEntry] {
        // A stream has a position, so it gets a descriptor of its own.
        let own = unsafe openat(descriptor, ".", Self.openFlags)
        guard own >= 0 else { throw .last }
        guard let stream = unsafe fdopendir(own) else {
            let error = SystemError.last
            close(own)
            throw error
        }
        defer { unsafe closedir(stream) }
        var entries: [FolderEntry] = []
        while entries.count < limit, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { text in
                    unsafe String(cString: text)
                }
            }
            guard name != ".", name != "..", let information = try? information(name) else {
                continue
            }
            entries.append(FolderEntry(name: name, information: information))
        }
        return entries.sorted { $0.name < $1.name }
    }
}
