package import Basics
internal import CLibuv
internal import CLibrary

/// What stays the same of a file under all its names, as long as it is there.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    init(_ information: stat) {
        device = UInt64(information.st_dev)
        inode = UInt64(information.st_ino)
    }
}

/// Whole files and folders, read and written by calls that block.
@safe
package enum FileSystem {
    /// Reads a file from its start to its end; `-` is standard input.
    ///
    /// A file of more than `limit` bytes fails with `fileTooLarge`.
    package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        var content: [UInt8] = []
        try read(path, inPiecesOf: 65_536) { piece in
            content.append(contentsOf: piece)
            return content.count <= limit
        }
        if content.count > limit { throw .fileTooLarge }
        return content
    }

    /// Reads a file piece by piece, until it ends or `wantsMore` says no; `-` is standard input.
    package static func read(
        _ path: String,
        inPiecesOf size: Int,
        _ wantsMore: (ArraySlice<UInt8>) -> Bool
    ) throws(SystemError) {
        let descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { if path != "-" { close(descriptor) } }
        var piece = [UInt8](repeating: 0, count: size)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe CLibrary.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            guard count > 0, wantsMore(piece[..<count]) else { return }
        }
    }

    /// Writes a file so that a reader sees the old content or all of the new one.
    ///
    /// It is written under another name in the same folder and renamed. Into what is no regular file,
    /// such as a named pipe or a device, it is written as it is.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - bytes: its new content.
    ///   - isPrivate: whether only its owner may read it.
    /// - Throws: what the system says; the file is as it was then.
    package static func replace(
        _ path: String,
        with bytes: [UInt8],
        isPrivate: Bool = false
    ) throws(SystemError) {
        if let kind = kind(of: path), kind != S_IFREG {
            try OutputFile(creating: path).writeAll(bytes)
            return
        }
        let temporary = "\(path).\(getpid()).tmp"
        // One that was left there has the rights that it was made with.
        remove(temporary)
        let file = try OutputFile(creating: temporary, mode: isPrivate ? 0o600 : 0o644)
        do throws(SystemError) {
            try file.writeAll(bytes)
        } catch {
            remove(temporary)
            throw error
        }
        guard unsafe rename(temporary, path) == 0 else {
            let error = SystemError.last
            remove(temporary)
            throw error
        }
    }

    /// Removes a file if it is there.
    package static func remove(_ path: String) {
        _ = unsafe unlink(path)
    }

    /// Removes what a former run has left of a file that this one makes; a pipe or a device stays.
    package static func removeFormer(_ path: String) {
        if kind(of: path) == S_IFREG { remove(path) }
    }

    package static func isDirectory(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

    /// Whether something that can be read as a file is at `path`: a file, a pipe or a device.
    package static func isFile(_ path: String) -> Bool {
        guard let kind = kind(of: path) else { return false }
        return kind != S_IFDIR
    }

    /// Whether a named pipe is at `path`, or another one that gives its bytes once.
    package static func isPipe(_ path: String) -> Bool { kind(of: path) == S_IFIFO }

    /// Which regular file `path` leads to, by whatever name; nil if it leads to none.
    package static func identity(of path: String) -> FileIdentity? {
        guard let information = information(of: path), information.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return FileIdentity(information)
    }

    /// When a file's content, or what a folder holds, last changed, as time since 1970; nil if there
    /// is nothing at `path`.
    package static func modificationTime(of path: String) -> Duration? {
        information(of: path).map { FileInformation($0).modified }
    }

    private static func kind(of path: String) -> mode_t? {
        information(of: path).map { $0.st_mode & S_IFMT }
    }

    private static func information(of path: String) -> stat? {
        var information = stat()
        return unsafe stat(path, &information) == 0 ? information : nil
    }

    /// Names in a folder in ascending order, without `.` and `..`; none if it cannot be read.
    package static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { text in
                    unsafe String(cString: text)
                }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The process's working folder, absolute.
    package static var currentDirectory: String {
        guard let text = unsafe getcwd(nil, 0) else { return "." }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
