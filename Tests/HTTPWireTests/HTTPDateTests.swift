import HTTPWire
import Testing

@Suite struct HTTPDateTests {
    /// 1 July 2026.
    private static let now = HTTPDate(secondsSince1970: 1_782_864_000)

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func `the three forms say the same`(text: String) throws {
        let date = try #require(HTTPDate(text, now: Self.now))
        #expect(date.secondsSince1970 == 784_111_777)
        #expect(date.text == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
        (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
    ])
    func `seconds become the preferred form`(seconds: Int, text: String) {
        #expect(HTTPDate(secondsSince1970: seconds).text == text)
    }

    @Test func `days of ten thousand years read back`() {
        let days = stride(from: -719_528, through: 2_932_896, by: 1_009)
        let wrong = days.filter { day in
            let date = HTTPDate(secondsSince1970: day * 86_400 + (day & 0xFFFF))
            return HTTPDate(date.text, now: Self.now) != date
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        // At most 50 years ahead of 1 July 2026.
        ("76", 2076), ("77", 1977), ("26", 2026), ("99", 1999), ("00", 2000),
    ])
    func `a year of two digits is not far ahead`(digits: String, year: Int) throws {
        let date = try #require(HTTPDate("Sunday, 06-May-\(digits) 00:00:00 GMT", now: Self.now))
        #expect(date.text.split(separator: " ")[3] == "\(year)")
    }

    @Test func `exactly fifty years ahead is still ahead`() throws {
        let limit = try #require(HTTPDate("Monday, 01-Jul-76 00:00:00 GMT", now: Self.now))
        let later = try #require(HTTPDate("Monday, 01-Jul-76 00:00:01 GMT", now: Self.now))
        #expect(limit.text.contains("2076"))
        #expect(later.text.contains("1976"))
        let turn = HTTPDate(secondsSince1970: 946_684_799)
        #expect(
            HTTPDate("Friday, 31-Dec-49 23:59:59 GMT", now: turn)?.text.contains("2049") == true
        )
        #expect(
            HTTPDate("Saturday, 01-Jan-50 00:00:00 GMT", now: turn)?.text.contains("1950") == true
        )
    }

    @Test(arguments: [
        "", "0", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37",
        "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Tue, 29 Feb 2100 00:00:00 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:60 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 1994 GMT", "Sun Nov  06 08:49:37 1994",
        "Sunday Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 +0000",
        "Son, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 19944 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT",
    ])
    func `other text is no date`(text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }

    @Test func `a leap second is the next second`() {
        let leap = HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT", now: Self.now)
        #expect(leap?.text == "Sun, 01 Jan 2017 00:00:00 GMT")
    }
}
