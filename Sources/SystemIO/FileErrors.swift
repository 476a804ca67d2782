internal import CLibuv
internal import CLibrary

/// What matters about an error of a file.
extension SystemError {
    package var isMissingFile: Bool { code == ENOENT || code == ENOTDIR }
    package var isClosedPipe: Bool { code == EPIPE }
    /// The disk, the file system's limit or the user's quota leaves no room.
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// A pipe was to be written that nobody reads.
    package static let noReader = SystemError(code: ENXIO)
    /// The file is longer than the caller takes.
    package static let fileTooLarge = SystemError(code: EFBIG)
    package static let alreadyExists = SystemError(code: EEXIST)
    package static let isFolder = SystemError(code: EISDIR)
    /// A pipe, a device or a socket where a file was asked for.
    package static let notRegularFile = SystemError(code: ENXIO)
    package static let noSpace = SystemError(code: ENOSPC)
    package static let quotaExceeded = SystemError(code: EDQUOT)
    package static let inputOutput = SystemError(code: EIO)
    /// The path leads out of the folder that it may not leave.
    package static let leavesFolder = SystemError(code: EXDEV)

    /// Refuses a path that C would cut at a zero byte: it would name another file.
    static func checkPath(_ path: String) throws(SystemError) {
        guard !path.utf8.contains(0) else { throw .noSuchFile }
    }
}
