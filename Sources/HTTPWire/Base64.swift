/// Base64 with the usual alphabet (RFC 4648 §4).
package enum Base64 {
    /// Writes bytes, padded to whole groups of four digits.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var group = 0
        var bits = 0
        for byte in bytes {
            group = group << 8 | Int(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(digit(group >> bits & 0x3F))
            }
        }
        if bits > 0 { text.append(digit(group << (6 - bits) & 0x3F)) }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads bytes.
    ///
    /// - Parameters:
    ///   - text: digits and padding, nothing else.
    ///   - isStrict: whether padding must be there and the unused bits of the last digit be zero, so
    ///     that each value has exactly one form (RFC 4648 §3.2, §3.5).
    /// - Returns: nil if the text is not base64.
    package static func decode(
        _ text: some Collection<UInt8>,
        isStrict: Bool = true
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var group = 0
        var bits = 0
        let digits = text.prefix { $0 != UInt8(ascii: "=") }
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            group = (group << 6 | value) & 0xFF_FFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> bits))
            }
        }
        let padding = text.dropFirst(digits.count)
        guard bits != 6, padding.allSatisfy({ $0 == UInt8(ascii: "=") }),
            isPadded(digits.count, with: padding.count, isStrict)
        else {
            return nil
        }
        return isStrict && group & (1 << bits - 1) != 0 ? nil : bytes
    }

    package static func decode(_ text: String, isStrict: Bool = true) -> [UInt8]? {
        decode(text.utf8, isStrict: isStrict)
    }

    /// Whether so much padding belongs behind so many digits; without any is enough unless strict.
    private static func isPadded(_ digits: Int, with padding: Int, _ isStrict: Bool) -> Bool {
        padding == (4 - digits % 4) % 4 || (!isStrict && padding == 0)
    }

    private static func digit(_ value: Int) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + UInt8(value)
        case 26..<52: UInt8(ascii: "a") + UInt8(value - 26)
        case 52..<62: UInt8(ascii: "0") + UInt8(value - 52)
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
