/// The classes of bytes that the grammars of HTTP speak of (RFC 9110 §5.6, RFC 5234 B.1).
extension UInt8 {
    var isDigit: Bool { self &- 0x30 < 10 }
    var isUpperAlpha: Bool { self &- 0x41 < 26 }
    var isLowerAlpha: Bool { self &- 0x61 < 26 }
    var isAlpha: Bool { (self | 0x20).isLowerAlpha }
    /// A space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// What names, methods and tokens are made of (`tchar`, RFC 9110 §5.6.2).
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: isAlpha || isDigit
        }
    }

    /// What a field value is made of: visible characters, blanks and bytes from 0x80 (RFC 9110 §5.5).
    var isFieldCharacter: Bool { self >= 0x20 ? self != 0x7F : self == 0x09 }

    var lowercased: UInt8 { isUpperAlpha ? self | 0x20 : self }

    /// The value of a hexadecimal digit of either case.
    var hexValue: Int? {
        if isDigit { return Int(self &- 0x30) }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? Int(letter) + 10 : nil
    }
}

extension String {
    /// Each byte as the Unicode scalar of the same number.
    package init(scalars bytes: some Collection<UInt8>) {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            self = String(decoding: bytes, as: UTF8.self)
        } else {
            var view = UnicodeScalarView()
            for byte in bytes { view.append(Unicode.Scalar(byte)) }
            self = String(view)
        }
    }

    /// Each byte as the Unicode scalar of the same number.
    package init(scalars bytes: Span<UInt8>) {
        if bytes.indices.allSatisfy({ bytes[$0] < 0x80 }),
            let text = try? UTF8Span(validating: bytes)
        {
            self = String(copying: text)
        } else {
            self.init(scalars: bytes.indices.map { bytes[$0] })
        }
    }

    /// The reverse of `init(scalars:)`.
    ///
    /// Scalars above 255 cannot be in a message; each becomes NUL, which no grammar of HTTP allows.
    package var scalarBytes: [UInt8] { unicodeScalars.map { UInt8(exactly: $0.value) ?? 0 } }

    /// How many bytes `scalarBytes` has.
    package var scalarCount: Int {
        var text = utf8Span
        return text.checkForASCII() ? text.count : unicodeScalars.count
    }

    /// With ASCII letters made small and all else as it is.
    package var asciiLowercased: String {
        guard utf8.contains(where: \.isUpperAlpha) else { return self }
        return String(decoding: utf8.map(\.lowercased), as: UTF8.self)
    }
}
