import Basics
import LinkEngine
import Testing

@Suite struct LinkTests {
    static let lossy: LinkSettings = {
        var settings = LinkSettings.symmetric(
            delay: .milliseconds(20),
            rate: 8_000_000,
            queue: .packets(30)
        )
        settings.down.loss = .bernoulli(.perMille(20))
        settings.up.loss = .gilbertElliott(
            GilbertElliott(goodToBad: .perMille(20), badToGood: .perMille(400))
        )
        settings.down.jitter = .normal(.milliseconds(3))
        settings.up.jitter = .uniform(.milliseconds(2))
        settings.down.outages = Outages(
            schedule: .windows(
                [.init(at: .milliseconds(400), length: .milliseconds(150))],
                period: .seconds(1)
            ),
            treatment: .hold
        )
        return settings
    }()

    @Test func `a transfer over an unlimited link without loss takes whole round trips`() {
        let download = Download(
            settings: .symmetric(delay: .milliseconds(50)),
            responseBytes: 1_000_000
        )
        // Handshake, request, then 10, 20, 40, 80, 160, 320 and 61 segments.
        #expect(download.completion == 0.8)
    }

    @Test func `a limited rate is kept to the byte`() {
        let download = Download(
            settings: .symmetric(
                delay: .milliseconds(10),
                rate: 10_000_000,
                queue: .packets(1_000)
            ),
            responseBytes: 1_448 * 1_000
        )
        let leaves = download.run(keepingPackets: true).packets.filter {
            $0.stream.direction == .down && $0.kind == .data
        }.compactMap(\.leave)
        // 1,500 bytes of wire at 10 Mbit/s are 1.2 ms; after slow start nothing idles.
        let steady = zip(leaves.dropFirst(300), leaves.dropFirst(301)).map { $1 - $0 }
        #expect(steady.count >= 699)
        #expect(steady.dropLast().allSatisfy { $0 == .microseconds(1_200) })
    }

    @Test func `one link serves the same packets for every slicing of time`() {
        let download = Download(settings: Self.lossy, responseBytes: 300_000, connections: 3)
        let whole = download.run(keepingPackets: true)
        #expect(whole.completedAt.count == 3)
        for seed in 0..<20 as Range<UInt64> {
            var state = seed
            let sliced = download.run(keepingPackets: true) { deadline in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let back = Int64(state >> 44)
                return state >> 62 == 0
                    ? deadline : Instant(nanoseconds: max(0, deadline.nanoseconds - back))
            }
            #expect(sliced == whole)
        }
    }

