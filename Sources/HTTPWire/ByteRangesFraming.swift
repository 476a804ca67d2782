/// What stands around the parts of a 206 with several ranges (RFC 9110 §14.6).
package struct ByteRangesFraming: Hashable, Sendable {
    private let boundary: String
    /// That of the representation; nil if it has none.
    private let contentType: String?
    private let completeLength: Int

    /// - Parameters:
    ///   - boundary: 1 to 70 letters and digits that the content does not hold.
    ///   - contentType: that of the representation; nil if it has none.
    ///   - completeLength: bytes of the representation.
    package init(boundary: String, contentType: String?, completeLength: Int) {
        precondition(
            (1...70).contains(boundary.utf8.count)
                && boundary.utf8.allSatisfy { $0.isAlpha || $0.isDigit },
            "not a boundary"
        )
        self.boundary = boundary
        self.contentType = contentType
        self.completeLength = completeLength
    }

    /// The value of the response's `Content-Type`.
    package var mediaType: String { "multipart/byteranges; boundary=\(boundary)" }

    /// What stands before the bytes of a part.
    ///
    /// - Parameter range: not empty, and within the representation.
    /// - Returns: the boundary, the fields and the empty line.
    /// - Throws: `MessageWriteError` if the content type cannot be a field value.
    package func head(of range: Range<Int>) throws(MessageWriteError) -> [UInt8] {
        var fields = HeaderFields()
        if let contentType { fields.add("Content-Type", contentType) }
        fields.add("Content-Range", ContentRange.part(range, of: completeLength).text)
        var bytes = Array("\r\n--\(boundary)\r\n".utf8)
        try MessageWriter.append(fields, to: &bytes)
        return bytes
    }

    /// What stands behind the last part.
    package var end: [UInt8] { Array("\r\n--\(boundary)--\r\n".utf8) }

    /// The value of the response's `Content-Length`.
    package func contentLength(of ranges: [Range<Int>]) throws(MessageWriteError) -> Int {
        var length = end.count
        for range in ranges { length += try head(of: range).count + range.count }
        return length
    }
}
