internal import YAML

/// Reads what Apple's DTD of property lists allows: no namespaces, no entities of one's own.
struct XMLPropertyListReader {
    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var valueCount = 0

    init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
        // A mark of the byte order says nothing in UTF-8.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        lineStart = position
    }

    /// The one value inside `<plist>`.
    mutating func readDocument() throws(PropertyListMistake) -> PropertyList {
        try skipProlog()
        let start = place
        guard let tag = try readTag(), tag.name == "plist", tag.kind == .opening else {
            throw PropertyListMistake(
                "this is no property list, neither XML nor binary; `plutil -convert xml1 FILE` makes one",
                at: start
            )
        }
        let value = try readValue(depth: 0)
        try expectClosing("plist")
        try skipBlank()
        guard position == bytes.count else { throw mistake("something follows </plist>") }
        return value
    }

    // MARK: Values

    private mutating func readValue(depth: Int) throws(PropertyListMistake) -> PropertyList {
        try skipBlank()
        let start = place
        guard let tag = try readTag(), tag.kind != .closing else {
            throw PropertyListMistake("a value is missing here", at: start)
        }
        return try readValue(tag, at: start, depth: depth)
    }

    private mutating func readValue(
        _ tag: Tag,
        at start: Place,
        depth: Int
    ) throws(PropertyListMistake) -> PropertyList {
        valueCount += 1
        guard depth < PropertyList.Limits.maximumDepth,
            valueCount <= PropertyList.Limits.maximumValues
        else {
            throw PropertyListMistake("the property list is too deep or too large", at: start)
        }
        let value: PropertyList.Value
        switch tag.name {
        case "dict": value = .dictionary(try readEntries(tag, depth: depth))
        case "array": value = .array(try readElements(tag, depth: depth))
        case "string": value = .string(try readText(tag))
        case "integer", "real": value = .number(try readNumber(tag, at: start))
        case "true", "false":
            if tag.kind == .opening { try expectClosing(tag.name) }
            value = .boolean(tag.name == "true")
        case "data", "date":
            _ = try readText(tag)
            value = .other
        default:
            throw PropertyListMistake("unknown element <\(tag.name)>", at: start)
        }
        return PropertyList(value, at: start)
    }

    private mutating func readEntries(
        _ tag: Tag,
        depth: Int
    ) throws(PropertyListMistake) -> [PropertyList.Entry] {
        var entries: [PropertyList.Entry] = []
        guard tag.kind == .opening else { return entries }
        while true {
            try skipBlank()
            let start = place
            let next = try readTag()
            if next == Tag(name: "dict", kind: .closing) { return entries }
            guard let next, next.name == "key", next.kind != .closing else {
                throw PropertyListMistake("expected <key> or </dict>", at: start)
            }
            let key = try readText(next)
            guard !entries.contains(where: { $0.key == key }) else {
                throw PropertyListMistake("key '\(key)' stands twice", at: start)
            }
            let value = try readValue(depth: depth + 1)
            entries.append(.init(key: key, place: start, value: value))
        }
    }

    private mutating func readElements(
        _ tag: Tag,
        depth: Int
    ) throws(PropertyListMistake) -> [PropertyList] {
        var elements: [PropertyList] = []
        guard tag.kind == .opening else { return elements }
        while true {
            try skipBlank()
            let start = place
            guard let next = try readTag() else {
                throw PropertyListMistake("expected a value or </array>", at: start)
            }
            if next == Tag(name: "array", kind: .closing) { return elements }
            elements.append(try readValue(next, at: start, depth: depth + 1))
        }
    }

    private mutating func readNumber(
        _ tag: Tag,
        at start: Place
    ) throws(PropertyListMistake) -> Double {
        let text = try readText(tag)
        guard let number = Double(text.trimmed), number.isFinite else {
            throw PropertyListMistake("'\(text)' is not a number", at: start)
        }
        return number
    }

    /// The text up to the closing tag, references replaced.
    private mutating func readText(_ tag: Tag) throws(PropertyListMistake) -> String {
        guard tag.kind == .opening else { return "" }
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "<"):
                if try skipComment() { continue }
                if skip("<![CDATA[") {
                    text += try readUntil("]]>")
                    continue
                }
                try expectClosing(tag.name)
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw mistake("the text of <\(tag.name)> is not UTF-8")
                }
                return string
            case UInt8(ascii: "&"): text += try readReference()
            default:
                text.append(byte)
                advance()
            }
        }
        throw mistake("</\(tag.name)> is missing")
    }

    private mutating func readReference() throws(PropertyListMistake) -> [UInt8] {
        let start = place
        advance()
        let name = String(decoding: try readUntil(";"), as: UTF8.self)
        let known = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        if let character = known[name] { return Array(character.utf8) }
        let code =
            name.hasPrefix("#x")
            ? UInt32(name.dropFirst(2), radix: 16)
            : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        guard let code, let scalar = Unicode.Scalar(code) else {
            throw PropertyListMistake("unknown reference '&\(name);'", at: start)
        }
        return Array(String(scalar).utf8)
    }

    // MARK: Tags

    private struct Tag: Equatable {
        enum Kind { case opening, closing, empty }
        let name: String
        let kind: Kind
    }

    /// The tag that begins here; nil if there is none.
    private mutating func readTag() throws(PropertyListMistake) -> Tag? {
        guard current == UInt8(ascii: "<") else { return nil }
        advance()
        var content = try readUntil(">")[...]
        var kind = Tag.Kind.opening
        if content.first == UInt8(ascii: "/") {
            kind = .closing
            content.removeFirst()
        } else if content.last == UInt8(ascii: "/") {
            kind = .empty
            content.removeLast()
        }
        let name = content.prefix { !Self.isBlank($0) }
        return Tag(name: String(decoding: name, as: UTF8.self), kind: kind)
    }

    private mutating func expectClosing(_ name: String) throws(PropertyListMistake) {
        try skipBlank()
        let start = place
        guard try readTag() == Tag(name: name, kind: .closing) else {
            throw PropertyListMistake("expected </\(name)>", at: start)
        }
    }

    /// The declaration, comments and Apple's document type, which may not declare anything itself.
    private mutating func skipProlog() throws(PropertyListMistake) {
        while true {
            try skipBlank()
            if skip("<?") {
                _ = try readUntil("?>")
            } else if skip("<!DOCTYPE") {
                let start = place
                guard try !readUntil(">").contains(UInt8(ascii: "[")) else {
                    throw PropertyListMistake("a document type with declarations", at: start)
                }
            } else {
                return
            }
        }
    }

    // MARK: Characters

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private mutating func advance() {
        if bytes[position] == 0x0A {
            line += 1
            lineStart = position + 1
        }
        position += 1
    }

    /// White space and comments.
    private mutating func skipBlank() throws(PropertyListMistake) {
        repeat {
            while let byte = current, Self.isBlank(byte) { advance() }
        } while try skipComment()
    }

    private mutating func skipComment() throws(PropertyListMistake) -> Bool {
        guard skip("<!--") else { return false }
        _ = try readUntil("-->")
        return true
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let wanted = Array(text.description.utf8)
        guard bytes[position...].starts(with: wanted) else { return false }
        for _ in wanted { advance() }
        return true
    }

    /// What stands before `end`, which is skipped.
    private mutating func readUntil(_ end: String) throws(PropertyListMistake) -> [UInt8] {
        let start = place
        let from = position
        let wanted = Array(end.utf8)
        while position < bytes.count {
            if bytes[position] == wanted[0], bytes[position...].starts(with: wanted) {
                let content = Array(bytes[from..<position])
                for _ in wanted { advance() }
                return content
            }
            advance()
        }
        throw PropertyListMistake("'\(end)' is missing after this", at: start)
    }

    private var place: Place {
        // A column is a character: continuation bytes do not count.
        let characters = bytes[lineStart..<position].count { $0 & 0xC0 != 0x80 }
        return .file(file, line: line, column: characters + 1)
    }

    private func mistake(_ message: String) -> PropertyListMistake {
        PropertyListMistake(message, at: place)
    }
}

extension String {
    fileprivate var trimmed: Substring {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
