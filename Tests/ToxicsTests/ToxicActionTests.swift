import Basics
import Testing
import Toxics

@Suite struct ToxicActionTests {
    @Test func `noop passes bytes and end at once`() {
        var line = Timeline(.noop)
        line.send(100, atMilliseconds: 5)
        line.finish(atMilliseconds: 6)
        #expect(line.events == [.deliver(100), .finished])
        #expect(line.entries.map(\.milliseconds) == [5, 6])
    }

    // MARK: Latency

    @Test func `latency delays each piece from when it came, and the end follows the last byte`() {
        var line = Timeline(.latency(milliseconds: 100, jitterMilliseconds: 0))
        line.send(10, atMilliseconds: 0)
        line.send(20, atMilliseconds: 30)
        line.finish(atMilliseconds: 40)
        line.advance(toMilliseconds: 1_000)
        #expect(line.events == [.deliver(10), .deliver(20), .finished])
        #expect(line.entries.map(\.milliseconds) == [100, 130, 130])
    }

    @Test func `latency does not delay an end without bytes`() {
        var line = Timeline(.latency(milliseconds: 100, jitterMilliseconds: 0))
        line.finish(atMilliseconds: 3)
        #expect(line.entries.map(\.milliseconds) == [3])
    }

    @Test func `two latencies add up`() {
        var line = Timeline(
            .latency(milliseconds: 100, jitterMilliseconds: 0),
            .latency(milliseconds: 20, jitterMilliseconds: 0)
        )
        line.send(1, atMilliseconds: 7)
        line.advance(toMilliseconds: 1_000)
        #expect(line.entries.map(\.milliseconds) == [127])
    }

    @Test func `latency below zero passes at once`() {
        var line = Timeline(.latency(milliseconds: -5, jitterMilliseconds: -5))
        line.send(1, atMilliseconds: 7)
        #expect(line.entries.map(\.milliseconds) == [7])
    }

    @Test func `jitter stays within its bounds, fills them and keeps the order`() {
        var delays: Set<Double> = []
        for connection in 0..<400 as Range<UInt64> {
            var line = Timeline(
                [.on(1, .latency(milliseconds: 50, jitterMilliseconds: 10))],
                connection: connection
            )
            line.send(1, atMilliseconds: 0)
            line.send(2, atMilliseconds: 0)
            line.advance(toMilliseconds: 1_000)
            #expect(line.events == [.deliver(1), .deliver(2)])
            delays.insert(line.entries[0].milliseconds)
        }
        // All 20 values of [40, 60) come up in 400 draws; one missing has a chance of 20·0.95⁴⁰⁰.
        #expect(delays == Set((40..<60).map(Double.init)))
    }

    @Test func `a change of latency lets go what waits`() {
        var line = Timeline(.latency(milliseconds: 60_000, jitterMilliseconds: 0))
        line.send(1, atMilliseconds: 0)
        let changed = Toxic.on(1, .latency(milliseconds: 10, jitterMilliseconds: 0))
        line.apply([changed], atMilliseconds: 5)
        line.send(2, atMilliseconds: 6)
        line.advance(toMilliseconds: 100)
        #expect(line.entries.map(\.milliseconds) == [5, 16])
    }

    @Test func `latency without end never comes due`() {
        let most = Int64(1) << 40
        var line = Timeline(
            .latency(milliseconds: most, jitterMilliseconds: most),
            .latency(milliseconds: most, jitterMilliseconds: most),
            .latency(milliseconds: most, jitterMilliseconds: most),
            .latency(milliseconds: most, jitterMilliseconds: most),
            .latency(milliseconds: most, jitterMilliseconds: most)
        )
        line.send(1, atMilliseconds: 1_000_000)
        line.advance(toMilliseconds: 2_000_000)
        line.apply([], atMilliseconds: 2_000_001)
        #expect(line.events == [.deliver(1)])
    }

    // MARK: Bandwidth

