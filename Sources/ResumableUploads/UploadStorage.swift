/// Where incomplete uploads are kept: their content, and a record of each.
///
/// Calls for one upload come one after the other, calls for several at the same time. A content's
/// name is made of hexadecimal digits and dots.
public protocol UploadStorage: Sendable {
    /// Reads back what an earlier run has left: all records, each with the size of its content.
    func uploads() async throws -> [StoredUpload]

    /// Keeps a record in place of the one before it.
    ///
    /// When this returns, the record and all that was written before is to survive whatever uploads
    /// are to survive: then the client is told that it is there.
    func save(_ record: [UInt8], of upload: String) async throws

    /// Writes bytes into a content, which is made if it is missing.
    func write(_ bytes: [UInt8], to content: String, at offset: UInt64) async throws

    /// Reads exactly so many bytes of a content.
    func read(_ content: String, from offset: UInt64, count: Int) async throws -> [UInt8]

    /// Removes a content, if there is one.
    func removeContent(_ content: String) async throws

    /// Removes a record, if there is one.
    func removeRecord(of upload: String) async throws
}

/// What a storage may throw to say more than that it failed.
public enum UploadStorageError: Error, Hashable, Sendable {
    /// There is no room; the client gets 507.
    case full
}

/// An upload as a storage has it.
public struct StoredUpload: Hashable, Sendable {
    /// The upload's name.
    public var upload: String
    /// The record that was saved last.
    public var record: [UInt8]
    /// The size of the content of that name; 0 without one.
    public var contentSize: UInt64

    /// An upload with its record and the size of its content.
    public init(_ upload: String, record: [UInt8], contentSize: UInt64) {
        self.upload = upload
        self.record = record
        self.contentSize = contentSize
    }
}
