package import Basics

/// Amounts for people: exact, and in the largest unit that needs at most three decimals.
///
/// The canonical form has whole numbers only, `27100kbit/s`; this one is `27.1Mbit/s`. Both read as
/// the same amount.
extension Quantity {
    package static func readable(_ rate: BitRate) -> String {
        decimal(
            rate.bitsPerSecond,
            of: [
                ("Tbit/s", 1_000_000_000_000), ("Gbit/s", 1_000_000_000), ("Mbit/s", 1_000_000),
                ("kbit/s", 1_000),
            ]
        ) ?? text(rate)
    }

    package static func readable(_ duration: Duration) -> String {
        if duration >= .seconds(3_600), duration.nanoseconds.isMultiple(of: 3_600_000_000_000) {
            return "\(duration.nanoseconds / 3_600_000_000_000)h"
        }
        guard duration > .zero else { return text(duration) }
        return decimal(
            duration.nanoseconds.magnitude,
            of: [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)]
        ) ?? text(duration)
    }

    /// Nil if every unit would need more decimals, or is larger than the amount.
    private static func decimal(_ amount: UInt64, of units: [(String, UInt64)]) -> String? {
        for (unit, scale) in units where amount >= scale {
            let (thousandths, rest) = (amount % scale).quotientAndRemainder(
                dividingBy: max(1, scale / 1_000)
            )
            guard rest == 0 else { continue }
            var digits = String(thousandths)
            digits = String(repeating: "0", count: 3 - digits.count) + digits
            while digits.last == "0" { digits.removeLast() }
            return String(amount / scale) + (digits.isEmpty ? "" : ".\(digits)") + unit
        }
        return nil
    }
}
