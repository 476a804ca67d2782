import Analysis
import Basics
import Journal
import Testing

/// B2, B5, B6, B11.
@Suite struct RetryLimitChecksTests {
    /// A 503, and the next request so many milliseconds later.
    private static func retry(
        after gap: Int,
        status: Int = 503,
        _ answer: Story.Fields = []
    ) -> Story {
        var story = Story()
        story.refuse(1, status: status, answer: answer, at: 0)
        story.get(2, at: 10 + gap)
        return story
    }

    // MARK: B2

    @Test(arguments: [
        (0, 503, Verdict.fail), (29, 503, .fail), (30, 503, .pass), (50, 503, .pass),
        (0, 429, .fail), (0, 500, .fail), (0, 409, .pass), (0, 501, .pass),
    ])
    func `a failing server is left alone for a moment`(gap: Int, status: Int, verdict: Verdict) {
        #expect(Self.retry(after: gap, status: status).report().result(.b2).verdict == verdict)
    }

    @Test func `after a failed connection at once is all right, once`() {
        func result(_ gaps: [Int]) -> CheckResult {
            var story = Story()
            var time = 0
            for (number, gap) in (gaps + [0]).enumerated() {
                story.get(number + 1, delivered: 0, .cut("rst"), at: time)
                time += 20 + gap
            }
            return story.report().result(.b2)
        }
        #expect(result([0]).verdict == .pass)
        #expect(result([0, 100]).verdict == .pass)
        #expect(result([0, 100, 0]).verdict == .fail)
        #expect(result([0, 0]).reason == "at-once")
        #expect(result([]).verdict == .skipped)
    }

    @Test func `a Retry-After of 0 invites at once`() {
        let story = Self.retry(after: 0, [("Retry-After", "0")])
        #expect(story.report().result(.b2).verdict == .skipped)
        #expect(story.report().result(.b6).verdict == .pass)
    }

    @Test(arguments: [("86400", Verdict.skipped), ("99999999999999", .fail)])
    func `a wait that no client can keep allows no immediate retry`(value: String, verdict: Verdict)
    {
        let story = Self.retry(after: 0, [("Retry-After", value)])
        #expect(story.report().result(.b2).verdict == verdict)
    }

    @Test func `a date of unknown distance allows an immediate retry, an invalid value does not`() {
        let past = Self.retry(after: 0, [("Retry-After", "Wed, 25 Nov 2026 10:00:00 GMT")])
        #expect(past.report().result(.b2).verdict == .skipped)
        let invalid = Self.retry(after: 0, [("Retry-After", "soon")])
        #expect(invalid.report().result(.b2).verdict == .fail)
    }

    // MARK: B5

    @Test func `tries are counted`() {
        func result(_ tries: Int) -> CheckResult {
            var story = Story()
            for number in 1...tries {
                story.get(number, delivered: 0, .cut("rst"), at: number * 100)
            }
            return story.report { $0.maximumTries = 5 }.result(.b5)
        }
        #expect(result(5).verdict == .pass)
        #expect(result(5).observed == "5 fruitless attempts for /big")
        #expect(result(6).verdict == .fail)
        #expect(result(6).reason == "too-many-tries")
    }

    @Test func `a try that brings the transfer forward is not in vain`() {
        func result(_ delivered: (Int) -> Int) -> CheckResult {
            var story = Story()
            var offset = 0
            for number in 1...12 {
                let count = delivered(number)
                story.get(number, from: offset, delivered: count, .cut("rst"), at: number * 100)
                offset += count
            }
            return story.report { $0.maximumTries = 5 }.result(.b5)
        }
        #expect(result { _ in 1 }.observed == "no fruitless attempts for /big")
        #expect(result { $0 == 6 ? 1 : 0 }.observed == "6 fruitless attempts for /big")
    }

    @Test func `parts of an upload that succeed are no tries`() {
        var story = Story()
        story.refuse(
            1,
            "POST",
            "/f",
            [("Upload-Length", "3000")],
            status: 201,
            answer: [("Location", "/u/1")],
            at: 0
        )
        for number in 0..<30 {
            story.send(
                2 + number,
                "PATCH",
                "/u/1",
                [("Upload-Offset", "\(number * 100)")],
                length: 100,
                status: 204,
                answer: [("Upload-Offset", "\(number * 100 + 100)")],
                at: 100 + number * 50
            )
        }
        #expect(story.report().result(.b5).verdict == .pass)
        #expect(story.report().tryCount == 1)
    }

    @Test func `a deadline is a limit, too`() {
        var story = Story()
        story.get(1, at: 0)
        story.command(signal: 9, isTimedOut: true, at: 60_000)
        #expect(story.report().result(.b5).reason == "deadline")
        #expect(Story().report().result(.b5).verdict == .skipped)
    }

    // MARK: B6

