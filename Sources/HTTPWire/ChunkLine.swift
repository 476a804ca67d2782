/// The line before a chunk: its size in hexadecimal digits and extensions (RFC 9112 §7.1).
enum ChunkLine {
    /// The size; extensions must follow their grammar and are otherwise passed over.
    static func size(_ line: [UInt8]) throws(MessageError) -> Int {
        var size = 0
        var index = 0
        while index < line.count, let digit = line[index].hexValue {
            guard size <= Int.max >> 4 else { throw .malformed("a chunk size is too large") }
            size = size << 4 | digit
            index += 1
        }
        guard index > 0 else { throw .malformed("a chunk size is not hexadecimal digits") }
        guard index == line.count || areExtensions(line[index...]) else {
            throw .malformed("a chunk size is followed by what is no extension")
        }
        return size
    }

    /// Whether these are `;name` and `;name=value`, with white space where it may stand.
    private static func areExtensions(_ bytes: ArraySlice<UInt8>) -> Bool {
        var scanner = FieldScanner(String(scalars: bytes))
        repeat {
            scanner.skipBlanks()
            guard scanner.skip(";") else { return false }
            scanner.skipBlanks()
            guard scanner.token() != nil else { return false }
            guard isEndOfExtension(&scanner) || isValue(&scanner) else { return false }
        } while !scanner.isAtEnd
        return true
    }

    private static func isEndOfExtension(_ scanner: inout FieldScanner) -> Bool {
        var ahead = scanner
        ahead.skipBlanks()
        return ahead.next == UInt8(ascii: ";") || scanner.isAtEnd
    }

    private static func isValue(_ scanner: inout FieldScanner) -> Bool {
        scanner.skipBlanks()
        guard scanner.skip("=") else { return false }
        scanner.skipBlanks()
        return scanner.token() != nil || scanner.quotedString() != nil
    }
}
