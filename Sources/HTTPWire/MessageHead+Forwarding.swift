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

extension RequestHead {
    /// The head of a request to a proxy as the server gets it whose content is passed on as it is; nil
    /// if its target is not in absolute form.
    ///
    /// Whether the connection is kept is for the client and the server to say.
    package var relayed: RequestHead? {
        guard case .absolute(let url) = RequestTarget(self) else { return nil }
        return relayed(to: url)
    }

    /// The same where it is known what the target is.
    package func relayed(to url: HTTPURL) -> RequestHead {
        let isWholeServer = method == "OPTIONS" && URLReference(target)?.path.isEmpty == true
        var head = RequestHead(method, isWholeServer ? "*" : url.target, version: version)
        head.fields.add("Host", url.hostField)
        for field in fields.relayed { head.fields.add(field.name, field.value) }
        switch (version, keepsConnection) {
        case (.http10, true): head.fields.add("Connection", "keep-alive")
        case (.http10, false), (_, true): break
        case (_, false): head.fields.add("Connection", "close")
        }
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
        for option in values("Connection").joined(separator: ",").split(separator: ",") {
            others.remove(String(option.filter { $0 != " " && $0 != "\t" }))
        }
        for name in Self.ofOneConnection { others.remove(name) }
        return others
    }

    /// What a proxy passes on that leaves the content as it is: what frames it comes last.
    fileprivate var relayed: [Field] {
        let kept = endToEnd.fields.filter { field in
            !["Host", "Proxy-Authorization", "Content-Length"].contains(where: field.has)
        }
        let framing = fields.filter { field in
            ["Content-Length", "Transfer-Encoding", "Trailer"].contains(where: field.has)
        }
        return kept + framing
    }

    private static let ofOneConnection = [
        "Connection", "Proxy-Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding",
        "Upgrade",
    ]
}
