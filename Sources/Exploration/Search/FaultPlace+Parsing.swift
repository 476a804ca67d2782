extension FaultPlace {
    /// Reads the canonical text of a place; nil for a form that this search does not make.
    package init?(parsing text: Substring) {
        guard let (target, rest) = Target.parse(text) else { return nil }
        if rest.isEmpty {
            self.init(target, nil)
            return
        }
        guard rest.first == ":" else { return nil }
        let anchor = rest.dropFirst()
        let mark = anchor.lastIndex { "+-~".contains($0) }
        // A hyphen or plus inside the parentheses of an interim response cannot be.
        guard let part = Part(parsing: mark.map { anchor[..<$0] } ?? anchor) else { return nil }
        guard let mark else {
            self.init(target, part)
            return
        }
        guard let number = UInt64(anchor[anchor.index(after: mark)...]) else { return nil }
        switch anchor[mark] {
        case "+": self.init(target, part, .fromStart(number))
        case "-": self.init(target, part, .fromEnd(number))
        default: self.init(target, part, .perMille(number))
        }
    }
}

extension FaultPlace.Target {
    /// A target at the start of the text, and what follows it.
    fileprivate static func parse(_ text: Substring) -> (Self, Substring)? {
        guard let open = text.firstIndex(where: { "(:".contains($0) }), text[open] == "(",
            let close = text.firstIndex(of: ")")
        else {
            return connection(text)
        }
        let path = String(text[text.index(after: open)..<close])
        let rest = text[text.index(after: close)...]
        guard rest.first == "#", let (ordinal, after) = Self.ordinal(rest.dropFirst()) else {
            // An interim response's parentheses come behind the colon of its own target.
            return connection(text)
        }
        let name = String(text[..<open])
        guard name == "obj" else {
            return (.matching(method: name, path: path, ordinal), after)
        }
        return (.object(path: path, ordinal), after)
    }

    private static func connection(_ text: Substring) -> (Self, Substring)? {
        guard text.first == "c", let (connection, rest) = ordinal(text.dropFirst()) else {
            return nil
        }
        guard rest.hasPrefix("/r") else { return (.connection(connection), rest) }
        guard let (request, after) = ordinal(rest.dropFirst(2)) else { return nil }
        return (.request(connection: connection, request: request), after)
    }

    private static func ordinal(_ text: Substring) -> (FaultPlace.Ordinal, Substring)? {
        if text.first == "*" { return (.every, text.dropFirst()) }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = UInt32(digits), number > 0 else { return nil }
        return (.one(number), text[digits.endIndex...])
    }
}

extension FaultPlace.Part {
    private static let plain: [FaultPlace.Part] = [
        .connect, .idle, .up, .down, .requestHead, .requestBody, .requestEnd, .responseHead,
        .responseBody, .responseEnd,
    ]

    fileprivate init?(parsing text: Substring) {
        if let part = Self.plain.first(where: { $0.text == text }) {
            self = part
            return
        }
        guard text.hasPrefix("interim("), text.hasSuffix(")") else { return nil }
        let values = text.dropFirst("interim(".count).dropLast().split(separator: "#")
        guard let status = values.first.flatMap({ UInt16($0) }), values.count < 3 else {
            return nil
        }
        guard let ordinal = values.count == 1 ? 1 : UInt32(values[1]) else { return nil }
        self = .interim(status: status, ordinal)
    }
}
