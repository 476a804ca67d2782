import Basics
import LinkEngine
import Testing

struct DatagramTests {
    private func settings(_ change: (inout PathSettings) -> Void) -> LinkSettings {
        var settings = LinkSettings()
        change(&settings.down)
        return settings
    }

    /// The numbers that a link loses, and when the others arrive.
    private func run(
        _ settings: LinkSettings,
        count: UInt64,
        every gap: Duration = .milliseconds(1),
        payload: Int = 1_200,
        skipping skipped: Set<UInt64> = []
    ) -> (lost: [UInt64], arrivals: [(number: UInt64, at: Instant)]) {
        var link = Link(settings: settings, seed: 7)
        let flow = link.openFlow(0, at: .start)
        var lost: [UInt64] = []
        var arrivals: [(UInt64, Instant)] = []
        func take() {
            while let event = link.nextEvent() {
                switch event.kind {
                case .arrived(_, let number): arrivals.append((number, event.at))
                case .lost(_, let number, _): lost.append(number)
                default: Issue.record("\(event)")
                }
            }
        }
        var now = Instant.start
        for number in 0..<count {
            if !skipped.contains(number) {
                let stream = Stream(connection: flow, direction: .down)
                link.sendDatagram(number, payload: payload, on: stream, at: now)
            }
            now = now + gap
            take()
        }
        link.advance(to: now + .seconds(60))
        take()
        return (lost, arrivals)
    }

    @Test func `a datagram is a packet with 28 bytes of headers`() throws {
        let rate = try #require(BitRate(bitsPerSecond: 8_000_000))
        let settings = settings {
            $0.capacity = .rate(rate)
            $0.delay = .milliseconds(20)
        }
        // 1,228 bytes at a byte a microsecond.
        let arrivals = run(settings, count: 1).arrivals
        #expect(arrivals.map(\.at) == [.start + .milliseconds(20) + .microseconds(1_228)])
    }

    @Test func `a full queue loses what comes, and the rate passes on the rest evenly`() throws {
        let rate = try #require(BitRate(bitsPerSecond: 8_000_000))
        let settings = settings {
            $0.capacity = .rate(rate)
            $0.queue = .packets(10)
        }
        let result = run(settings, count: 100, every: .zero)
        // One is being sent, ten wait.
        #expect(result.arrivals.map(\.number) == Array(0...10))
        #expect(result.lost == Array(11...99))
        let gaps = zip(result.arrivals, result.arrivals.dropFirst()).map { $1.at - $0.at }
        #expect(gaps.allSatisfy { $0 == .microseconds(1_228) })
    }

    @Test(arguments: [false, true])
    func `the loss of a datagram depends on its number alone`(isBursty: Bool) throws {
        let chance = try #require(Probability(2, outOf: 100))
        let burst = try #require(Probability(1, outOf: 3))
        let settings = settings {
            $0.loss =
                isBursty
                ? .gilbertElliott(GilbertElliott(goodToBad: chance, badToGood: burst))
                : .bernoulli(chance)
        }
        let lost = run(settings, count: 5_000).lost
        #expect((isBursty ? 150...600 : 60...150).contains(lost.count))
        // Other times and lengths, and datagrams that a fault took before, change nothing.
        #expect(run(settings, count: 5_000, every: .zero, payload: 20).lost == lost)
        let skipped = Set((0..<5_000 as Range<UInt64>).filter { $0 % 3 == 0 })
        let rest = run(settings, count: 5_000, skipping: skipped).lost
        #expect(rest == lost.filter { !skipped.contains($0) })
    }

    @Test func `an outage loses what meets it`() {
        let settings = settings {
            $0.outages = Outages(
                schedule: .windows(
                    [.init(at: .milliseconds(10), length: .milliseconds(5))],
                    period: nil
                )
            )
        }
        #expect(run(settings, count: 30).lost == Array(10...14))
    }

    @Test func `flows and connections have numbers of their own`() {
        var link = Link(settings: settings { $0.delay = .milliseconds(1) }, seed: 7)
        link.open(0, at: .start)
        let flow = link.openFlow(0, at: .start)
        #expect(flow != 0)
        link.sendDatagram(0, payload: 9, on: Stream(connection: flow, direction: .down), at: .start)
        link.remove(flow, at: .start)
        link.advance(to: .start + .seconds(1))
        while let event = link.nextEvent() {
            if case .arrived = event.kind { Issue.record("of a flow that was removed") }
        }
    }
}
