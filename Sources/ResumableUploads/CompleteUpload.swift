/// A complete upload on its way to its target: one ordinary request.
public struct CompleteUpload: Sendable {
    /// The request that created the upload, without the fields of the upload protocols; its
    /// `Content-Length` is the size of the whole.
    public let request: ServerRequest
    /// All of the content, from its first byte each time it is asked for.
    public let content: Content

    /// The content of an upload, piece by piece, read from the storage.
    public struct Content: AsyncSequence, Sendable {
        /// How many bytes it has.
        public let size: UInt64
        let read: @Sendable (_ offset: UInt64, _ count: Int) async throws -> [UInt8]
        /// Called before the last byte is given away.
        let handOver: @Sendable () async throws -> Void

        private static let pieceBytes: UInt64 = 256 << 10

        /// Begins to read.
        public func makeAsyncIterator() -> Iterator { Iterator(content: self) }

        /// Reads one piece after the other.
        public struct Iterator: AsyncIteratorProtocol {
            let content: Content
            private var offset: UInt64 = 0

            init(content: Content) { self.content = content }

            /// The next piece; nil at the end.
            public mutating func next() async throws -> [UInt8]? {
                let count = Swift.min(content.size - offset, Content.pieceBytes)
                guard count > 0 else { return nil }
                let piece = try await content.read(offset, Int(count))
                offset += count
                if offset == content.size { try await content.handOver() }
                return piece
            }
        }

        /// The whole content, for uploads that are small.
        public func collect() async throws -> [UInt8] {
            var whole: [UInt8] = []
            for try await piece in self { whole += piece }
            return whole
        }
    }
}
