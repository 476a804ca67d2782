/// Reads a field value from front to back.
///
/// What does not match is left where it is and answered with nil or false, so callers can try one
/// form after the other.
struct FieldScanner {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ value: String) { bytes = value.scalarBytes }

    var isAtEnd: Bool { offset == bytes.count }

    /// The next byte, which stays.
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func take() -> UInt8? {
        guard offset < bytes.count else { return nil }
        offset += 1
        return bytes[offset - 1]
    }

    mutating func skip(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        offset += 1
        return true
    }

    /// Skips a word, case and all, or nothing.
    mutating func skip(word: String) -> Bool {
        guard bytes[offset...].starts(with: word.utf8) else { return false }
        offset += word.utf8.count
        return true
    }

    mutating func take(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = offset
        while offset < bytes.count, belongs(bytes[offset]) { offset += 1 }
        return bytes[start..<offset]
    }

    /// Optional white space (RFC 9110 §5.6.3).
    mutating func skipBlanks() {
        while offset < bytes.count, bytes[offset].isBlank { offset += 1 }
    }

    /// A token (RFC 9110 §5.6.2).
    mutating func token() -> String? {
        let bytes = take(while: \.isTokenCharacter)
        return bytes.isEmpty ? nil : String(scalars: bytes)
    }

    /// Decimal digits, as many as there are, if their number is allowed and the value fits.
    mutating func number(digits allowed: ClosedRange<Int>) -> Int? {
        let start = offset
        let digits = take(while: \.isDigit)
        var value = 0
        for digit in digits {
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.addingReportingOverflow(Int(digit - 0x30))
            if isTooLarge || overflows {
                offset = start
                return nil
            }
            value = sum
        }
        guard allowed.contains(digits.count) else {
            offset = start
            return nil
        }
        return value
    }

    /// The content of a quoted string (RFC 9110 §5.6.4); nil, and nothing read, if there is none.
    mutating func quotedString() -> String? {
        let start = offset
        guard skip("\"") else { return nil }
        var content: [UInt8] = []
        while let byte = take() {
            switch byte {
            case UInt8(ascii: "\""): return String(scalars: content)
            case UInt8(ascii: "\\"):
                guard let escaped = take(), escaped.isFieldCharacter else {
                    offset = start
                    return nil
                }
                content.append(escaped)
            case _ where byte.isFieldCharacter: content.append(byte)
            default:
                offset = start
                return nil
            }
        }
        offset = start
        return nil
    }
}
