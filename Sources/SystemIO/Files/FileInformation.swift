package import Basics
internal import CLibuv
internal import CLibrary

/// What the file system says about a file.
package struct FileInformation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case regular, folder, symbolicLink, other }

    /// Tells files apart, whatever their names.
    package struct Identity: Hashable, Sendable {
        package let device: UInt64
        package let number: UInt64

        package init(device: UInt64, number: UInt64) {
            self.device = device
            self.number = number
        }
    }

    package let kind: Kind
    /// Bytes.
    package let size: UInt64
    /// When the content last changed, as time since 1970.
    package let modified: Duration
    package let identity: Identity

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            default: .other
            }
        size = UInt64(clamping: status.st_size)
        var status = status
        let time = unsafe linkcond_modification(&status)
        modified = Self.span(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
        identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    /// A time of a file system; what is before 1677 or after 2262 counts as the nearest there is.
    private static func span(seconds: Int64, nanoseconds: Int64) -> Duration {
        let (whole, isFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isFarther) = whole.addingReportingOverflow(nanoseconds)
        guard isFar || isFarther else { return .nanoseconds(sum) }
        return .nanoseconds(seconds < 0 ? .min : .max)
    }
}
