extension ResponseHead {
    /// Offsets where who reads lines may take a part of the head for the whole: after each line, and in the
    /// middle of values that decide about a transfer.
    ///
    /// - Parameter size: of the head as it passed.
    /// - Returns: the offsets, in order; none if this head would be written in another size, so that its
    ///   lines are somewhere else.
    package func edges(in size: UInt64) -> [UInt64] {
        var edges: [UInt64] = []
        // Version, status and reason with two spaces, and the end of the line.
        var end: UInt64 = 8 + 1 + 3 + 1 + UInt64(reason.unicodeScalars.count) + 2
        edges.append(end)
        for field in fields.fields {
            let name = UInt64(field.name.utf8.count)
            let value = UInt64(field.value.unicodeScalars.count)
            if value > 1, Self.transferFields.contains(field.name.lowercased()) {
                edges.append(end + name + 2 + value / 2)
            }
            end += name + 2 + value + 2
            edges.append(end)
        }
        return end + 2 == size ? edges : []
    }

    private static let transferFields: Set<String> = [
        "content-length", "content-range", "etag", "location", "transfer-encoding",
        "upload-offset",
    ]
}
