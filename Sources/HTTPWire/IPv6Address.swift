/// Text of IPv6 addresses (RFC 4291 §2.2).
enum IPv6Address {
    /// Whether this is eight groups, or fewer with one `::`, the last two perhaps as an IPv4 address.
    static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
        let colon = UInt8(ascii: ":")
        var groups = text.split(separator: colon, omittingEmptySubsequences: false)
        guard groups.count >= 3 else { return false }
        // An empty group at an end belongs to a `::` there.
        if groups[0].isEmpty {
            guard groups[1].isEmpty else { return false }
            groups.removeFirst()
        }
        if groups[groups.count - 1].isEmpty {
            guard groups.count >= 2, groups[groups.count - 2].isEmpty else { return false }
            groups.removeLast()
        }
        let gaps = groups.filter(\.isEmpty).count
        let given = groups.filter { !$0.isEmpty }
        guard gaps <= 1, let last = given.last else { return gaps == 1 }
        let endsInIPv4 = last.contains(UInt8(ascii: ".")) && !(groups.last?.isEmpty ?? true)
        let plain = endsInIPv4 ? given.dropLast() : given[...]
        guard plain.allSatisfy(isGroup), !endsInIPv4 || isIPv4(last) else { return false }
        let count = plain.count + (endsInIPv4 ? 2 : 0)
        return gaps == 1 ? count <= 7 : count == 8
    }

    private static func isGroup(_ text: ArraySlice<UInt8>) -> Bool {
        text.count <= 4 && text.allSatisfy { $0.hexValue != nil }
    }

    private static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(\.isDigit)
                    && (part.count == 1 || part.first != UInt8(ascii: "0"))
                    && (Int(String(scalars: part)) ?? 256) <= 255
            }
    }
}
