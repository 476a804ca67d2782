/// Moves over a head that has come whole, without taking it apart.
///
/// Each step says whether it found what it is for. Where a name or a value did not, the place is of no use
/// any more: the head is for a parser.
struct HeadScan {
    var index: Int

    /// Exactly this text; stays where it is if something else stands there.
    mutating func skip(_ text: some Collection<UInt8>, _ bytes: Span<UInt8>) -> Bool {
        let end = index + text.count
        guard end <= bytes.count, zip(index..<end, text).allSatisfy({ bytes[$0] == $1 }) else {
            return false
        }
        index = end
        return true
    }

    mutating func skipLineEnd(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count - index >= 2, bytes[index] == UInt8(ascii: "\r"),
            bytes[index + 1] == UInt8(ascii: "\n")
        else { return false }
        index += 2
        return true
    }

    /// The name of a field and its colon.
    mutating func skipName(_ bytes: Span<UInt8>) -> Range<Int>? {
        let start = index
        while index < bytes.count, bytes[index].isTokenCharacter { index += 1 }
        guard index > start, index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
            return nil
        }
        index += 1
        return start..<index - 1
    }

    /// The value of a field, or a reason phrase, without the blanks around it, and the end of its line.
    mutating func skipValue(_ bytes: Span<UInt8>) -> Range<Int>? {
        let start = index
        while index < bytes.count, bytes[index].isFieldCharacter { index += 1 }
        let value = bytes.trimmingBlanks(start..<index)
        return skipLineEnd(bytes) ? value : nil
    }
}

extension Span<UInt8> {
    func equals(_ other: [UInt8]) -> Bool {
        count == other.count && indices.allSatisfy { self[$0] == other[$0] }
    }

    /// Whether it is this text in small letters, case aside.
    func spells(_ text: String) -> Bool {
        count == text.utf8.count
            && zip(indices, text.utf8).allSatisfy { self[$0].lowercased == $1 }
    }
}
