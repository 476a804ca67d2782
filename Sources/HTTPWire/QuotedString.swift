/// Text in double quotes, with backslashes before quotes and backslashes (RFC 9110 §5.6.4).
package enum QuotedString {
    /// The text within the quotes; nil if this is not one quoted string from end to end.
    package static func decode(_ text: String) -> String? {
        var scanner = FieldScanner(text)
        guard let content = scanner.quotedString(), scanner.isAtEnd else { return nil }
        return content
    }

    /// Quotes text.
    ///
    /// What no field can hold (control characters, scalars above 255) becomes a space.
    package static func encode(_ text: String) -> String {
        var quoted = "\""
        for byte in text.scalarBytes {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted += "\\" }
            quoted.unicodeScalars.append(Unicode.Scalar(byte.isFieldCharacter ? byte : 0x20))
        }
        return quoted + "\""
    }

    /// The text itself if it is a token, otherwise quoted.
    package static func tokenOrQuoted(_ text: String) -> String {
        let isToken = !text.isEmpty && text.utf8.allSatisfy(\.isTokenCharacter)
        return isToken ? text : encode(text)
    }
}
