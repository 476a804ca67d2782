internal import Libuv

/// The folders of an origin: `DIR`, `DIR/files` and `DIR/.linkcond/uploads`.
struct OriginFolders {
    /// What can be fetched; nil if that is only what was uploaded.
    let served: Folder?
    /// Of finished uploads.
    let objects: Folder
    /// Of unfinished uploads.
    let uploads: Folder
    /// Held as long as this is, so that no second origin writes to the same files.
    private let lock: File
    /// Of a private folder, to remove it.
    private let parent: Folder?
    private let privateName: String

    private static let ownerOnly: UInt32 = 0o700

    init(_ configuration: OriginConfiguration) throws(OriginError) {
        let root: Folder
        if let path = configuration.folder {
            root = try Self.open(path)
            served = root
            parent = nil
            privateName = ""
        } else {
            privateName =
                "linkcond-origin-\(ContentTags.hexadecimal(SecureRandom.bytes(8)))"
            let above = try Self.open(configuration.temporaryFolder)
            root = try Self.make(privateName, in: above, configuration.temporaryFolder)
            served = nil
            parent = above
        }
        let shown = configuration.folder ?? configuration.temporaryFolder
        do throws(SystemError) {
            objects = try root.makeFolder("files")
            let own = try root.makeFolder(ObjectSource.privateName, permissions: Self.ownerOnly)
            uploads = try own.makeFolder("uploads", permissions: Self.ownerOnly)
            lock = try own.file("lock", for: .writing, creation: .ifMissing, permissions: 0o600)
            guard try lock.lock() else { throw SystemError.alreadyExists }
        } catch {
            throw error == .alreadyExists
                ? OriginError(.folderUnusable, "'\(shown)' is in use by another origin")
                : OriginError(
                    .folderUnusable,
                    "cannot keep uploads in '\(shown)': \(error); choose a folder that can be"
                        + " written"
                )
        }
    }

    private static func open(_ path: String) throws(OriginError) -> Folder {
        do throws(SystemError) {
            return try Folder(path)
        } catch {
            throw OriginError(.folderMissing, "cannot open the folder '\(path)': \(error)")
        }
    }

    private static func make(
        _ name: String,
        in above: Folder,
        _ path: String
    ) throws(OriginError) -> Folder {
        do throws(SystemError) {
            return try above.makeFolder(name, permissions: ownerOnly)
        } catch {
            throw OriginError(.folderUnusable, "cannot make a folder in '\(path)': \(error)")
        }
    }

    /// Bytes of finished uploads.
    func keptBytes() throws(SystemError) -> UInt64 {
        try objects.entries().reduce(0) { sum, entry in
            sum &+ (entry.information.kind == .regular ? entry.information.size : 0)
        }
    }

    /// Removes a private folder with all that is in it.
    func removeIfPrivate() {
        guard let parent, let root = try? parent.folder(privateName) else { return }
        Self.empty(root, depth: 0)
        try? parent.removeFolder(privateName)
    }

    /// Deeper than anything that an origin makes.
    private static let maximumDepth = 4

    private static func empty(_ folder: Folder, depth: Int) {
        guard depth < maximumDepth else { return }
        while let entries = try? folder.entries(), !entries.isEmpty {
            var removed = 0
            for entry in entries {
                if entry.information.kind == .folder {
                    if let inner = try? folder.folder(entry.name) { empty(inner, depth: depth + 1) }
                    if (try? folder.removeFolder(entry.name)) != nil { removed += 1 }
                } else if (try? folder.remove(entry.name)) != nil {
                    removed += 1
                }
            }
            guard removed > 0 else { return }
        }
    }
}