    @Test func `the same seed gives the same packets a hundred times, another seed others`() {
        let download = Download(settings: Self.lossy, responseBytes: 100_000)
        let first = download.run(keepingPackets: true)
        for _ in 0..<100 { #expect(download.run(keepingPackets: true) == first) }
        var other = download
        other.seed = 2
        #expect(other.run(keepingPackets: true).packets != first.packets)
    }

    @Test func `every byte arrives once and in order whatever the loss`() {
        for seed in 1...30 as ClosedRange<UInt64> {
            var download = Download(settings: Self.lossy, seed: seed, responseBytes: 123_457)
            download.settings.down.loss = .bernoulli(.perMille(100))
            let result = download.run()
            let stream = Stream(connection: 0, direction: .down)
            #expect(result.delivered(stream) == 123_457)
        }
    }

    @Test func `adding a connection changes no fate of another without a shared queue`() {
        var settings = Self.lossy
        for direction in Direction.allCases {
            settings[direction].capacity = .unlimited
            settings[direction].outages = .none
        }
        let alone = Download(settings: settings, responseBytes: 200_000).run(
            keepingPackets: true
        )
        let together = Download(settings: settings, responseBytes: 200_000, connections: 4).run(
            keepingPackets: true
        )
        let mine = alone.packets.filter { $0.stream.connection == 0 && $0.kind == .data }
        let shared = together.packets.filter { $0.stream.connection == 0 && $0.kind == .data }
        #expect(!mine.isEmpty && Array(shared.prefix(mine.count)) == mine)
    }

    @Test func `the fate of a byte does not depend on how its sender cuts its writes`() {
        var settings = LinkSettings.symmetric(delay: .milliseconds(20))
        settings.down.loss = .bernoulli(.perMille(50))
        func firstSendsLost(chunk: Int) -> Set<UInt64> {
            var link = Link(settings: settings, seed: 9)
            link.keepsRecords = true
            link.open(0, at: .start)
            let down = Stream(connection: 0, direction: .down)
            for place in stride(from: 0, to: 144_800, by: chunk) {
                link.send(chunk, on: down, at: .start + .microseconds(Int64(place)))
            }
            while let deadline = link.nextDeadline, deadline < .start + .seconds(20) {
                link.advance(to: deadline)
            }
            let lost = link.takeRecords().filter {
                $0.kind == .data && $0.fate == .lost && $0.index < 1 << 32
            }
            return Set(lost.map(\.index))
        }
        let whole = firstSendsLost(chunk: 144_800)
        #expect(!whole.isEmpty)
        #expect(firstSendsLost(chunk: 1_448) == whole)
        #expect(firstSendsLost(chunk: 100) == whole)
    }

    @Test func `finishing one direction leaves the other open`() {
        var link = Link(settings: .symmetric(delay: .milliseconds(5)), seed: 1)
        let up = Stream(connection: 0, direction: .up)
        let down = Stream(connection: 0, direction: .down)
        link.open(0, at: .start)
        link.send(10, on: up, at: .start)
        link.finish(up, at: .start)
        link.advance(to: .start + .seconds(1))
        link.send(5_000, on: down, at: .start + .seconds(1))
        link.finish(down, at: .start + .seconds(1))
        link.advance(to: .start + .seconds(2))
        var kinds: [LinkEvent.Kind] = []
        while let event = link.nextEvent() { kinds.append(event.kind) }
        #expect(kinds.first == .deliver(up, count: 10))
        #expect(kinds.dropFirst().first == .finished(up))
        #expect(kinds.last == .finished(down))
        #expect(!kinds.contains(.timedOut(connection: 0)))
    }

    @Test func `a link that loses all gives up after 131 seconds`() {
        var settings = LinkSettings()
        settings.up.loss = .bernoulli(.one)
        var link = Link(settings: settings, seed: 1)
        link.keepsRecords = true
        link.open(0, at: .start)
        link.advance(to: .start + .seconds(1_000))
        let event = link.nextEvent()
        #expect(event?.kind == .timedOut(connection: 0))
        #expect(event?.at == .start + .seconds(131))
        let tries = link.takeRecords().map { $0.enter.nanoseconds / 1_000_000_000 }
        #expect(tries == [0, 1, 2, 3, 4, 5, 7, 11, 19, 35, 67])
        #expect(link.nextEvent() == nil)
    }

    @Test func `a receiver that takes nothing stops its sender within the window`() {
        var link = Link(settings: .symmetric(delay: .milliseconds(10)), seed: 1)
        let down = Stream(connection: 0, direction: .down)
        link.open(0, at: .start)
        link.send(10_000_000, on: down, at: .start)
        var delivered = 0
        while let deadline = link.nextDeadline, deadline < .start + .seconds(60) {
            link.advance(to: deadline)
            while let event = link.nextEvent() {
                guard case .deliver(_, let count) = event.kind else { continue }
                delivered += count
                link.setBacklog(delivered, of: down, at: event.at)
            }
        }
        #expect(delivered > 60_000 && delivered < 6 << 20)
        // Taking all lets the rest through.
        let later = Instant.start + .seconds(60)
        link.setBacklog(0, of: down, at: later)
        link.advance(to: later + .seconds(60))
        while let event = link.nextEvent() {
            if case .deliver(_, let count) = event.kind { delivered += count }
        }
        #expect(delivered == 10_000_000)
    }

    /// A busy machine asks late: what came meanwhile was not read any more than what came before.
    @Test(arguments: [10, 1_000, 20_000])
    func `how often a receiver is asked that takes nothing does not open its window`(
        milliseconds: Int64
    ) {
        var link = Link(settings: .symmetric(delay: .milliseconds(10)), seed: 1)
        let down = Stream(connection: 0, direction: .down)
        link.open(0, at: .start)
        link.send(10_000_000, on: down, at: .start)
        var delivered = 0
        func takeEvents() {
            while let event = link.nextEvent() {
                if case .deliver(_, let count) = event.kind { delivered += count }
            }
        }
        link.advance(to: .start + .milliseconds(45))
        takeEvents()
        #expect(delivered > 0)
        for turn in 1...(60_000 / milliseconds) {
            link.setBacklog(
                delivered,
                of: down,
                at: .start + .milliseconds(45 + turn * milliseconds)
            )
            takeEvents()
        }
        // What was announced before it was asked for the first time.
        #expect(delivered == 95_568)
    }

    @Test func `eight downloads share a link's rate evenly and fully`() {
        let rate = 20_000_000.0
        let download = Download(
            settings: .symmetric(delay: .milliseconds(20), rate: UInt64(rate)),
            responseBytes: 10_000_000,
            connections: 8
        )
        // While all eight still run: from 2 s, when slow start is over, to 22 s.
        var bytes = [Int](repeating: 0, count: 8)
        for event in download.run(limit: .seconds(22)).events {
            guard case .deliver(let stream, let count) = event.kind,
                stream.direction == .down, event.at >= .start + .seconds(2)
            else { continue }
            bytes[Int(stream.connection)] += count
        }
        let sum = Double(bytes.reduce(0, +))
        let squares = bytes.map { Double($0) * Double($0) }.reduce(0, +)
        #expect(sum * sum / (8 * squares) >= 0.9)
        let share = sum * 8 / 20 / rate * 1_500 / 1_448
        // What waited behind a gap at 2 s had crossed the link before.
        #expect(share > 0.98 && share <= 1.01)
    }

    @Test func `removing a connection leaves nothing of it behind`() {
        var link = Link(settings: Self.lossy, seed: 3)
        for connection in 0..<50 as Range<UInt32> {
            let at = Instant.start + .milliseconds(Int64(connection))
            link.open(connection, at: at)
            link.send(50_000, on: Stream(connection: connection, direction: .up), at: at)
        }
        let at = Instant.start + .milliseconds(200)
        for connection in 0..<50 as Range<UInt32> { link.remove(connection, at: at) }
        while link.nextEvent() != nil {}
        link.advance(to: at + .seconds(1_000))
        #expect(link.nextEvent() == nil)
        #expect(link.nextDeadline == nil)
    }

    @Test func `new settings hold for what enters the link afterwards`() {
        var link = Link(settings: .symmetric(delay: .milliseconds(10)), seed: 1)
        let up = Stream(connection: 0, direction: .up)
        link.open(0, at: .start)
        link.advance(to: .start + .seconds(1))
        link.apply(.symmetric(delay: .milliseconds(200)), at: .start + .seconds(1))
        link.send(10, on: up, at: .start + .seconds(1))
        link.advance(to: .start + .seconds(2))
        #expect(
            link.nextEvent()
                == LinkEvent(
                    at: .start + .milliseconds(1_200),
                    kind: .deliver(up, count: 10)
                )
        )
    }