    @Test(arguments: [
        (969, "1", Verdict.fail), (970, "1", .pass), (1_000, "1", .pass), (9_000, "1", .pass),
        (0, "soon", .skipped), (0, "-1", .skipped), (0, "1, 2", .skipped),
        (0, "86400", .fail), (0, "86401", .skipped), (0, "99999999999999", .skipped),
    ])
    func `Retry-After is waited for`(gap: Int, value: String, verdict: Verdict) {
        let story = Self.retry(after: gap, [("Retry-After", value)])
        #expect(story.report().result(.b6).verdict == verdict)
    }

    @Test func `a date is good to a second, and needs the server's own`() {
        let date: Story.Fields = [("Retry-After", "Sat, 21 Nov 2026 09:00:04 GMT")]
        let now: Story.Fields = [("Date", "Sat, 21 Nov 2026 09:00:00 GMT")]
        #expect(Self.retry(after: 3_000, date + now).report().result(.b6).verdict == .pass)
        #expect(Self.retry(after: 2_999, date + now).report().result(.b6).verdict == .fail)
        #expect(Self.retry(after: 0, date).report().result(.b6).verdict == .skipped)
    }

    @Test(arguments: [(true, Verdict.pass), (false, .fail)])
    func `a request for another part is no retry if the one that failed comes later`(
        comesLater: Bool,
        verdict: Verdict
    ) {
        var story = Story()
        story.get(1, from: 0, delivered: 250, .cut("fin"), at: 0)
        story.connect(2, at: 100)
        story.request(2, "GET", "/big", [("Range", "bytes=250-499")], at: 101)
        story.respond(2, 503, [("Retry-After", "1")], framing: .none, at: 102)
        story.get(3, from: 500, at: 110)
        if comesLater { story.get(4, from: 250, at: 1_110) }
        #expect(story.report().result(.b6).verdict == verdict)
    }

    @Test func `who is late is told so, who never comes back is right`() {
        let late = Self.retry(after: 10_000, [("Retry-After", "1")]).report().result(.b6)
        #expect(late.verdict == .pass)
        #expect(late.observed.hasSuffix("rather late"))
        var story = Story()
        story.refuse(1, status: 429, answer: [("Retry-After", "86400")], at: 0)
        #expect(story.report().result(.b6).verdict == .pass)
        let early = Self.retry(after: 60_000, status: 429, [("Retry-After", "86400")])
        #expect(early.report().result(.b6).verdict == .fail)
    }

    @Test func `a number that no clock can hold is more than a day`() {
        let number = "99999999999999999999"
        let early = Self.retry(after: 60_000, [("Retry-After", number)])
        #expect(early.report().result(.b6).verdict == .skipped)
        var story = Story()
        story.refuse(1, status: 503, answer: [("Retry-After", number)], at: 0)
        #expect(
            story.report().result(.b6).observed == "no further try where more than a day was asked"
        )
    }

    // MARK: B11

    /// Refused connects at these times, in seconds, and a download after them.
    private static func outage(_ times: [Int], back: Int?, path: Bool = false) -> CheckResult {
        var story = Story()
        for (number, time) in times.enumerated() {
            story.connect(number + 1, at: time * 1_000)
            story.fault(number + 1, r: nil, "refuse(9)", at: time * 1_000)
            story.end(number + 1, by: .fault, .refused, down: 0, up: 0, at: time * 1_000)
        }
        if let back { story.get(times.count + 1, at: back * 1_000) }
        let report = story.report {
            $0.offersPathSource = path
            $0.cap = .seconds(30)
        }
        return report.result(.b11)
    }

    @Test func `an outage is waited for with few connects`() {
        let patient = [0, 1, 2, 4, 8, 16, 32, 64, 94, 124]
        #expect(Self.outage(patient, back: 150).verdict == .pass)
        let eager = Array(0..<14)
        #expect(Self.outage(eager, back: 14).verdict == .fail)
        #expect(Self.outage(eager, back: 14).reason == "too-many-connects")
        #expect(Self.outage([], back: 0).verdict == .skipped)
    }

    @Test func `six connects are counted for each minute, which ends with its last instant`() {
        // After the first five, the seventh comes just a minute after the first, or before it.
        let start = [0, 1, 2, 3, 4]
        #expect(
            Self.outage(start + [100, 110, 120, 130, 140, 150, 160], back: 170).verdict == .pass
        )
        let early = Self.outage(start + [100, 110, 120, 130, 140, 150, 159], back: 170)
        #expect(early.reason == "too-many-connects")
    }

    @Test func `a client that is told of the path returns soon after an outage`() {
        #expect(Self.outage([0, 1, 2], back: 7, path: true).verdict == .pass)
        #expect(Self.outage([0, 1, 2], back: 8, path: true).verdict == .fail)
        #expect(Self.outage([0, 1, 2], back: 8).verdict == .pass)
        #expect(Self.outage([0, 1, 2], back: 34).verdict == .fail)
        #expect(Self.outage([0, 1, 2], back: nil).verdict == .pass)
    }
}
