import Basics
import Testing

@Suite struct UnitsTests {
    private static func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test(
        arguments: [
            (0, 0), (1, 1), (3_153_600_000_000_000_000, 3_153_600_000_000_000_000),
            (3_153_600_000_000_000_001, 3_153_600_000_000_000_000),
            (.max, 3_153_600_000_000_000_000),
        ] as [(UInt64, Int64)]
    )
    func `a count of nanoseconds from outside is a century at most`(count: UInt64, kept: Int64) {
        #expect(Duration.nanoseconds(clamping: count) == .nanoseconds(kept))
    }

    @Test(
        arguments: [
            (0, 0), (1, 1_000_000), (3_153_600_000_000, 3_153_600_000_000_000_000),
            (3_153_600_000_001, 3_153_600_000_000_000_000), (.max, 3_153_600_000_000_000_000),
        ] as [(UInt64, Int64)]
    )
    func `a count of milliseconds from outside is a century at most`(count: UInt64, kept: Int64) {
        #expect(Duration.milliseconds(clamping: count) == .nanoseconds(kept))
    }

    @Test func `a century may be added to a century`() {
        #expect(Instant.start + .century + .century > .start + .century)
    }

    @Test(arguments: [(5, 3, 2), (3, 3, 0), (3, 5, 0), (-1, -3, 2)] as [(Int64, Int64, Int64)])
    func `the time since an instant is never negative`(now: Int64, then: Int64, elapsed: Int64) {
        #expect(Self.at(now).elapsed(since: Self.at(then)) == .nanoseconds(elapsed))
    }

    @Test(
        arguments: [
            (5, 3, 8), (5, -3, 5), (.max - 1, 1, .max), (.max - 1, 2, .max), (.max, .max, .max),
        ] as [(Int64, Int64, Int64)]
    )
    func `an instant that no clock reaches is never`(begin: Int64, span: Int64, end: Int64) {
        #expect(Self.at(begin).later(by: .nanoseconds(span)) == Self.at(end))
    }

    @Test func `a span is told in whole units, rounded towards zero`() {
        let span = Duration.nanoseconds(-2_000_999_999)
        #expect(span.wholeSeconds == -2)
        #expect(span.wholeMilliseconds == -2_000)
        #expect(span.wholeMicroseconds == -2_000_999)
        #expect(Duration.seconds(7) / .milliseconds(2_001) == 3)
    }

    @Test func `spans are taken from instants and added to them`() {
        var time = Self.at(7) - .nanoseconds(9)
        #expect(time == Self.at(-2))
        time += .nanoseconds(5)
        #expect(time == Self.at(3))
    }
}
