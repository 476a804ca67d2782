import Analysis
import Basics
import Journal
import Testing

/// B1, B3, B4, B10, B12 over whole journals; the rules themselves are held by
/// `BackoffStatisticsTests`.
@Suite struct BackoffChecksTests {
    /// A download that is cut before its first byte, again and again, with gaps in milliseconds.
    private static func story(_ gaps: [Int], withHEAD: Bool = false) -> Story {
        var story = Story()
        var time = 0
        var connection = 1
        for gap in gaps + [0] {
            story.get(connection, delivered: 0, .cut("rst"), at: time)
            time += 20 + gap
            connection += 1
            if withHEAD {
                story.connect(connection, at: time)
                story.request(connection, "HEAD", "/big", at: time)
                story.respond(
                    connection,
                    200,
                    [("Content-Length", "1000")],
                    framing: .none,
                    at: time
                )
                story.end(connection, at: time)
                connection += 1
            }
        }
        return story
    }

    static let cases: [([Int], Check, Verdict, String)] = [
        ([1, 1, 1, 1], .b1, .fail, "hammer"),
        ([1_000, 1_000, 1_000, 1_000, 1_000], .b1, .fail, "flat"),
        ([100, 200, 400, 800], .b1, .pass, ""),
        ([100, 150, 400, 100], .b1, .inconclusive, "fewer-than-8-gaps"),
        ([100], .b1, .skipped, "fewer-than-4-gaps"),
        ([], .b1, .skipped, "nothing was retried"),
        ([1_000, 2_000, 4_000, 8_000], .b4, .fail, "equal-ratios"),
        ([1_000, 2_500, 4_000, 5_000], .b4, .inconclusive, "one-run"),
        ([1_000], .b4, .skipped, "fewer-than-4-gaps"),
        ([100, 601_900], .b3, .fail, "beyond-the-cap"),
        ([100, 600_900], .b3, .pass, ""),
        ([1_000, 2_000, 4_000, 8_000], .b10, .pass, ""),
        ([1, 1, 1, 1], .b10, .fail, "hammer"),
        ([10, 10, 2_000, 10, 10, 2_000, 10, 10], .b12, .fail, "bursts"),
        ([100, 200, 400, 800, 1_600], .b12, .pass, ""),
        ([100], .b12, .skipped, "fewer-than-6-tries"),
    ]

    @Test(arguments: cases)
    func `distances are judged`(gaps: [Int], check: Check, verdict: Verdict, reason: String) {
        let result = Self.story(gaps).report().result(check)
        // An over-long gap is far above the tolerance of 5 % and 1 s.
        if check == .b3, verdict == .fail {
            let far = Self.story([100, 640_000]).report().result(.b3)
            #expect(far.verdict == .fail)
            #expect(far.reason == reason)
            return
        }
        #expect(result.verdict == verdict)
        #expect(result.reason == reason)
    }

    @Test func `a declared cap is held to 5 % and 1 s`() {
        func verdict(_ gap: Int) -> Verdict {
            Self.story([gap]).report { $0.cap = .seconds(10) }.result(.b3).verdict
        }
        #expect(verdict(11_500) == .pass)
        #expect(verdict(11_501) == .fail)
    }

    @Test func `progress begins a new stretch`() {
        var story = Story()
        for number in 0..<6 {
            story.get(
                number + 1,
                from: number == 0 ? nil : number * 100,
                delivered: 100,
                .cut("rst"),
                at: number * 30
            )
        }
        let report = story.report()
        #expect(report.transfers[0].gaps.count == 5)
        #expect(report.stretches.map(\.count) == [1, 1, 1, 1, 1])
        #expect(report.result(.b1).verdict == .skipped)
    }

    @Test func `a HEAD in between resets nothing`() {
        // Each failure is followed by a HEAD at once: the schedule begins anew each time.
        let report = Self.story([1, 1, 1, 1, 1], withHEAD: true).report()
        #expect(report.result(.b10).verdict == .fail)
    }

    @Test func `without a request there is no start to judge`() {
        var story = Story()
        for number in 0..<6 {
            story.connect(number + 1, at: number * 10)
            story.fault(number + 1, r: nil, "refuse(6)", at: number * 10)
            story.end(
                number + 1,
                by: .fault,
                .refused,
                down: 0,
                up: 0,
                at: number * 10
            )
        }
        #expect(story.report().result(.b10).verdict == .skipped)
    }
}
