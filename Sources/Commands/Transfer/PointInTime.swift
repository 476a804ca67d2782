internal import Basics
internal import HTTPWire

/// A time of day as people give it: so long from now, or a date in UTC.
enum PointInTime {
    /// Seconds since 1970; nil for a text that is neither `10min` nor `2026-12-31T22:00:00Z`.
    static func parse(_ text: String, now: Int64) -> Int64? {
        if let span = try? Quantity.duration(text) {
            return now + (span.nanoseconds + 999_999_999) / 1_000_000_000
        }
        return date(text)
    }

    /// RFC 3339 in UTC, without fractions.
    private static func date(_ text: String) -> Int64? {
        let form = Array("0000-00-00T00:00:00Z".utf8)
        let bytes = Array(text.uppercased().utf8)
        guard bytes.count == form.count else { return nil }
        var digits: [Int64] = []
        for (byte, model) in zip(bytes, form) {
            if model == UInt8(ascii: "0") {
                guard (0x30...0x39).contains(byte) else { return nil }
                digits.append(Int64(byte) - 0x30)
            } else if byte != model {
                return nil
            }
        }
        let number = { (range: Range<Int>) in digits[range].reduce(Int64(0)) { $0 * 10 + $1 } }
        let (year, month, day) = (number(0..<4), number(4..<6), number(6..<8))
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        guard (1...12).contains(month), (1...daysIn(month, of: year)).contains(day), hour < 24,
            minute < 60, second < 61, year >= 1970
        else {
            return nil
        }
        return daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func daysIn(_ month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let before = year - 1
        let years = (year - 1970) * 365 + before / 4 - before / 100 + before / 400 - 477
        let months = (1..<month).reduce(Int64(0)) { $0 + daysIn($1, of: year) }
        return years + months + day - 1
    }
}
