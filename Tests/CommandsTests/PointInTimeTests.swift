import Testing

@testable import Commands

/// Times of day from the command line.
@Suite struct PointInTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", Int64(0)), ("2000-02-29T12:34:56Z", 951_827_696),
        ("2026-11-21T20:00:00Z", 1_795_291_200), ("2100-03-01t00:00:00z", 4_107_542_400),
        ("10min", 1_600), ("1500ms", 1_002), ("0s", 1_000),
    ])
    func `a date in UTC and a time from now are read`(text: String, seconds: Int64) {
        #expect(PointInTime.parse(text, now: 1_000) == seconds)
    }

    @Test(arguments: [
        "", "10", "2026-11-21", "2026-11-21T20:00:00", "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-31T00:00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T20:60:00Z", "2026-11-21 20:00:00Z",
        "1969-12-31T23:59:59Z", "2026-11-2xT20:00:00Z",
    ])
    func `what is neither is refused`(text: String) {
        #expect(PointInTime.parse(text, now: 0) == nil)
    }
}
