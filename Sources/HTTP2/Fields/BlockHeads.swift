package import HTTPWire

// Heads of messages as field blocks have them (RFC 9113 §8.3).

extension [BlockField] {
    /// What the fields come to, by the count of RFC 9113 §10.5.1: it depends on no table, and so not on
    /// what was sent before.
    package var listSize: Int {
        reduce(0) { $0 + $1.name.scalarCount + $1.value.scalarCount + 32 }
    }

    fileprivate func pseudo(_ name: String) -> String? { first { $0.name == name }?.value }

    /// The fields but those of the request or response line.
    package var regular: [HeaderFields.Field] {
        filter { !$0.name.hasPrefix(":") }.map { HeaderFields.Field($0.name, $0.value) }
    }
}

extension RequestHead {
    /// The head that a block stands for; nil without a method or a target.
    ///
    /// `:authority` becomes `host`, as in HTTP/1 (RFC 9113 §8.3.1).
    package init?(_ block: [BlockField]) {
        guard let method = block.pseudo(":method") else { return nil }
        let authority = block.pseudo(":authority")
        guard let target = block.pseudo(":path") ?? authority else { return nil }
        var fields = block.regular
        if let authority, !fields.contains(where: { $0.name == "host" }) {
            fields.insert(HeaderFields.Field("host", authority), at: 0)
        }
        self.init(method, target, version: .http2, fields: HeaderFields(fields))
        connectProtocol = block.pseudo(":protocol")
    }
}

extension ResponseHead {
    /// The head that a block stands for; nil without a status, as trailers are.
    package init?(_ block: [BlockField]) {
        guard let text = block.pseudo(":status"), text.utf8.count == 3, let status = Int(text),
            status >= 100
        else { return nil }
        self.init(status, fields: HeaderFields(block.regular))
    }

    /// The block that stands for this head, without what HTTP/2 does not allow (RFC 9113 §8.2.2).
    package var block: [BlockField] {
        [BlockField(":status", String(status))] + fields.block
    }
}

extension HeaderFields {
    private static let ofConnections: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// The fields of a block, with names in lower case and without those of a connection.
    package var block: [BlockField] {
        fields.map { BlockField($0.name.asciiLowercased, $0.value) }
            .filter { !Self.ofConnections.contains($0.name) }
    }
}