    @Test func `bandwidth lets bytes leave at its rate, in small steps`() {
        var line = Timeline(.bandwidth(kilobytesPerSecond: 100))
        for _ in 0..<10 { line.send(20_000, atMilliseconds: 0) }
        line.advance(toMilliseconds: 10_000)
        #expect(line.delivered == 200_000)
        #expect(line.lastMilliseconds == 2_000)
        for entry in line.entries {
            guard case .deliver(let count) = entry.event else { continue }
            #expect(count <= 400)
        }
    }

    @Test func `no window of 20 ms carries more than one and a half times the rate`() {
        var line = Timeline(.bandwidth(kilobytesPerSecond: 1_000))
        for step in 0..<50 { line.send(30_000, atMilliseconds: Double(step) * 7) }
        line.advance(toMilliseconds: 100_000)
        for first in line.entries {
            let window = line.entries.filter {
                $0.milliseconds >= first.milliseconds && $0.milliseconds < first.milliseconds + 20
            }
            let bytes = window.reduce(0) { sum, entry in
                if case .deliver(let count) = entry.event { sum + count } else { sum }
            }
            #expect(bytes <= 30_000)
        }
    }

    @Test func `bandwidth earns nothing while idle`() {
        var line = Timeline(.bandwidth(kilobytesPerSecond: 10))
        line.send(100, atMilliseconds: 0)
        line.send(100, atMilliseconds: 1_000)
        line.finish(atMilliseconds: 1_000)
        line.advance(toMilliseconds: 2_000)
        #expect(line.entries.map(\.milliseconds) == [10, 1_010, 1_010])
    }

    @Test(arguments: [0, -3] as [Int64])
    func `bandwidth without a rate passes nothing but an end without bytes`(rate: Int64) {
        var line = Timeline(.bandwidth(kilobytesPerSecond: rate))
        line.send(100, atMilliseconds: 0)
        line.finish(atMilliseconds: 1)
        line.advance(toMilliseconds: 1_000_000)
        #expect(line.events == [])
        line.apply([.on(1, .bandwidth(kilobytesPerSecond: 1))], atMilliseconds: 1_000_000)
        line.advance(toMilliseconds: 2_000_000)
        #expect(line.events == [.deliver(100), .finished])
        #expect(line.lastMilliseconds == 1_000_100)

        var empty = Timeline(.bandwidth(kilobytesPerSecond: rate))
        empty.finish(atMilliseconds: 1)
        #expect(empty.events == [.finished])
    }

    @Test func `the greatest bandwidth passes at once`() {
        var line = Timeline(.bandwidth(kilobytesPerSecond: 1 << 40))
        line.send(1 << 20, atMilliseconds: 0)
        line.advance(toMilliseconds: 1)
        #expect(line.delivered == 1 << 20)
    }

    // MARK: Ends

    @Test func `slow close delays the end alone`() {
        var line = Timeline(.slowClose(delayMilliseconds: 200))
        line.send(5, atMilliseconds: 1)
        line.finish(atMilliseconds: 2)
        line.advance(toMilliseconds: 1_000)
        #expect(line.events == [.deliver(5), .finished])
        #expect(line.entries.map(\.milliseconds) == [1, 202])
    }

    @Test func `slow close delays the close of another toxic, too`() {
        var line = Timeline(.limitData(bytes: 10), .slowClose(delayMilliseconds: 50))
        line.send(10, atMilliseconds: 1)
        line.advance(toMilliseconds: 50)
        #expect(line.events == [.deliver(10)])
        line.advance(toMilliseconds: 51)
        #expect(line.events == [.deliver(10), .close(by: 1)])
        #expect(line.lastMilliseconds == 51)
    }

    @Test func `timeout drops everything and closes after silence`() {
        var line = Timeline(.timeout(milliseconds: 100))
        line.send(5, atMilliseconds: 10)
        line.send(6, atMilliseconds: 90)
        line.advance(toMilliseconds: 1_000)
        #expect(line.events == [.drop(5), .drop(6), .close(by: 1)])
        #expect(line.lastMilliseconds == 190)
    }

