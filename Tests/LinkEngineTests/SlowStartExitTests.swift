import Basics
import Testing

@testable import LinkEngine

/// The end of slow start, where the rate of the path is the limit.
@Suite struct SlowStartExitTests {
    /// 10 Mbit/s, a round trip of 60 ms, a queue of 50 packets; a rate x round trip is 50 segments.
    private func download(droppingIndexes indexes: [UInt64] = []) -> Download {
        var download = Download(responseBytes: 5_000_000, headBytes: 44)
        download.settings = .symmetric(
            delay: .milliseconds(30),
            rate: 10_000_000,
            queue: .packets(50)
        )
        download.settings.indexing = .packet
        if !indexes.isEmpty { download.settings.down.loss = .list(indexes) }
        return download
    }

    /// Without it the first flight that is too long loses half of itself in the queue.
    @Test func `slow start ends before it fills the queue`() {
        let packets = download().run(keepingPackets: true).packets
        let full = packets.filter { $0.fate == .full }
        #expect(full.allSatisfy { $0.enter > .start + .seconds(1) })
        #expect(full.count < 20)
    }

    /// Linux 6.18, each measured twice behind an emulator of packets: CUBIC, no pacing.
    ///
    /// Slow start ends at a small window, so each further loss costs time; after a queue that
    /// overflowed the window would be so large that none does.
    @Test(
        arguments: [
            ([177], 4.377), ([673], 4.368), ([177, 673], 4.560), ([177, 673, 1_526], 4.891),
            ([177, 673, 1_526, 1_582], 5.593), ([177, 673, 1_582], 4.891),
        ] as [([UInt64], Double)]
    )
    func `rare losses at a limited rate take as long as on Linux`(
        indexes: [UInt64],
        seconds: Double
    ) {
        let error = download(droppingIndexes: indexes).completion / seconds - 1
        #expect(abs(error) < 0.05)
    }

    private func samples(
        _ count: Int,
        _ exit: inout SlowStartExit,
        window: Int,
        milliseconds: Int64,
        next: inout Int,
        at times: (Int) -> Instant
    ) -> Bool {
        var ends = false
        for index in 0..<count {
            ends =
                exit.ends(
                    after: .milliseconds(milliseconds),
                    window: window,
                    acknowledged: next,
                    next: next + 100,
                    at: times(index)
                ) || ends
        }
        next += 101
        return ends
    }

    @Test func `a round trip that is longer by an eighth ends it, at eight samples`() {
        for (longer, isEnd) in [(110, false), (112, false), (113, true)] as [(Int64, Bool)] {
            for (count, window, expected) in [(9, 16, isEnd), (8, 16, false), (9, 15, false)] {
                var exit = SlowStartExit()
                var next = 0
                func far(_ index: Int) -> Instant { .start + .seconds(Int64(index)) }
                #expect(!samples(9, &exit, window: 16, milliseconds: 100, next: &next, at: far))
                let ends = samples(
                    count,
                    &exit,
                    window: window,
                    milliseconds: longer,
                    next: &next
                ) { far(100 + $0) }
                #expect(ends == expected, "\(longer) ms, \(count) samples, window \(window)")
            }
        }
    }

    @Test func `acknowledgements without a pause for half a round trip end it`() {
        for (gap, count, isEnd) in [(2, 26, false), (2, 27, true), (3, 60, false)]
            as [(Int64, Int, Bool)]
        {
            var exit = SlowStartExit()
            var next = 0
            let ends = samples(count, &exit, window: 16, milliseconds: 100, next: &next) {
                .start + .milliseconds(1_000 + gap * Int64($0))
            }
            #expect(ends == isEnd, "\(count) acknowledgements, \(gap) ms apart")
        }
    }
}
