internal import ResumableServer
internal import SystemIO

/// Where uploads are kept: their bytes and their records.
///
/// `done` is called once, on the loop's thread, perhaps before the call returns. What a call says is
/// done is durable then, as far as the store promises that. Calls for one upload come one after the
/// other, but bytes may be written while a record is on its way; calls for several at the same time.
protocol UploadStore: AnyObject {
    /// Reads back what an earlier run has left.
    func restore() throws(SystemError) -> [StoredUpload]

    /// Keeps a record, and the bytes before its offset; that of a new upload makes room for its bytes.
    func persist(_ record: UploadRecord, done: @escaping (SystemError?) -> Void)

    /// Writes the first `count` of some bytes, which are held until `done`; that hears how many were
    /// written, and why not all. They are durable once a record is that speaks of them.
    func write(
        _ bytes: BodyBytes,
        count: Int,
        to place: UploadPlaceInStore,
        at offset: UInt64,
        done: @escaping (_ written: Int, _ error: SystemError?) -> Void
    )

    /// Brings bytes to the disk that no record speaks of yet, so that less is left to do in the end.
    func synchronize(_ place: UploadPlaceInStore, done: @escaping (SystemError?) -> Void)

    /// Copies the first `count` staged bytes into the content from `offset` on.
    func moveStaged(
        _ identifier: String,
        count: UInt64,
        to offset: UInt64,
        done: @escaping (SystemError?) -> Void
    )

    /// Empties the place for staged bytes.
    func discardStaged(_ identifier: String)

    /// Computes digests of the first `count` bytes, in the order of `algorithms`.
    func digests(
        _ algorithms: [DigestAlgorithm],
        of place: UploadPlaceInStore,
        count: UInt64,
        done: @escaping (Result<[ExpectedDigest], SystemError>) -> Void
    )

    /// Makes the contents of `parts`, one behind the other, the content of an upload.
    func join(
        _ parts: [UploadRecord],
        into identifier: String,
        done: @escaping (SystemError?) -> Void
    )

    /// Makes a complete upload an object of the origin; doing so again changes nothing.
    ///
    /// - Returns: through `done`, its name: the wanted one or, where that is taken, one like it.
    func publish(
        _ identifier: String,
        as name: String,
        done: @escaping (Result<String, SystemError>) -> Void
    )

    /// Makes a complete upload, whose content is then gone, an object in place of another one.
    func publish(
        _ identifier: String,
        replacing name: String,
        done: @escaping (Result<String, SystemError>) -> Void
    )

    /// The bytes of a complete upload, to be read.
    func content(of identifier: String) throws(SystemError) -> File

    /// Removes the bytes; the record stays.
    func removeContent(_ identifier: String)

    /// Removes the record, too.
    func forget(_ identifier: String)

    /// Closes the descriptors of an upload that is idle.
    func rest(_ identifier: String)
}

/// A place for bytes of an upload.
struct UploadPlaceInStore: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// What offsets count.
        case content
        /// What has to be checked before it joins the content.
        case staged
        /// The content of a file that is kept whole or not at all; durable when it is published.
        case plain
    }

    let identifier: String
    let kind: Kind

    init(_ identifier: String, _ kind: Kind = .content) {
        self.identifier = identifier
        self.kind = kind
    }
}

/// An upload of an earlier run.
struct StoredUpload: Sendable {
    let record: UploadRecord
    /// Bytes that its content has in the store.
    let bytes: UInt64
}
