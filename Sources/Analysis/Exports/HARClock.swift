internal import Journal

/// Times of a run as HTTP Archives have them.
struct HARClock {
    /// When the run began, since 1970-01-01T00:00:00Z.
    let beganMilliseconds: UInt64

    /// A moment of the run in ISO 8601, to the millisecond.
    func date(_ nanoseconds: UInt64) -> String {
        // The year 9999 is far enough.
        let milliseconds = min(beganMilliseconds, 1 << 47) + nanoseconds / 1_000_000
        let (day, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, date) = Self.civil(day: Int64(day))
        let seconds = rest / 1_000
        return
            "\(Self.pad(UInt64(year), 4))-\(Self.pad(UInt64(month), 2))-\(Self.pad(UInt64(date), 2))"
            + "T\(Self.pad(seconds / 3_600, 2)):\(Self.pad(seconds / 60 % 60, 2))"
            + ":\(Self.pad(seconds % 60, 2)).\(Self.pad(rest % 1_000, 3))Z"
    }

    /// A span in milliseconds, to the microsecond.
    static func milliseconds(_ microseconds: UInt64) -> JSONValue {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        return rest == 0 ? .number(whole) : .decimal("\(whole).\(pad(rest, 3))")
    }

    private static func pad(_ number: UInt64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// The date of a day since 1970-01-01 in the Gregorian calendar, by eras of 400 years that begin
    /// in March, so that a leap day is the last one of its year.
    private static func civil(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
