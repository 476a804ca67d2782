/// What a name leads to: an IPv4 or an IPv6 address, without a port.
package struct NetworkAddress: Hashable, Sendable {
    /// Four or sixteen, in network order.
    package let bytes: [UInt8]

    /// Nil unless there are four or sixteen bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads `192.0.2.1` or `2001:db8::1` (RFC 4291 §2.2); nil for anything else.
    package init?(_ text: String) {
        guard let bytes = text.utf8.contains(UInt8(ascii: ":")) ? Self.ipv6(text) : Self.ipv4(text)
        else { return nil }
        self.bytes = bytes
    }

    /// The type of the record that holds it.
    package var type: RecordType { bytes.count == 4 ? .a : .aaaa }

    private static func ipv4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            // A zero in front would be octal for some programs.
            part.utf8.allSatisfy { (48...57).contains($0) } && (part == "0" || part.first != "0")
                ? UInt8(part) : nil
        }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func ipv6(_ text: String) -> [UInt8]? {
        var halves: [[UInt8]] = []
        // Both sides of a `::`, or the whole.
        var rest = text[...]
        while let gap = rest.indices.first(where: { rest[$0...].hasPrefix("::") }) {
            guard halves.isEmpty, let half = groups(rest[..<gap], endsAddress: false) else {
                return nil
            }
            halves.append(half)
            rest = rest[rest.index(gap, offsetBy: 2)...]
        }
        guard let last = groups(rest, endsAddress: true) else { return nil }
        guard let first = halves.first else { return last.count == 16 ? last : nil }
        let missing = 16 - first.count - last.count
        return missing >= 2 ? first + Array(repeating: 0, count: missing) + last : nil
    }

    private static func groups(_ text: Substring, endsAddress: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (place, part) in parts.enumerated() {
            if endsAddress, place == parts.count - 1, part.utf8.contains(UInt8(ascii: ".")) {
                guard let tail = ipv4(part) else { return nil }
                bytes += tail
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexadecimal),
                let group = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 255)]
        }
        return bytes.count <= 16 ? bytes : nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }

    /// The one way to write it (RFC 5952 §4).
    package var text: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        let gap = Self.longestZeros(groups)
        let parts = groups.map { String($0, radix: 16) }
        guard gap.count > 1 else { return parts.joined(separator: ":") }
        return parts[..<gap.lowerBound].joined(separator: ":") + "::"
            + parts[gap.upperBound...].joined(separator: ":")
    }

    /// The first of the longest.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int> {
        var best = 0..<0
        var start = 0
        for (place, group) in groups.enumerated() {
            if group != 0 { start = place + 1 }
            if place + 1 - start > best.count { best = start..<place + 1 }
        }
        return best
    }
}
