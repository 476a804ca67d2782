internal import HTTPWire

extension InjectedMessage {
    /// The head of the response as it goes to the client.
    ///
    /// - Parameters:
    ///   - now: from which dates are counted.
    ///   - content: what follows it.
    ///   - closes: whether the connection ends after it.
    /// - Returns: the head, with what says how its content is to be read.
    func head(now: HTTPDate, content: [UInt8] = [], closes: Bool) -> ResponseHead {
        var head = ResponseHead(status)
        for field in fields where !field.text(now: now).isEmpty {
            head.fields.add(field.name, field.text(now: now))
        }
        // What a date says is how far it is from the one of its message (RFC 9110 §10.2.3, §6.6.1).
        if fields.contains(where: \.isDate), !head.fields.contains("date") {
            head.fields.add("date", now.text)
        }
        if !content.isEmpty {
            head.fields["content-type"] = head.fields["content-type"] ?? "text/html"
            head.fields["content-length"] = "\(content.count)"
        } else if mayHaveContent, !head.fields.contains("content-length") {
            head.fields.add("content-length", "0")
        }
        if closes { head.fields["connection"] = "close" }
        return head
    }

    /// What follows the head.
    var content: [UInt8] { hasPage && mayHaveContent ? Array(Self.page.utf8) : [] }

    private var mayHaveContent: Bool { status >= 200 && status != 204 && status != 304 }

    private static let page = "<!DOCTYPE html><title>A page</title><p>This is a page.</p>\n"
}

extension InjectedField {
    func text(now: HTTPDate) -> String {
        switch value {
        case .text(let text): text
        case .date(let seconds):
            HTTPDate(secondsSince1970: now.secondsSince1970 + seconds).text
        }
    }

    fileprivate var isDate: Bool {
        if case .date = value { true } else { false }
    }

    /// The field's name in full; `version` stands for the version of the upload protocol.
    private var fullName: String { name == "version" ? "upload-draft-interop-version" : name }

    /// Sets or removes this field.
    func apply(to head: inout ResponseHead, now: HTTPDate) {
        let text = text(now: now)
        head.fields[fullName] = text.isEmpty ? nil : text
    }
}
