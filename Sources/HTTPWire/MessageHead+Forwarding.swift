extension RequestHead {
    /// The head as a gateway gives it to the server behind it (RFC 9110 §7.6).
    ///
    /// The target is in origin form; `Content-Length` is left to the sender.
    package var forwarded: RequestHead {
        var head = RequestHead(method, target, fields: fields.endToEnd)
        if case .absolute(let url) = RequestTarget(self) { head.target = url.target }
        head.fields.remove("Content-Length")
        head.fields.remove("Expect")
        head.fields.add("Via", version == .http10 ? "1.0 linkcond" : "1.1 linkcond")
        return head
    }
}

extension ResponseHead {
    /// The head as a gateway gives it to the client.
    package var forwarded: ResponseHead {
        ResponseHead(status, reason: reason, fields: fields.endToEnd)
    }
}

extension HeaderFields {
    /// Without the fields that are of one connection only (RFC 9110 §7.6.1).
    var endToEnd: HeaderFields {
        var others = self
        for name in connectionOptions + Self.ofOneConnection { others.remove(name) }
        return others
    }

    /// What `Connection` lists.
    var connectionOptions: [String] {
        guard contains("Connection") else { return [] }
        return values("Connection").joined(separator: ",").split(separator: ",").map { option in
            String(option.filter { $0 != " " && $0 != "\t" })
        }
    }

    static let ofOneConnection = [
        "Connection", "Proxy-Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding",
        "Upgrade",
    ]
}
