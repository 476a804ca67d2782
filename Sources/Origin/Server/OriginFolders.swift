internal import Basics
internal import SystemIO

/// The folders of an origin: `DIR`, `DIR/files` and `DIR/.linkcond/uploads`, the last two in a
/// private folder if uploads are not kept.
///
/// A private folder goes with this; one that a killed program has left, with the next origin.
final class OriginFolders {
    /// What can be fetched besides finished uploads; nil for nothing.
    let served: Folder?
    /// Of finished uploads.
    let objects: Folder
    /// Of unfinished uploads.
    let uploads: Folder
    /// Held as long as this is, so that no second origin writes to the same files.
    private let lock: File
    private let root: Folder
    /// Whether `DIR/files` and `DIR/.linkcond` were there before.
    private let hadFiles: Bool
    private let hadOwn: Bool
    /// Of a private folder, to remove it.
    private let parent: Folder?
    private let privateName: String

    /// Where finished uploads are, for other programs.
    let objectsPath: String

    /// Whether uploads go with the origin.
    var arePrivate: Bool { parent != nil }

    private static let ownerOnly: UInt32 = 0o700
    private static let filesName = "files"
    private static let uploadsName = "uploads"
    /// How names of private folders begin.
    private static let prefix = "linkcond-origin-"
    /// A younger folder may belong to an origin that is just starting.
    private static let abandonedAge = Duration.seconds(60)

    init(_ configuration: OriginConfiguration) throws(OriginError) {
        let root: Folder
        let folder = try configuration.folder.map(Self.open)
        served = folder
        if let folder, configuration.keepsUploads {
            root = folder
            parent = nil
            privateName = ""
        } else if let path = configuration.uploadFolder {
            root = try Self.open(path)
            parent = nil
            privateName = ""
        } else {
            privateName = Self.prefix + HexadecimalText.encode(SecureRandom.bytes(8))
            let above = try Self.open(configuration.temporaryFolder)
            Self.removeAbandoned(in: above)
            root = try Self.make(privateName, in: above, configuration.temporaryFolder)
            parent = above
        }
        self.root = root
        hadFiles = (try? root.information(Self.filesName)) != nil
        hadOwn = (try? root.information(ObjectSource.privateName)) != nil
        let kept =
            (configuration.keepsUploads ? configuration.folder : nil) ?? configuration.uploadFolder
        let shown = kept ?? configuration.temporaryFolder
        let base = kept ?? "\(configuration.temporaryFolder)/\(privateName)"
        let path = "\(base)/\(Self.filesName)"
        objectsPath = path.hasPrefix("/") ? path : "\(FileSystem.currentDirectory)/\(path)"
        do throws(SystemError) {
            objects = try root.makeFolder(Self.filesName)
            let own = try root.makeFolder(ObjectSource.privateName, permissions: Self.ownerOnly)
            uploads = try own.makeFolder(Self.uploadsName, permissions: Self.ownerOnly)
            lock = try own.file("lock", for: .writing, creation: .ifMissing, permissions: 0o600)
            guard try lock.lock() else { throw SystemError.alreadyExists }
            guard try Self.areOnOneFileSystem(root, own) else { throw SystemError.leavesFolder }
        } catch {
            if let parent { Self.remove(privateName, from: parent) }
            Self.removeWhatWasMade(in: root, hadFiles: hadFiles, hadOwn: hadOwn)
            if error == .leavesFolder {
                throw OriginError(
                    .folderUnusable,
                    "'\(shown)/files' is on another file system than '\(shown)/.linkcond': finished"
                        + " uploads cannot be moved there; choose a DIR that is all on one"
                )
            }
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

    /// Finished uploads get their name by a link, which no two file systems share.
    private static func areOnOneFileSystem(_ root: Folder, _ own: Folder) throws(SystemError)
        -> Bool
    {
        try root.information(filesName).identity.device
            == own.information(uploadsName).identity.device
    }

    /// After a start that failed: takes away the folders that it made, if nothing is in them.
    func removeWhatWasMade() {
        Self.removeWhatWasMade(in: root, hadFiles: hadFiles, hadOwn: hadOwn)
    }

    private static func removeWhatWasMade(in root: Folder, hadFiles: Bool, hadOwn: Bool) {
        if !hadFiles { try? root.removeFolder(filesName) }
        guard !hadOwn, let own = try? root.folder(ObjectSource.privateName) else { return }
        try? own.removeFolder(uploadsName)
        try? own.remove("lock")
        try? root.removeFolder(ObjectSource.privateName)
    }

    /// Bytes of finished uploads.
    func keptBytes() throws(SystemError) -> UInt64 {
        try objects.entries().reduce(0) { sum, entry in
            sum &+ (entry.information.kind == .regular ? entry.information.size : 0)
        }
    }

    deinit { removeIfPrivate() }

    /// Removes a private folder with all that is in it.
    func removeIfPrivate() {
        guard let parent else { return }
        Self.remove(privateName, from: parent)
    }

    /// Removes private folders that are no longer locked.
    ///
    /// - Parameters:
    ///   - above: where they are.
    ///   - age: younger folders stay, since their owner may not have locked them yet.
    static func removeAbandoned(in above: Folder, olderThan age: Duration = abandonedAge) {
        let limit = WallClock.timeSince1970 - age
        for entry in (try? above.entries()) ?? [] {
            guard entry.name.hasPrefix(prefix), entry.information.kind == .folder,
                entry.information.modified <= limit,
                let own = try? above.folder("\(entry.name)/\(ObjectSource.privateName)"),
                let lock = try? own.file("lock", for: .writing), (try? lock.lock()) == true
            else {
                continue
            }
            remove(entry.name, from: above)
        }
    }

    private static func remove(_ name: String, from above: Folder) {
        try? above.removeTree(name)
    }
}