    @Test func `timeout of nothing never closes, and its removal does`() {
        for limit in [0, -1] as [Int64] {
            var line = Timeline(.timeout(milliseconds: limit))
            line.send(5, atMilliseconds: 10)
            line.advance(toMilliseconds: 1_000_000)
            #expect(line.events == [.drop(5)])
            line.apply([], atMilliseconds: 1_000_001)
            #expect(line.events == [.drop(5), .close(by: 1)])
        }
    }

    @Test func `an end passes a timeout at once`() {
        var line = Timeline(.timeout(milliseconds: 0))
        line.send(5, atMilliseconds: 10)
        line.finish(atMilliseconds: 11)
        #expect(line.events == [.drop(5), .finished])
        #expect(line.lastMilliseconds == 11)
    }

    @Test(
        arguments: [
            .latency(milliseconds: .max, jitterMilliseconds: .max),
            .latency(milliseconds: .min, jitterMilliseconds: .min),
            .bandwidth(kilobytesPerSecond: .max), .bandwidth(kilobytesPerSecond: .min),
            .slowClose(delayMilliseconds: .max), .slowClose(delayMilliseconds: .min),
            .timeout(milliseconds: .max), .timeout(milliseconds: .min),
            .resetPeer(afterMilliseconds: .max), .resetPeer(afterMilliseconds: .min),
            .slicer(averageBytes: 1, variationBytes: .max, delayMicroseconds: .min),
            .slicer(averageBytes: .max, variationBytes: .min, delayMicroseconds: .max),
            .slicer(averageBytes: .min, variationBytes: 1, delayMicroseconds: 1),
            .limitData(bytes: .max), .limitData(bytes: .min),
        ] as [ToxicAction]
    )
    func `no number overflows`(action: ToxicAction) {
        var line = Timeline(action)
        for time in 1...5 { line.send(40_000, atMilliseconds: Double(time)) }
        line.finish(atMilliseconds: 6)
        line.advance(toMilliseconds: 10_000)
        line.apply([], atMilliseconds: 10_001)
        #expect(!line.events.isEmpty)
    }

    @Test func `a slicer that varies more than its average passes every byte`() {
        let action = ToxicAction.slicer(
            averageBytes: 10,
            variationBytes: 500,
            delayMicroseconds: -1
        )
        var line = Timeline(action)
        line.send(10_000, atMilliseconds: 1)
        line.advance(toMilliseconds: 2)
        let sizes = line.events.compactMap { event -> Int? in
            if case .deliver(let count) = event { count } else { nil }
        }
        #expect(sizes.count > 1 && sizes.reduce(0, +) == 10_000)
        #expect(line.lastMilliseconds == 1)
    }

    @Test func `removing a timeout leaves alone what it did not hit`() {
        var line = Timeline([.on(1, .timeout(milliseconds: 10), chance: .zero)])
        line.send(5, atMilliseconds: 10)
        line.apply([], atMilliseconds: 20)
        line.send(6, atMilliseconds: 30)
        #expect(line.events == [.deliver(5), .deliver(6)])
    }

    @Test func `reset peer waits for the first byte, drops it, and resets`() {
        var line = Timeline(.resetPeer(afterMilliseconds: 50))
        line.advance(toMilliseconds: 1_000)
        #expect(line.events == [])
        line.send(5, atMilliseconds: 1_000)
        line.send(6, atMilliseconds: 1_010)
        line.advance(toMilliseconds: 2_000)
        #expect(line.events == [.drop(5), .drop(6), .reset(by: 1)])
        #expect(line.lastMilliseconds == 1_050)
    }

    @Test func `reset peer resets at the end of a stream without bytes`() {
        var line = Timeline(.resetPeer(afterMilliseconds: 0))
        line.finish(atMilliseconds: 4)
        #expect(line.events == [.reset(by: 1)])
    }

