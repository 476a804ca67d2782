/// Counts of packets as people write them: `50packets`, `2.5packets`.
enum PacketCount {
    /// More decimals than this are refused.
    static let maximumDecimals = 6

    /// Reads a count as an exact fraction.
    ///
    /// - Returns: numerator and denominator, a power of ten up to 10⁶; nil unless the text is a
    ///   decimal number of at most 9 digits before the point with the unit `packets` or `packet`.
    static func fraction(_ text: String) -> (numerator: UInt64, denominator: UInt64)? {
        guard let unit = ["packets", "packet"].first(where: { text.hasSuffix($0) }) else {
            return nil
        }
        var number = text.dropLast(unit.count)
        if number.last == " " { number.removeLast() }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy(isDigits), parts[0].count <= 9 else {
            return nil
        }
        let decimals = parts.count == 2 ? parts[1] : ""
        guard decimals.count <= maximumDecimals, let digits = UInt64(parts[0] + decimals) else {
            return nil
        }
        return (digits, decimals.reduce(1) { power, _ in power * 10 })
    }

    static func whole(_ text: String) -> Int? {
        guard let (count, denominator) = fraction(text), denominator == 1 else { return nil }
        return Int(exactly: count)
    }

    static func text(_ count: Int) -> String { count == 1 ? "1packet" : "\(count)packets" }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
