internal import CLibuv
internal import CLibrary

extension Folder {
    /// Folders inside each other that are emptied.
    private static let maximumDepth = 64

    /// Removes the folder `name` with all that is in it; symbolic links are removed, not followed.
    ///
    /// Folders that their owner may not read or write are made so first.
    ///
    /// - Throws: what the system says of the first thing that stays.
    package func removeTree(_ name: String) throws(SystemError) {
        try Self.checkName(name)
        try removeTree(name, depth: 0)
    }

    private func removeTree(_ name: String, depth: Int) throws(SystemError) {
        guard depth < Self.maximumDepth else { throw SystemError(code: ELOOP) }
        let inner: Folder
        do throws(SystemError) {
            inner = try own(name)
        } catch {
            if error == .noSuchFile { return }
            throw error
        }
        try inner.removeEntries(depth: depth)
        do throws(SystemError) {
            try removeFolder(name)
        } catch {
            if !error.isMissingFile { throw error }
        }
    }

    /// The folder itself, made readable if need be.
    private func own(_ name: String) throws(SystemError) -> Folder {
        let flags = Self.openFlags | O_NOFOLLOW
        let found = unsafe openat(descriptor, name, flags)
        if found < 0, errno == EACCES {
            guard unsafe fchmodat(descriptor, name, 0o700, 0) == 0 else { throw .last }
            return try Folder(taking: unsafe openat(descriptor, name, flags))
        }
        return try Folder(taking: found)
    }

    private func removeEntries(depth: Int) throws(SystemError) {
        var isWritable = true
        while true {
            let entries = try entries()
            if entries.isEmpty { return }
            for entry in entries {
                do throws(SystemError) {
                    try remove(entry, depth: depth)
                } catch {
                    guard error == .permissionDenied, isWritable else { throw error }
                    isWritable = false
                    guard fchmod(descriptor, 0o700) == 0 else { throw .last }
                    try remove(entry, depth: depth)
                }
            }
        }
    }

    private func remove(_ entry: FolderEntry, depth: Int) throws(SystemError) {
        if entry.information.kind == .folder {
            return try removeTree(entry.name, depth: depth + 1)
        }
        do throws(SystemError) {
            try remove(entry.name)
        } catch {
            if !error.isMissingFile { throw error }
        }
    }
}
