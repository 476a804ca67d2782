/// What a Range field asks of an object (RFC 9110 §14.1.2).
package enum ByteRange: Hashable, Sendable {
    /// No range, or one that is to be ignored: another unit, several ranges, or nonsense.
    case whole
    case part(Range<UInt64>)
    /// Nothing of it lies within the object.
    case unsatisfiable

    package init(_ field: String?, size: UInt64) {
        self = field.flatMap { Self.parse($0, size: size) } ?? .whole
    }

    private static func parse(_ field: String, size: UInt64) -> ByteRange? {
        guard field.lowercased().hasPrefix("bytes="), !field.contains(",") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let first = number(ends[0])
        let last = number(ends[1])
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (true, false):
            guard let count = last else { return nil }
            if count == 0 || size == 0 { return .unsatisfiable }
            return .part((size - min(count, size))..<size)
        case (false, true):
            guard let first else { return nil }
            return first < size ? .part(first..<size) : .unsatisfiable
        case (false, false):
            guard let first, let last, first <= last else { return nil }
            return first < size ? .part(first..<(min(last, size - 1) + 1)) : .unsatisfiable
        case (true, true): return nil
        }
    }

    /// Digits only; a number too large to hold stands for the largest one.
    private static func number(_ text: Substring) -> UInt64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text) ?? (text.isEmpty ? nil : UInt64.max)
    }
}
