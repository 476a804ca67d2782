import Basics
import Journal
import Testing

@testable import Commands

@Suite struct UpstreamNoticesTests {
    private func failure(_ ordinal: UInt32) -> JournalRecord {
        .upstream(ConnectionID(ordinal: ordinal), .refused, words: "no")
    }

    private func end(_ ordinal: UInt32) -> JournalRecord {
        let nothing = ConnectionEnd.Delivered(bytes: 0, isExact: true)
        return .connectionEnd(
            ConnectionEnd(
                connection: ConnectionID(ordinal: ordinal),
                by: .upstream,
                how: .rst,
                down: nothing,
                up: nothing
            )
        )
    }

    @Test func `an unreachable server is reported at once, then once a second with a count`() {
        var notices = UpstreamNotices()
        func line(_ ordinal: UInt32, _ milliseconds: Int64) -> String? {
            notices.line(
                "c\(ordinal) failed",
                of: failure(ordinal),
                now: .start + .milliseconds(milliseconds)
            )
        }
        #expect(line(1, 5_000) == "c1 failed")
        #expect(line(2, 5_001) == nil)
        #expect(line(3, 5_999) == nil)
        #expect(line(4, 6_000) == "c4 failed (and 2 connections before it)")
        #expect(line(5, 6_500) == nil)
        #expect(line(6, 7_000) == "c6 failed (and 1 connection before it)")
        #expect(line(7, 9_000) == "c7 failed")
        // Another proxy reports what came up a little before.
        #expect(line(8, 8_999) == nil)
    }

    @Test func `the end of a connection without a server is not told, another one is`() {
        var notices = UpstreamNotices()
        _ = notices.line("failed", of: failure(1), now: .start)
        #expect(notices.line("reset", of: end(1), now: Instant(nanoseconds: 1)) == nil)
        #expect(notices.line("reset", of: end(2), now: Instant(nanoseconds: 2)) == "reset")
        // The first one's number does not come again, and would be reported if it did.
        #expect(notices.line("reset", of: end(1), now: Instant(nanoseconds: 3)) == "reset")
    }

    @Test func `what the rules of a forward proxy refuse is told each time`() {
        var notices = UpstreamNotices()
        for ordinal in 1...3 {
            let record = JournalRecord.upstream(
                ConnectionID(ordinal: UInt32(ordinal)),
                .notAllowed,
                words: "no"
            )
            #expect(notices.line("not allowed", of: record, now: .start) == "not allowed")
        }
    }
}
