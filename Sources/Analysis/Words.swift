internal import Basics

/// Numbers for people, without a locale.
enum Words {
    /// `1 try`, `2 tries`.
    static func count(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String
    {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }

    /// `1 byte`, `65,536 bytes`.
    static func bytes(_ number: UInt64) -> String {
        var digits = String(number)
        for place in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
        }
        return "\(digits) \(number == 1 ? "byte" : "bytes")"
    }

    /// Milliseconds below ten seconds, seconds with one decimal below two minutes, else minutes.
    static func time(_ time: Duration) -> String {
        let milliseconds = time.wholeMilliseconds
        if milliseconds < 10_000 { return "\(milliseconds) ms" }
        if milliseconds >= 120_000 { return "\(milliseconds / 60_000) min" }
        return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }

    /// `3 ms, 5 ms, 9 ms`, the middle left out of a long list.
    static func times(_ list: [Duration]) -> String {
        guard list.count > 8 else { return list.map(time).joined(separator: ", ") }
        let left = list.prefix(4).map(time).joined(separator: ", ")
        return "\(left), … \(list.suffix(3).map(time).joined(separator: ", "))"
    }
}

extension Words {
    /// With two decimals.
    static func decimal(_ value: Double) -> String {
        let hundredths = Int((min(value, 1e15) * 100).rounded())
        let rest = abs(hundredths % 100)
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
