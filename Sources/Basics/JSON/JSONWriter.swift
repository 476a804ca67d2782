/// Which characters of a string are escaped besides `"`, `\\` and the control characters.
///
/// U+2028 and U+2029 always are, so that a value can stand in JavaScript.
package enum JSONEscaping: Hashable, Sendable {
    /// All of which a terminal could take for a command, see `PrintableText`.
    case terminal
    /// The same, and `<`, `>` and `&`, which a page could take for markup.
    case markup

    fileprivate func escapes(_ scalar: Unicode.Scalar) -> Bool {
        switch (self, scalar) {
        case (_, "\""), (_, "\\"): true
        case (.markup, "<"), (.markup, ">"), (.markup, "&"): true
        default: PrintableText.isActive(scalar)
        }
    }

    /// Whether a byte of a string stands for itself, so that the scalars need no look.
    fileprivate func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): false
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): self != .markup
        default: byte >= 0x20 && byte < 0x7F
        }
    }
}

extension JSONValue {
    /// Appends this value without spaces or line ends, in UTF-8.
    ///
    /// Control characters are escaped as `\b \t \n \f \r` or `\u00xx` in lower case; what needs no
    /// escape is written as it is. So one value has one written form.
    package func write(to bytes: inout [UInt8], _ escaping: JSONEscaping = .terminal) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): Self.write(value, to: &bytes)
        case .decimal(let text): bytes.append(contentsOf: text.utf8)
        case .string(let value): Self.write(value, to: &bytes, escaping)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes, escaping)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object): object.write(to: &bytes, escaping)
        }
    }

    /// This value as text.
    package var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// This value for a one-line message: at most 120 characters.
    package var shown: String {
        let text = text
        return text.count > 120 ? text.prefix(120) + "…" : text
    }

    fileprivate static func write(
        _ string: String,
        to bytes: inout [UInt8],
        _ escaping: JSONEscaping
    ) {
        bytes.append(UInt8(ascii: "\""))
        let begin = bytes.count
        bytes.append(contentsOf: string.utf8)
        if !bytes[begin...].allSatisfy(escaping.isPlain) {
            bytes.removeSubrange(begin...)
            for scalar in string.unicodeScalars { write(scalar, to: &bytes, escaping) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Numbers of 128 bits are slow to write, and hardly one needs them.
    private static func write(_ value: Int128, to bytes: inout [UInt8]) {
        if let short = Int64(exactly: value) {
            bytes.append(contentsOf: String(short).utf8)
        } else {
            bytes.append(contentsOf: String(value).utf8)
        }
    }

    private static func write(
        _ scalar: Unicode.Scalar,
        to bytes: inout [UInt8],
        _ escaping: JSONEscaping
    ) {
        switch scalar {
        case "\"": bytes.append(contentsOf: #"\""#.utf8)
        case "\\": bytes.append(contentsOf: #"\\"#.utf8)
        case "\u{08}": bytes.append(contentsOf: #"\b"#.utf8)
        case "\t": bytes.append(contentsOf: #"\t"#.utf8)
        case "\n": bytes.append(contentsOf: #"\n"#.utf8)
        case "\u{0C}": bytes.append(contentsOf: #"\f"#.utf8)
        case "\r": bytes.append(contentsOf: #"\r"#.utf8)
        case _ where escaping.escapes(scalar):
            bytes.append(contentsOf: PrintableText.escape(scalar).utf8)
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}

extension JSONObject {
    /// Appends this object, its members in their order.
    package func write(to bytes: inout [UInt8], _ escaping: JSONEscaping = .terminal) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONValue.write(member.key, to: &bytes, escaping)
            bytes.append(UInt8(ascii: ":"))
            member.value.write(to: &bytes, escaping)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
