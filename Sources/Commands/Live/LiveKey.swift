/// A key of the terminal, as the live view understands it.
enum LiveKey: Hashable, Sendable {
    /// A printable ASCII character.
    case character(UInt8)
    case enter, escape, backspace, up, down

    /// The keys of bytes that were typed together; what is unknown is left out.
    ///
    /// A lone ESC is the escape key: a terminal sends the sequence of an arrow in one piece.
    static func read(_ bytes: [UInt8]) -> [LiveKey] {
        var keys: [LiveKey] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x0A, 0x0D: keys.append(.enter)
            case 0x08, 0x7F: keys.append(.backspace)
            // Control-P and Control-N, as in a shell.
            case 0x10: keys.append(.up)
            case 0x0E: keys.append(.down)
            case 0x1B: keys += escape(&rest)
            case 0x20...0x7E: keys.append(.character(byte))
            default: break
            }
        }
        return keys
    }

    /// What follows ESC: a control sequence (ECMA-48 §5.4) up to its final byte, or nothing.
    private static func escape(_ rest: inout ArraySlice<UInt8>) -> [LiveKey] {
        guard let next = rest.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else {
            return [.escape]
        }
        rest.removeFirst()
        while let byte = rest.popFirst() {
            guard (0x40...0x7E).contains(byte) else { continue }
            switch byte {
            case UInt8(ascii: "A"): return [.up]
            case UInt8(ascii: "B"): return [.down]
            default: return []
            }
        }
        return []
    }
}
