internal import Basics

/// Numbers as people read them: three significant digits and a unit.
enum Figures {
    /// As in `12.4 Mbit/s`.
    static func rate(bitsPerSecond: UInt64) -> String {
        scaled(bitsPerSecond, units: ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"])
    }

    /// As in `1.05 MB`.
    static func bytes(_ count: UInt64) -> String {
        scaled(count, units: ["B", "kB", "MB", "GB", "TB", "PB", "EB"])
    }

    /// As in `65.0 ms`, `2.33 s` or `3 min 20 s`.
    static func time(_ time: Duration) -> String {
        let sign = time < .zero ? "-" : ""
        let magnitude = time.nanoseconds.magnitude
        if magnitude >= 60_000_000_000 {
            let seconds = (magnitude + 500_000_000) / 1_000_000_000
            let hours = seconds / 3_600
            let minutes = seconds / 60 % 60
            return sign
                + (hours > 0 ? "\(hours) h \(minutes) min" : "\(minutes) min \(seconds % 60) s")
        }
        return sign + scaled(magnitude, units: ["ns", "us", "ms", "s"])
    }

    /// A clock such as `0:07` or `1:02:33`.
    static func clock(_ time: Duration) -> String {
        let seconds = max(.zero, time).wholeSeconds
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        let tail = twoDigits(seconds % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
    }

    /// As in `1,048,576`.
    static func grouped(_ number: UInt64) -> String {
        var groups: [Substring] = []
        var digits = Substring(String(number))
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }

    /// A number with a fixed count of decimals, rounded half up: `fixed(12345, scale: 1000, decimals: 2)`
    /// is `12.35`.
    static func fixed(_ value: UInt64, scale: UInt64, decimals: Int) -> String {
        let power = (0..<decimals).reduce(UInt64(1)) { product, _ in product * 10 }
        let whole = value / scale
        let rest = value % scale
        let (scaledRest, overflow) = rest.multipliedReportingOverflow(by: power)
        let fraction = overflow ? rest / (scale / power) : (scaledRest + scale / 2) / scale
        let carried = fraction >= power
        let digits = String(carried ? 0 : fraction)
        let integer = String(whole + (carried ? 1 : 0))
        guard decimals > 0 else { return integer }
        return integer + "." + String(repeating: "0", count: decimals - digits.count) + digits
    }

    /// A decimal number without zeros at its end.
    static func trimmed(_ number: String) -> String {
        guard number.contains(".") else { return number }
        var text = number[...]
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return String(text)
    }

    /// A count and its noun: `1 fault`, `3 faults`.
    static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : String(number)
    }

    private static func scaled(_ value: UInt64, units: [String]) -> String {
        var scale: UInt64 = 1
        var index = 0
        // 999.5 and more would be shown as 1000 of the smaller unit.
        while index + 1 < units.count && value / scale >= 1_000
            || index + 1 < units.count && scale > 1 && (value + scale / 2) / scale >= 1_000
        {
            scale *= 1_000
            index += 1
        }
        if scale == 1 { return "\(value) \(units[index])" }
        let whole = value / scale
        let decimals = whole >= 100 ? 0 : whole >= 10 ? 1 : 2
        return fixed(value, scale: scale, decimals: decimals) + " " + units[index]
    }
}
