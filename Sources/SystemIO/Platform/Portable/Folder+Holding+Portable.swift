internal import CLibrary
internal import CLibuv

// Where an open file or folder is, whatever names and links led there: POSIX does not tell the path
// of an open file, so it is searched for.

extension Folder {
    /// Folders above each other that are followed.
    private static let maximumHeight = 256

    /// Whether a folder is this one or below it at the moment.
    package func holds(_ folder: Folder) -> Bool {
        guard let own = Self.identity(of: descriptor) else { return false }
        var place = folder
        for _ in 0..<Self.maximumHeight {
            guard let identity = Self.identity(of: place.descriptor) else { return false }
            if identity == own { return true }
            let found = unsafe openat(place.descriptor, "..", Self.openFlags)
            guard let above = try? Folder(taking: found),
                let next = Self.identity(of: above.descriptor), next != identity
            else { return false }
            place = above
        }
        return false
    }

    /// Whether a file is below this folder at the moment, under any name.
    package func holds(_ file: File) -> Bool {
        guard let wanted = Self.identity(of: file.descriptor) else { return false }
        return contains(wanted, depth: 0)
    }

    private func contains(_ wanted: FileIdentity, depth: Int) -> Bool {
        guard depth < Self.maximumHeight, let entries = try? entries() else { return false }
        return entries.contains { entry in
            switch entry.information.kind {
            case .regular:
                var status = stat()
                let flags = AT_SYMLINK_NOFOLLOW
                return unsafe fstatat(descriptor, entry.name, &status, flags) == 0
                    && FileIdentity(status) == wanted
            case .folder:
                return (try? folder(entry.name))?.contains(wanted, depth: depth + 1) ?? false
            case .symbolicLink, .other: return false
            }
        }
    }

    private static func identity(of descriptor: CInt) -> FileIdentity? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    }
}