    @Test func `without a handshake the first byte travels at once`() {
        var settings = LinkSettings.symmetric(delay: .milliseconds(40))
        settings.tcp.handshake = false
        var link = Link(settings: settings, seed: 1)
        let up = Stream(connection: 7, direction: .up)
        link.open(7, at: .start)
        link.send(10, on: up, at: .start)
        link.advance(to: .start + .seconds(1))
        #expect(
            link.nextEvent()
                == LinkEvent(at: .start + .milliseconds(40), kind: .deliver(up, count: 10))
        )
    }

    @Test func `a held outage delays and a dropping one costs a timeout`() {
        func completion(_ treatment: Outages.Treatment) -> Double {
            var download = Download(
                settings: .symmetric(delay: .milliseconds(10)),
                responseBytes: 200_000
            )
            download.settings.down.outages = Outages(
                schedule: .windows(
                    [.init(at: .milliseconds(55), length: .milliseconds(500))],
                    period: nil
                ),
                treatment: treatment
            )
            return download.completion
        }
        let undisturbed = Download(
            settings: .symmetric(delay: .milliseconds(10)),
            responseBytes: 200_000
        ).completion
        #expect(completion(.hold) >= undisturbed + 0.45)
        #expect(completion(.hold) < undisturbed + 0.6)
        #expect(completion(.drop) > completion(.hold))
    }
}
