internal import HTTPWire

/// The final answer to a request of an upload, as far as it came.
struct ReceivedResponse {
    let head: ResponseHead
    /// The start of the body.
    private(set) var body: [UInt8] = []

    /// Bytes of a body that are kept; the rest is read and forgotten.
    static let bodyLimit = 65_536

    init(_ head: ResponseHead) { self.head = head }

    mutating func append(_ bytes: [UInt8]) {
        body += bytes.prefix(max(0, Self.bodyLimit - body.count))
    }
}
