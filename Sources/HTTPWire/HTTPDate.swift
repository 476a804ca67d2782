/// A point in time as HTTP writes it, in whole seconds (RFC 9110 §5.6.7).
package struct HTTPDate: Hashable, Sendable, Comparable {
    package let secondsSince1970: Int

    /// What four digits of a year can say: the years 0 to 9999.
    package static let range = -62_167_219_200...253_402_300_799

    /// A time before or after all years of four digits becomes the nearest within them.
    package init(secondsSince1970: Int) {
        self.secondsSince1970 =
            min(max(secondsSince1970, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Reads any of the three forms that a recipient must accept; nil for other text.
    ///
    /// - Parameters:
    ///   - text: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    ///     `Sun Nov  6 08:49:37 1994`. The day of the week must be one, but need not fit.
    ///   - now: tells the century of a year of two digits; it is at most 50 years ahead.
    package init?(_ text: String, now: HTTPDate) {
        var parser = HTTPDateParser(text, now: now)
        guard let date = parser.date() else { return nil }
        self.init(secondsSince1970: date.secondsSince1970)
    }

    /// The preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var text: String {
        let date = CivilDate(secondsSince1970: secondsSince1970)
        let time = date.secondOfDay
        let clock = [time / 3_600, time / 60 % 60, time % 60].map { Self.digits($0, 2) }
        return Self.weekdays[date.weekday].prefix(3) + ", " + Self.digits(date.day, 2) + " "
            + Self.months[date.month - 1] + " " + Self.digits(date.year, 4) + " "
            + clock.joined(separator: ":") + " GMT"
    }

    package static func < (one: HTTPDate, other: HTTPDate) -> Bool {
        one.secondsSince1970 < other.secondsSince1970
    }

    static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
}
