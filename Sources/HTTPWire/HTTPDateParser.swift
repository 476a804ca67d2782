/// Reads the three forms of dates (RFC 9110 §5.6.7).
struct HTTPDateParser {
    private var scanner: FieldScanner
    private let now: HTTPDate

    init(_ text: String, now: HTTPDate) {
        scanner = FieldScanner(text)
        self.now = now
    }

    /// The date, if the text is one from end to end.
    mutating func date() -> CivilDate? {
        guard let isLong = weekday() else { return nil }
        let date =
            scanner.skip(word: ", ") ? (isLong ? obsoleteDate() : fixedDate()) : clockDate(isLong)
        return scanner.isAtEnd ? date : nil
    }

    /// Whether a day of the week stands there in full; nil if none stands there.
    private mutating func weekday() -> Bool? {
        for name in HTTPDate.weekdays where scanner.skip(word: name) { return true }
        for name in HTTPDate.weekdays where scanner.skip(word: String(name.prefix(3))) {
            return false
        }
        return nil
    }

    /// As in `06 Nov 1994 08:49:37 GMT`.
    private mutating func fixedDate() -> CivilDate? {
        guard let day = scanner.number(digits: 2...2), scanner.skip(" "),
            let month = month(), scanner.skip(" "),
            let year = scanner.number(digits: 4...4), scanner.skip(" "),
            let time = time(), scanner.skip(word: " GMT")
        else {
            return nil
        }
        return date(year, month, day, time)
    }

    /// As in `06-Nov-94 08:49:37 GMT`.
    private mutating func obsoleteDate() -> CivilDate? {
        guard let day = scanner.number(digits: 2...2), scanner.skip("-"),
            let month = month(), scanner.skip("-"),
            let year = scanner.number(digits: 2...2), scanner.skip(" "),
            let time = time(), scanner.skip(word: " GMT")
        else {
            return nil
        }
        return inRightCentury(year, month, day, time)
    }

    /// As in `Nov  6 08:49:37 1994`.
    private mutating func clockDate(_ isLong: Bool) -> CivilDate? {
        guard !isLong, scanner.skip(" "), let month = month(), scanner.skip(" "),
            let day = scanner.number(digits: scanner.skip(" ") ? 1...1 : 2...2), scanner.skip(" "),
            let time = time(), scanner.skip(" "), let year = scanner.number(digits: 4...4)
        else {
            return nil
        }
        return date(year, month, day, time)
    }

    private mutating func month() -> Int? {
        for (index, name) in HTTPDate.months.enumerated() where scanner.skip(word: name) {
            return index + 1
        }
        return nil
    }

    private typealias Time = (hour: Int, minute: Int, second: Int)

    private mutating func time() -> Time? {
        guard let hour = scanner.number(digits: 2...2), scanner.skip(":"),
            let minute = scanner.number(digits: 2...2), scanner.skip(":"),
            let second = scanner.number(digits: 2...2)
        else {
            return nil
        }
        return (hour, minute, second)
    }

    private func date(_ year: Int, _ month: Int, _ day: Int, _ time: Time) -> CivilDate? {
        CivilDate(
            year: year,
            month: month,
            day: day,
            hour: time.hour,
            minute: time.minute,
            second: time.second
        )
    }

    /// The latest year with these two digits that is not more than 50 years ahead.
    private func inRightCentury(
        _ yearOfCentury: Int,
        _ month: Int,
        _ day: Int,
        _ time: Time
    ) -> CivilDate? {
        let today = CivilDate(secondsSince1970: now.secondsSince1970)
        let limit = (today.year + 50, today.month, today.day, today.secondOfDay)
        let second = time.hour * 3_600 + time.minute * 60 + time.second
        let centuries = [1, 0, -1].map { (today.year / 100 + $0) * 100 + yearOfCentury }
        let year = centuries.first { ($0, month, day, second) <= limit }
        return year.flatMap { date($0, month, day, time) }
    }
}
