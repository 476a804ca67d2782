/// Bytes as `%` and two hexadecimal digits (RFC 3986 §2.1).
package enum PercentEncoding {
    /// The bytes that text stands for; nil if a percent sign is not followed by two digits.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue else {
                return nil
            }
            bytes.append(UInt8(truncatingIfNeeded: high << 4 | low))
        }
        return bytes
    }

    /// Text as one path segment or query item: all but unreserved characters become escapes.
    package static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 { append(byte, to: &encoded, unless: byte.isUnreserved) }
        return String(scalars: encoded)
    }

    /// Text in which only the given ASCII characters become escapes.
    ///
    /// CR LF, which is one character of a string, is escaped as the two that it is.
    package static func escape(_ characters: String, in text: String) -> String {
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            append(byte, to: &escaped, unless: !characters.utf8.contains(byte))
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// Adds a byte as it is or as an escape.
    static func append(_ byte: UInt8, to bytes: inout [UInt8], unless isPlain: Bool) {
        if isPlain {
            bytes.append(byte)
        } else {
            bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

extension UInt8 {
    /// What never needs an escape (RFC 3986 §2.3).
    var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isAlpha || isDigit
        }
    }

    /// RFC 3986 §2.2.
    var isSubDelimiter: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
