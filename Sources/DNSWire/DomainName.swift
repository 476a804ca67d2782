/// The name of a domain as messages carry it (RFC 1035 §3.1).
///
/// Names that differ in the case of letters alone are equal (RFC 4343); each keeps the case that it came
/// with.
package struct DomainName: Hashable, Sendable {
    /// Labels, each behind its length, and the empty one of the root: 1 to 255 bytes.
    package let wire: [UInt8]
    /// The same in small letters.
    ///
    /// A length is at most 63, so none of them looks like a letter.
    private let folded: [UInt8]

    /// Bytes of a label and of a whole name (RFC 1035 §2.3.4).
    package static let labelLimit = 63
    package static let limit = 255

    package static let root = DomainName(wire: [0])

    init(wire: [UInt8]) {
        self.wire = wire
        folded = wire.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Reads `api.example.com`, with or without a dot at its end; nil for what is no name.
    package init?(_ text: String) {
        var bytes: [UInt8] = []
        let name = text.hasSuffix(".") ? text.dropLast() : text[...]
        for label in name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        {
            guard (1...Self.labelLimit).contains(label.count),
                label.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
            else { return nil }
            bytes.append(UInt8(label.count))
            bytes.append(contentsOf: label)
        }
        guard bytes.count < Self.limit else { return nil }
        self.init(wire: bytes + [0])
    }

    /// The name with one more label in front; nil if it would be too long.
    package func child(_ label: String) -> DomainName? {
        let size = label.utf8.count
        guard (1...Self.labelLimit).contains(size), wire.count + size + 1 <= Self.limit else {
            return nil
        }
        return DomainName(wire: [UInt8(size)] + Array(label.utf8) + wire)
    }

    package static func == (a: DomainName, b: DomainName) -> Bool { a.folded == b.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    /// In small letters, `api.example.com`; the root is `.`.
    ///
    /// Bytes that a name's text cannot have are escaped as `\032` (RFC 1035 §5.1).
    package var text: String {
        var labels: [String] = []
        var place = 0
        while folded[place] > 0 {
            let end = place + 1 + Int(folded[place])
            labels.append(folded[place + 1..<end].map(Self.shown).joined())
            place = end
        }
        return labels.isEmpty ? "." : labels.joined(separator: ".")
    }

    private static func shown(_ byte: UInt8) -> String {
        let isPlain =
            byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "\\")
        if isPlain { return String(Unicode.Scalar(byte)) }
        let digits = String(byte)
        return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }
}