    @Test func `a reset that waits follows a change and ends with the toxic`() {
        let toxic = Toxic.on(1, .resetPeer(afterMilliseconds: 60_000))
        var line = Timeline([toxic])
        line.send(5, atMilliseconds: 0)
        var changed = line
        changed.apply([.on(1, .resetPeer(afterMilliseconds: 20))], atMilliseconds: 50)
        #expect(changed.events == [.drop(5), .reset(by: 1)])
        line.apply([], atMilliseconds: 60)
        line.send(7, atMilliseconds: 70)
        #expect(line.events == [.drop(5), .deliver(7)])
    }

    @Test func `a reset overtakes what waits behind it`() {
        var line = Timeline(
            .resetPeer(afterMilliseconds: 10),
            .latency(milliseconds: 1_000, jitterMilliseconds: 0)
        )
        line.send(5, atMilliseconds: 0)
        line.advance(toMilliseconds: 10)
        #expect(line.events.last == .reset(by: 1))
    }

    @Test(arguments: [0, 1, 9, 10, 11, 40_000])
    func `limit data passes exactly its bytes, then closes`(limit: Int) {
        var line = Timeline(.limitData(bytes: Int64(limit)))
        for step in 0..<10 { line.send(9_001, atMilliseconds: Double(step)) }
        #expect(line.delivered == limit)
        #expect(line.events.last == .close(by: 1))
        var none = Timeline(.limitData(bytes: -4))
        none.advance(toMilliseconds: 10)
        #expect(none.events == [])
        none.send(1, atMilliseconds: 11)
        #expect(none.delivered == 0)
        #expect(none.events.contains(.close(by: 1)))
    }

    @Test func `limit data closes with its last byte, not with the next one`() {
        var line = Timeline(.limitData(bytes: 100))
        line.send(99, atMilliseconds: 0)
        #expect(line.events == [.deliver(99)])
        line.send(1, atMilliseconds: 1)
        #expect(line.events == [.deliver(99), .deliver(1), .close(by: 1)])
    }

    @Test func `limit data counts on through changes`() {
        var line = Timeline(.limitData(bytes: 100))
        line.send(60, atMilliseconds: 0)
        line.apply([.on(1, .limitData(bytes: 70))], atMilliseconds: 1)
        line.send(60, atMilliseconds: 2)
        #expect(line.events == [.deliver(60), .deliver(10), .close(by: 1)])
    }

    // MARK: Slices

    @Test func `slicer cuts to its sizes with a pause after each slice`() {
        var line = Timeline(
            .slicer(averageBytes: 100, variationBytes: 20, delayMicroseconds: 20_000)
        )
        line.send(1_000, atMilliseconds: 0)
        line.finish(atMilliseconds: 0)
        line.advance(toMilliseconds: 10_000)
        let sizes = line.events.compactMap { event in
            if case .deliver(let count) = event { count } else { nil }
        }
        #expect(sizes.reduce(0, +) == 1_000)
        #expect(sizes.allSatisfy { $0 <= 120 && $0 >= 40 })
        for (index, entry) in line.entries.enumerated() {
            #expect(entry.milliseconds == Double(index) * 20)
        }
        #expect(line.events.last == .finished)
    }

    @Test(arguments: [(119, 1), (120, 1), (121, 2)])
    func `slicer leaves a piece that is not above average and variation`(
        bytes: Int,
        slices: Int
    ) {
        var line = Timeline(
            .slicer(averageBytes: 100, variationBytes: 20, delayMicroseconds: 0)
        )
        line.send(bytes, atMilliseconds: 0)
        line.advance(toMilliseconds: 1)
        #expect(line.events.count == slices && line.delivered == bytes)
    }

    @Test func `slicer without an average cuts nothing`() {
        var line = Timeline(.slicer(averageBytes: 0, variationBytes: 0, delayMicroseconds: 0))
        line.send(32_768, atMilliseconds: 0)
        #expect(line.events == [.deliver(32_768)])
    }

    @Test func `slicer cuts down to single bytes`() {
        var line = Timeline(.slicer(averageBytes: 1, variationBytes: 0, delayMicroseconds: 0))
        line.send(1_000, atMilliseconds: 0)
        #expect(line.events == Array(repeating: .deliver(1), count: 1_000))
    }
}
