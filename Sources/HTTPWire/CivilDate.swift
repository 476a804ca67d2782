/// A day and time of the proleptic Gregorian calendar in UTC, checked.
package struct CivilDate: Hashable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let secondOfDay: Int

    /// A time on a day; nil if there is no such day or time.
    ///
    /// A leap second, the 60th of the last minute of a day, is the first second of the next day.
    init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (0...9999).contains(year), (1...12).contains(month),
            (1...Self.days(in: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute),
            (0...59).contains(second) || (hour == 23 && minute == 59 && second == 60)
        else {
            return nil
        }
        self.year = year
        self.month = month
        self.day = day
        secondOfDay = hour * 3_600 + minute * 60 + second
    }

    /// The day and time at so many seconds since 1970.
    package init(secondsSince1970 seconds: Int) {
        let day = Self.floor(seconds, 86_400)
        secondOfDay = seconds - day * 86_400
        // Eras of 400 years and years that begin in March make leap days the last of their year.
        let shifted = day + 719_468
        let era = Self.floor(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var secondsSince1970: Int { daysSince1970 * 86_400 + secondOfDay }

    /// From 0, Monday.
    var weekday: Int {
        // 1 January 1970 was a Thursday.
        let days = daysSince1970 + 3
        return days - Self.floor(days, 7) * 7
    }

    private var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = Self.floor(shiftedYear, 400)
        let yearOfEra = shiftedYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Division that rounds towards minus infinity.
    private static func floor(_ dividend: Int, _ divisor: Int) -> Int {
        dividend / divisor - (dividend % divisor < 0 ? 1 : 0)
    }
}
