import Basics
import LinkEngine
import Testing

@Suite struct LinkOutageTests {
    private static let stream = Stream(connection: 0, direction: .down)

    private static func settings(_ treatment: Outages.Treatment = .drop) -> LinkSettings {
        var settings = LinkSettings.symmetric(delay: .milliseconds(10))
        settings.tcp.handshake = false
        let window = Outages.Window(at: .milliseconds(1_000), length: .milliseconds(500))
        for direction in Direction.allCases {
            settings[direction].outages = Outages(
                schedule: .windows([window], period: nil),
                treatment: treatment
            )
        }
        return settings
    }

    private static func at(_ milliseconds: Int64) -> Instant {
        .start + .milliseconds(milliseconds)
    }

    @Test func `outages that stay as they are go on when other settings change`() {
        var link = Link(settings: Self.settings(), seed: 1)
        var changed = Self.settings()
        changed.down.loss = .bernoulli(.perMille(5))
        link.apply(changed, at: Self.at(900))
        #expect(!link.outage(at: Self.at(950)).isPresent)
        #expect(link.outage(at: Self.at(1_200)).isPresent)
        #expect(link.outage(at: Self.at(1_200)).changesAt == Self.at(1_500))
    }

    @Test func `other outages begin when they come, those of the other direction do not`() {
        var link = Link(settings: Self.settings(), seed: 1)
        var changed = Self.settings()
        let window = Outages.Window(at: .milliseconds(300), length: .milliseconds(100))
        changed.down.outages.schedule = .windows([window], period: nil)
        link.apply(changed, at: Self.at(400))
        #expect(link.outage(at: Self.at(650)).changesAt == Self.at(700))
        #expect(link.outage(at: Self.at(750)).isPresent)
        #expect(!link.outage(at: Self.at(850)).isPresent)
        #expect(link.outage(at: Self.at(1_100)).isPresent)
    }

    @Test func `recurring outages keep their intervals`() {
        var settings = Self.settings()
        let windows = [1_000, 3_000].map { (time: Int64) in
            Outages.Window(at: .milliseconds(time), length: .milliseconds(500))
        }
        for direction in Direction.allCases {
            settings[direction].outages.schedule = .windows(windows, period: .seconds(10))
        }
        let link = Link(settings: settings, seed: 1)
        let ends = stride(from: 0, to: 40_000, by: 100).map { link.outage(at: Self.at($0)) }
            .filter(\.isPresent).map(\.changesAt)
        let expected = [1_500, 3_500, 11_500, 13_500, 21_500, 23_500, 31_500, 33_500] as [Int64]
        #expect(ends == expected.flatMap { Array(repeating: Self.at($0), count: 5) })
    }

    @Test func `a blackout moves no outage of the settings`() {
        var link = Link(settings: Self.settings(), seed: 1)
        link.blackOut(until: Self.at(800), at: Self.at(700))
        #expect(link.outage(at: Self.at(750)).isPresent)
        #expect(link.outage(at: Self.at(750)).changesAt == Self.at(800))
        #expect(!link.outage(at: Self.at(850)).isPresent)
        #expect(link.outage(at: Self.at(850)).changesAt == Self.at(1_000))
        #expect(link.outage(at: Self.at(1_200)).isPresent)
        #expect(!link.outage(at: Self.at(1_500)).isPresent)
    }

    @Test(arguments: [Outages.Treatment.drop, .hold])
    func `what meets a blackout is sent again after it, whenever that ends`(
        treatment: Outages.Treatment
    ) {
        var link = Link(settings: Self.settings(treatment), seed: 1)
        link.open(0, at: .start)
        link.blackOut(until: Self.at(1_000_000), at: Self.at(100))
        link.send(3_000, on: Self.stream, at: Self.at(110))
        link.blackOut(until: .start, at: Self.at(300))
        link.advance(to: Self.at(8_000))
        var delivered = 0
        while let event = link.nextEvent() {
            guard case .deliver(Self.stream, let count) = event.kind else { continue }
            #expect(event.at > Self.at(300))
            delivered += count
        }
        #expect(delivered == 3_000)
        #expect(link.lostCount.down > 0)
    }

    @Test func `how time is sliced changes nothing around a blackout`() {
        func run(_ sliceMicroseconds: Int64) -> [LinkEvent] {
            var link = Link(settings: Self.settings(), seed: 3)
            var time = Instant.start
            func advance(_ link: inout Link, to end: Instant) {
                while time < end {
                    time = min(end, time + .microseconds(sliceMicroseconds))
                    link.advance(to: time)
                }
            }
            link.open(0, at: .start)
            link.send(400_000, on: Self.stream, at: .start)
            advance(&link, to: Self.at(45))
            link.blackOut(until: Self.at(220), at: Self.at(45))
            advance(&link, to: Self.at(2_000))
            link.blackOut(until: Self.at(9_000), at: Self.at(2_000))
            advance(&link, to: Self.at(2_300))
            link.blackOut(until: .start, at: Self.at(2_300))
            link.finish(Self.stream, at: Self.at(2_300))
            advance(&link, to: Self.at(6_000))
            var events: [LinkEvent] = []
            while let event = link.nextEvent() { events.append(event) }
            return events
        }
        let whole = run(6_000_000)
        #expect(whole.last?.kind == .finished(Self.stream))
        #expect(run(1_700) == whole)
        #expect(run(333) == whole)
    }
}
