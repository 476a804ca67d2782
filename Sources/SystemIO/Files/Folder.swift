internal import Basics
internal import CLibuv
internal import CLibrary

/// An open folder, below which names are looked up.
///
/// Paths are relative to it and never lead out of it, also not by symbolic links and also not if
/// somebody moves things about meanwhile.
@safe
package final class Folder: Sendable {
    let descriptor: CInt

    /// Opens the folder at `path`.
    package convenience init(_ path: String) throws(SystemError) {
        try SystemError.checkPath(path)
        try self.init(taking: unsafe open(path, Self.openFlags, 0))
    }

    static let openFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    init(taking descriptor: CInt) throws(SystemError) {
        guard descriptor >= 0 else { throw .last }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Makes the folder at `path`, and those above it that are missing, and opens it.
    package static func make(
        _ path: String,
        permissions: UInt32 = 0o755
    ) throws(SystemError) -> Folder {
        try SystemError.checkPath(path)
        var made = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
        for part in path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) {
            made += made.isEmpty || made == "/" ? part : "/\(part)"
            guard unsafe mkdir(made, mode_t(permissions)) != 0, errno != EEXIST else { continue }
            let error = SystemError.last
            // Above what we may write to, folders are there already.
            guard error.code == EACCES || error.code == EROFS || error.code == EISDIR else {
                throw error
            }
        }
        return try Folder(path)
    }

    /// Opens the regular file at `path` below this folder.
    ///
    /// - Parameters:
    ///   - path: relative; symbolic links are followed as long as they stay below this folder.
    ///   - access: what will be done with it.
    ///   - creation: whether it may, must or must not be made.
    ///   - permissions: of a file that is made, less the process's mask.
    /// - Returns: the open file.
    /// - Throws: what the system says; `notRegularFile` or `isFolder` for anything but a file,
    ///   `leavesFolder` for a path that leads out.
    package func file(
        _ path: String,
        for access: File.Access,
        creation: File.Creation = .mustExist,
        permissions: UInt32 = 0o644
    ) throws(SystemError) -> File {
        let flags = access.flags | creation.flags | File.commonFlags
        let found = try openBeneath(path, flags: flags, permissions: permissions)
        return try File(checking: found)
    }

    /// Makes a file that has no name and goes with the last reference to it.
    package func unnamedFile() throws(SystemError) -> File {
        let name = ".linkcond-" + HexadecimalText.encode(SecureRandom.bytes(12))
        let file = try file(
            name,
            for: .readingAndWriting,
            creation: .mustNotExist,
            permissions: 0o600
        )
        try remove(name)
        return file
    }

    /// Opens a folder below this one.
    package func folder(_ path: String) throws(SystemError) -> Folder {
        try Folder(taking: try openBeneath(path, flags: Self.openFlags, permissions: 0))
    }

    /// Makes the folder `name` in this one; it may be there already.
    package func makeFolder(
        _ name: String,
        permissions: UInt32 = 0o755
    ) throws(SystemError) -> Folder {
        try Self.checkName(name)
        guard unsafe mkdirat(descriptor, name, mode_t(permissions)) == 0 || errno == EEXIST else {
            throw .last
        }
        return try folder(name)
    }

    /// What is named `name` in this folder; a symbolic link is not followed.
    package func information(_ name: String) throws(SystemError) -> FileInformation {
        try Self.checkName(name)
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw .last
        }
        return FileInformation(status)
    }

    /// Removes the file or link `name` from this folder.
    package func remove(_ name: String) throws(SystemError) {
        try Self.checkName(name)
        guard unsafe unlinkat(descriptor, name, 0) == 0 else { throw .last }
    }

    /// Removes the empty folder `name` from this folder.
    package func removeFolder(_ name: String) throws(SystemError) {
        try Self.checkName(name)
        guard unsafe unlinkat(descriptor, name, AT_REMOVEDIR) == 0 else { throw .last }
    }

    /// Renames within this folder; a file of the new name is replaced.
    ///
    /// With `durably`, the new name is on the disk when this returns.
    package func rename(
        _ name: String,
        to newName: String,
        durably: Bool = false
    ) throws(SystemError) {
        try Self.checkName(name)
        try Self.checkName(newName)
        guard unsafe renameat(descriptor, name, descriptor, newName) == 0 else { throw .last }
        if durably { try synchronize() }
    }

    /// Waits until the names in this folder are on the disk.
    package func synchronize() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Writes the file `name` so that a reader sees the old content or all of the new one, also
    /// after a crash.
    ///
    /// A crash may leave a file whose name begins with a dot and ends with `.tmp`.
    ///
    /// - Parameters:
    ///   - name: of a file in this folder, there or not.
    ///   - bytes: its new content.
    ///   - durably: waits for the disk, so that the new content survives the loss of power.
    /// - Throws: what the system says; the old content is still there then.
    package func replace(
        _ name: String,
        with bytes: [UInt8],
        durably: Bool = true
    ) throws(SystemError) {
        try Self.checkName(name)
        let mark = SecureRandom.bytes(6).map { String($0, radix: 36) }.joined()
        let temporary = ".\(name).\(mark).tmp"
        do throws(SystemError) {
            let file = try file(temporary, for: .writing, creation: .mustNotExist)
            try file.write(bytes, at: 0)
            if durably { try file.synchronize() }
            try rename(temporary, to: name, durably: durably)
        } catch {
            try? remove(temporary)
            throw error
        }
    }

    /// Bytes that this process may still write to the file system of this folder.
    package func freeBytes() throws(SystemError) -> UInt64 {
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else { throw .last }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Refuses what is not the name of one entry of a folder.
    static func checkName(_ name: String) throws(SystemError) {
        try SystemError.checkPath(name)
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/"))
        else {
            throw .noSuchFile
        }
    }
}
