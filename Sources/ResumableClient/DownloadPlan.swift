package import HTTPWire

/// What is downloaded, and how.
package struct DownloadPlan: Hashable, Sendable {
    package var address: HTTPURL
    /// Fields of the user; credentials stay with the origin they were meant for.
    package var fields: HeaderFields = [:]
    /// Where the partial file is; of no meaning to the machine, it appears in resume data.
    package var file: String
    /// The SHA-256 that the whole must have.
    package var sha256: [UInt8]?
    /// Content that comes in a coding, though none was asked for, is stored as it comes.
    package var keepsCoding = false
    /// Ask for `Repr-Digest`; one that comes is compared in any case.
    package var wantsDigest = false
    package var retry: RetryPolicy = .foreground
    package var path = PathPolicy()

    package init(from address: HTTPURL, into file: String) {
        self.address = address
        self.file = file
    }
}
