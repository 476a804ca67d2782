internal import Glibc

/// What matters about an error of a file.
extension SystemError {
    package var isMissingFile: Bool { code == ENOENT || code == ENOTDIR }
    package var isClosedPipe: Bool { code == EPIPE }
    /// The file is longer than the caller takes.
    package static let fileTooLarge = SystemError(code: EFBIG)
}
