// Heads read back from what `MessageWriter` has written.

extension ResponseHead {
    /// The head that these bytes are, the empty line included; nil for anything else.
    package init?(bytes: [UInt8]) {
        var reader = HeadReader<StatusLine>(limits: MessageLimits())
        var index = 0
        guard let head = try? reader.read(bytes.span, from: &index), index == bytes.count else {
            return nil
        }
        self.init(
            head.0.status,
            reason: head.0.reason,
            version: head.0.version,
            fields: head.1
        )
    }
}

extension HeaderFields {
    /// The fields of these lines, without an empty line; none if one of them is no field.
    package init(lines: [UInt8]) {
        var block = FieldBlock(size: 0, limits: MessageLimits())
        var index = 0
        let bytes = lines + MessageWriter.lineEnd
        let isRead = (try? block.read(bytes.span, from: &index)) ?? false
        self.init(isRead ? block.fields.fields : [])
    }
}
