import Basics
import LinkEngine
import Testing

/// Whatever a direction does, the other does too, and by itself.
@Suite struct LinkDirectionTests {
    private func at(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }

    private func link(_ configure: (inout LinkSettings) -> Void) -> Link {
        var settings = LinkSettings.symmetric(delay: .milliseconds(10))
        settings.tcp.handshake = false
        configure(&settings)
        var link = Link(settings: settings, seed: 1)
        link.open(0, at: .start)
        return link
    }

    /// When ten bytes sent at 100 ms arrive, in milliseconds.
    private func arrival(_ direction: Direction, over link: inout Link) -> Int64? {
        let stream = Stream(connection: 0, direction: direction)
        link.send(10, on: stream, at: at(100))
        link.advance(to: at(10_000))
        while let event = link.nextEvent() {
            if case .deliver(stream, _) = event.kind {
                return (event.at - .start).wholeMilliseconds
            }
        }
        return nil
    }

    private func outage(_ treatment: Outages.Treatment, length: Int64 = 100) -> Outages {
        let window = Outages.Window(at: .milliseconds(50), length: .milliseconds(length))
        return Outages(schedule: .windows([window], period: nil), treatment: treatment)
    }

    @Test(arguments: [Direction.down, .up])
    func `an outage holds its own direction only`(direction: Direction) {
        var held = link { $0[direction].outages = outage(.hold) }
        #expect(arrival(direction, over: &held) == 160)
        var other = link { $0[direction].outages = outage(.hold) }
        #expect(arrival(direction == .down ? .up : .down, over: &other) == 110)
    }

    @Test(arguments: [Direction.down, .up])
    func `each direction treats outages in its own way`(direction: Direction) {
        func mixed() -> Link {
            link {
                $0.down.outages = outage(direction == .down ? .drop : .hold)
                $0.up.outages = outage(direction == .up ? .drop : .hold)
            }
        }
        var dropping = mixed()
        #expect(arrival(direction, over: &dropping) ?? 0 > 1_000)
        var holding = mixed()
        #expect(arrival(direction == .down ? .up : .down, over: &holding) == 160)
    }

    @Test(arguments: [Direction.down, .up])
    func `losses are counted for their direction`(direction: Direction) {
        var lossy = link { $0[direction].loss = .list([0]) }
        #expect(arrival(direction, over: &lossy) ?? 0 > 1_000)
        #expect(lossy.lostCount == (direction == .down ? (1, 0) : (0, 1)))
    }

    @Test(arguments: [Direction.down, .up])
    func `new settings hold for open connections`(direction: Direction) {
        var link = link { _ in }
        var settings = link.settings
        settings[direction].delay = .milliseconds(200)
        link.apply(settings, at: at(50))
        #expect(arrival(direction, over: &link) == 300)
    }

    @Test(arguments: [Direction.down, .up])
    func `new losses hold for open connections`(direction: Direction) {
        var link = link { _ in }
        link.open(9, at: at(0))
        var settings = link.settings
        settings[direction].loss = .bernoulli(.perMille(1_000))
        link.apply(settings, at: at(50))
        link.send(5_000, on: Stream(connection: 9, direction: direction), at: at(60))
        link.advance(to: at(500))
        let lost = direction == .down ? link.lostCount.down : link.lostCount.up
        #expect(lost >= 4)
    }

    /// The window is half open: what enters at its end passes.
    @Test(arguments: [Direction.down, .up], [Outages.Treatment.drop, .hold])
    func `an outage ends at its end`(direction: Direction, treatment: Outages.Treatment) {
        var link = link { $0[direction].outages = outage(treatment, length: 50) }
        #expect(arrival(direction, over: &link) == 110)
    }

    @Test func `a blackout ends at its end`() {
        var link = link { _ in }
        link.blackOut(until: at(100), at: at(50))
        #expect(arrival(.down, over: &link) == 110)
    }

    /// 15 ms each way in the mean; earlier than that as often as later.
    @Test(arguments: [Direction.down, .up])
    func `uniform jitter shortens the way as often as it lengthens it`(direction: Direction) {
        var arrivals: [Int64] = []
        for seed in 0..<200 as Range<UInt64> {
            var settings = LinkSettings.symmetric(delay: .milliseconds(15))
            settings.tcp.handshake = false
            settings[direction].jitter = .uniform(.milliseconds(10))
            var link = Link(settings: settings, seed: seed)
            link.open(0, at: .start)
            if let time = arrival(direction, over: &link) { arrivals.append(time) }
        }
        #expect(arrivals.count == 200)
        #expect(arrivals.allSatisfy { 105...125 ~= $0 })
        // 100 of 200 in the mean, with a deviation of 7.
        #expect(72...128 ~= arrivals.count { $0 < 115 })
    }

    @Test func `a rate limits what is faster and leaves what is slower`() throws {
        let limit = try #require(BitRate(bitsPerSecond: 1_000_000))
        let slow = try #require(BitRate(bitsPerSecond: 999_999))
        let fast = try #require(BitRate(bitsPerSecond: 1_000_001))
        // 12,000 bits each: 12 kbit/s, and 12 Mbit/s.
        let slowTrace = try #require(DeliveryTrace(opportunitiesMilliseconds: [1_000]))
        let fastTrace = try #require(DeliveryTrace(opportunitiesMilliseconds: [1]))
        let cases: [(Capacity, Capacity)] = [
            (.unlimited, .rate(limit)), (.rate(slow), .rate(slow)), (.rate(fast), .rate(limit)),
            (.trace(slowTrace), .trace(slowTrace)), (.trace(fastTrace), .rate(limit)),
        ]
        for (before, after) in cases {
            var settings = LinkSettings()
            settings.down.capacity = before
            settings.up.capacity = before
            settings.limit(to: limit)
            #expect(settings.down.capacity == after)
            #expect(settings.up.capacity == after)
        }
    }
}
