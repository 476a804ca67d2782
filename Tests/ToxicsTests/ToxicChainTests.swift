import Basics
import Testing
import TestSupport
import Toxics

@Suite struct ToxicChainTests {
    private static func half() throws -> Probability { try #require(Probability(1, outOf: 2)) }

    /// Any toxic, with small numbers so that things happen.
    private static func toxic(_ serial: UInt64, _ random: inout SeededRandom) -> Toxic {
        let action: ToxicAction =
            switch random.below(8) {
            case 0: .noop
            case 1:
                .latency(
                    milliseconds: Int64(random.below(60)),
                    jitterMilliseconds: Int64(random.below(20))
                )
            case 2: .bandwidth(kilobytesPerSecond: Int64(1 + random.below(500)))
            case 3: .slowClose(delayMilliseconds: Int64(random.below(50)))
            case 4: .timeout(milliseconds: Int64(random.below(400)))
            case 5: .resetPeer(afterMilliseconds: Int64(random.below(300)))
            case 6:
                .slicer(
                    averageBytes: Int64(20 + random.below(900)),
                    variationBytes: Int64(random.below(20)),
                    delayMicroseconds: Int64(random.below(3_000))
                )
            default: .limitData(bytes: Int64(random.below(100_000)))
            }
        let chances: [Probability] = [.one, .one, .zero]
        return .on(serial, action, chance: chances[random.below(3)])
    }

    /// Sends, changes and ends at random times; with `steps` many small advances between.
    private static func play(_ seed: UInt64, steps: Int) -> Timeline {
        var random = SeededRandom(seed: seed)
        var toxics = (0..<random.below(4)).map { toxic(UInt64($0), &random) }
        var line = Timeline(toxics, seed: seed)
        var time = 0.0
        var serial: UInt64 = 100
        for _ in 0..<(5 + random.below(20)) {
            let next = time + Double(random.below(40_000)) / 1_000
            for step in 0..<steps {
                line.advance(toMilliseconds: time + (next - time) * Double(step) / Double(steps))
            }
            time = next
            switch random.below(8) {
            case 0:
                serial += 1
                toxics.append(toxic(serial, &random))
                line.apply(toxics, atMilliseconds: time)
            case 1 where !toxics.isEmpty:
                toxics.remove(at: random.below(toxics.count))
                line.apply(toxics, atMilliseconds: time)
            default: line.send(1 + random.below(50_000), atMilliseconds: time)
            }
        }
        line.finish(atMilliseconds: time)
        line.advance(toMilliseconds: time + 100_000)
        return line
    }

    @Test func `events and their times do not depend on when it is advanced`() {
        for seed in 0..<300 as Range<UInt64> {
            let whole = Self.play(seed, steps: 1)
            let sliced = Self.play(seed, steps: 17)
            #expect(whole.entries == sliced.entries, "seed \(seed)")
        }
    }

    @Test func `no byte is made or lost, and nothing follows an end`() {
        for seed in 0..<300 as Range<UInt64> {
            let line = Self.play(seed, steps: 1)
            let ends = line.events.enumerated().filter { _, event in
                switch event {
                case .finished, .close, .reset: true
                case .deliver, .drop: false
                }
            }
            #expect(ends.count <= 1)
            if let end = ends.first { #expect(end.offset == line.events.count - 1) }
            if line.events.last == .finished { #expect(line.chain.waitingBytes == 0) }
            #expect(line.entries.map(\.milliseconds) == line.entries.map(\.milliseconds).sorted())
        }
    }

    @Test func `a chain without toxics passes all at once and is empty`() {
        var line = Timeline([])
        #expect(line.chain.isEmpty && line.chain.isTransparent)
        line.send(100_000, atMilliseconds: 1)
        #expect(line.delivered == 100_000)
        #expect(line.chain.isTransparent)
    }

    @Test func `toxicity is a draw of seed, proxy, connection, direction and name alone`() throws {
        let chance = try Self.half()
        func pattern(
            seed: UInt64 = 7,
            proxy: String = "p",
            name: String = "t",
            direction: Direction = .down,
            serial: UInt64 = 9,
            others: [Toxic] = []
        ) -> [Bool] {
            (1...200 as ClosedRange<UInt64>).map { connection in
                let toxics =
                    others + [.on(serial, .limitData(bytes: 0), chance: chance, name: name)]
                let line = Timeline(
                    toxics,
                    seed: seed,
                    proxy: proxy,
                    connection: connection,
                    direction: direction
                )
                return line.chain.isHit(serial: serial)
            }
        }
        let base = pattern()
        // ±4 standard deviations of 200 draws at ½.
        #expect((72...128).contains(base.count { $0 }))
        #expect(pattern() == base)
        #expect((10...20).allSatisfy { pattern(serial: $0) == base })
        #expect(pattern(others: [.on(1, .noop), .on(2, .timeout(milliseconds: 5))]) == base)
        #expect(pattern(seed: 8) != base)
        #expect(pattern(proxy: "q") != base)
        #expect(pattern(name: "u") != base)
        #expect(pattern(direction: .up) != base)
    }

    @Test func `a draw is kept while neighbours come and go, and more toxicity only adds hits`()
        throws
    {
        var hits: [Set<UInt64>] = []
        for tenths in 0...10 as ClosedRange<UInt64> {
            let chance = try #require(Probability(tenths, outOf: 10))
            var hit: Set<UInt64> = []
            for connection in 1...200 as ClosedRange<UInt64> {
                var line = Timeline(
                    [.on(9, .noop, chance: .zero, name: "t")],
                    connection: connection
                )
                for serial in 0..<20 as Range<UInt64> {
                    let other = Toxic.on(100 + serial, .noop)
                    let subject = Toxic.on(9, .noop, chance: chance, name: "t")
                    let toxics = serial.isMultiple(of: 2) ? [subject, other] : [subject]
                    line.apply(toxics, atMilliseconds: Double(serial))
                    if line.chain.isHit(serial: 9) { hit.insert(connection) }
                    #expect(line.chain.isHit(serial: 9) == hit.contains(connection))
                }
            }
            hits.append(hit)
        }
        #expect(hits[0].isEmpty && hits[10].count == 200)
        for (less, more) in zip(hits, hits.dropFirst()) { #expect(less.isSubset(of: more)) }
    }

    @Test func `decisions are told once, and again when the toxicity changes them`() {
        var line = Timeline([.on(1, .timeout(milliseconds: 0), chance: .zero)])
        let first = line.chain.takeDecisions()
        #expect(first.map(\.isHit) == [false])
        #expect(line.chain.takeDecisions().isEmpty)
        line.apply([.on(1, .timeout(milliseconds: 0), chance: .one)], atMilliseconds: 1)
        let second = line.chain.takeDecisions()
        #expect(second.map(\.isHit) == [true])
        #expect(second.map(\.draw) == first.map(\.draw))
    }

    @Test func `a toxic that stops acting lets the connection go on`() {
        for action in [
            ToxicAction.timeout(milliseconds: 0), .resetPeer(afterMilliseconds: 9_000),
            .bandwidth(kilobytesPerSecond: 0),
        ] {
            var line = Timeline([.on(1, action)])
            line.send(5, atMilliseconds: 0)
            line.finish(atMilliseconds: 1)
            line.apply([.on(1, action, chance: .zero)], atMilliseconds: 2)
            #expect(line.events.last == .finished)
        }
    }

    @Test func `what a removed toxic held goes through the toxics behind it`() {
        let limit = Toxic.on(2, .limitData(bytes: 150))
        var line = Timeline([.on(1, .latency(milliseconds: 9_000, jitterMilliseconds: 0)), limit])
        line.send(100, atMilliseconds: 0)
        line.send(100, atMilliseconds: 1)
        line.apply([limit], atMilliseconds: 2)
        #expect(line.events == [.deliver(100), .deliver(50), .close(by: 2)])
    }

    @Test func `many small pieces that wait fill the chain`() {
        var line = Timeline(.latency(milliseconds: 9_000, jitterMilliseconds: 0))
        for _ in 0..<1_023 { line.send(1, atMilliseconds: 0) }
        #expect(!line.chain.isFull)
        line.send(1, atMilliseconds: 0)
        #expect(line.chain.isFull)
        line.advance(toMilliseconds: 9_000)
        #expect(!line.chain.isFull && line.delivered == 1_024)
    }
}
