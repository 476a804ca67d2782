extension JSONValue {
    /// Appends this value without spaces or line ends, in UTF-8.
    ///
    /// Escaped are `"`, `\`, the control characters (as `\b \t \n \f \r` or `\u00xx` in lower
    /// case), U+007F to U+009F, U+2028 and U+2029; everything else is written as it is. So one value has one
    /// written form.
    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .decimal(let text): bytes.append(contentsOf: text.utf8)
        case .string(let value): Self.write(value, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object): object.write(to: &bytes)
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

    fileprivate static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in string.unicodeScalars { write(scalar, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func write(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes.append(contentsOf: #"\""#.utf8)
        case "\\": bytes.append(contentsOf: #"\\"#.utf8)
        case "\u{08}": bytes.append(contentsOf: #"\b"#.utf8)
        case "\t": bytes.append(contentsOf: #"\t"#.utf8)
        case "\n": bytes.append(contentsOf: #"\n"#.utf8)
        case "\u{0C}": bytes.append(contentsOf: #"\f"#.utf8)
        case "\r": bytes.append(contentsOf: #"\r"#.utf8)
        case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
            let digits = String(scalar.value, radix: 16)
            let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
            bytes.append(contentsOf: "\\u\(zeros)\(digits)".utf8)
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}

extension JSONObject {
    /// Appends this object, its members in their order.
    package func write(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONValue.write(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
