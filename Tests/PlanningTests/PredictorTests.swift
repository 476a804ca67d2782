import Faults
import LinkEngine
import Basics
import LinkProfile
import Testing

@testable import Planning

@Suite struct PredictorTests {
    /// 12 Mbit/s both ways, 20 ms one way.
    private func model(bytes: UInt64 = 500_000, seed: UInt64 = 1) throws -> TransferModel {
        var link = LinkSettings()
        let rate = try #require(BitRate(bitsPerSecond: 12_000_000))
        for direction in Direction.allCases {
            link[direction].capacity = .rate(rate)
            link[direction].delay = .milliseconds(20)
        }
        return TransferModel(
            settings: link,
            seed: seed,
            bytes: bytes,
            direction: .down,
            connections: 1
        )
    }

    @Test func `every byte arrives, no faster than the link`() throws {
        let prediction = Predictor.predict(try model())
        #expect(prediction.delivered == 500_000)
        #expect(prediction.throughput.bytes.reduce(0, +) == 500_000)
        let completion = try #require(prediction.completion)
        // 346 packets of 1,500 bytes take 346 ms, before that a handshake of 40 ms.
        #expect(completion - .start > .milliseconds(386))
        #expect(completion - .start < .milliseconds(800))
        #expect(prediction.packets.down.sent >= 346)
    }

    @Test func `equal input gives an equal packet log`() throws {
        var lossy = try model()
        lossy.settings.down.loss = .bernoulli(try #require(Probability(2, outOf: 100)))
        func log(_ model: TransferModel) -> [String] {
            var lines: [String] = []
            _ = Predictor.predict(model) { lines += $0.map(\.line) }
            return lines
        }
        #expect(log(lossy) == log(lossy))
        var other = lossy
        other.seed = 2
        #expect(log(lossy) != log(other))
    }

    @Test func `what happens after the last byte does not delay the end`() throws {
        var stalled = try model()
        stalled.faults = try ["c1:down+500000=stall(2s)", "c1:down+500000=stall(1s)"].map {
            try Fault(parsing: $0)
        }
        let completion = try #require(Predictor.predict(stalled).completion)
        #expect(completion == Predictor.predict(try model()).completion)
    }

    @Test func `losses are counted and listed`() throws {
        var lossy = try model()
        lossy.settings.down.loss = .bernoulli(try #require(Probability(5, outOf: 100)))
        let prediction = Predictor.predict(lossy)
        let lost = prediction.packets.losses.filter { $0.fate == .lost }
        #expect(prediction.packets.down.lost == lost.count)
        #expect(!lost.isEmpty)
        #expect(prediction.delivered == 500_000)
    }

    @Test func `an outage in the middle is a stall`() throws {
        var tunnel = try model(bytes: 1_000_000)
        tunnel.settings.down.outages = Outages(
            schedule: .windows([.init(at: .milliseconds(300), length: .seconds(2))], period: nil)
        )
        let prediction = Predictor.predict(tunnel)
        let longest = try #require(prediction.stalls.map(\.length).max())
        #expect(longest > .milliseconds(1_900))
        #expect(prediction.completion != nil)
    }

    @Test func `a link that loses everything ends in a time-out`() throws {
        var dead = try model()
        dead.settings.up.loss = .bernoulli(.one)
        let prediction = Predictor.predict(dead)
        #expect(prediction.completion == nil)
        guard case .timedOut = prediction.connections[0].ending else {
            Issue.record("ended otherwise: \(prediction.connections[0].ending)")
            return
        }
    }

    @Test func `a reset of the profile cuts after exactly its bytes`() throws {
        let fault = try Fault(parsing: "c1:down+100000=rst")
        var two = try model()
        two.connections = 2
        two.faults = [fault]
        let prediction = Predictor.predict(two)
        #expect(prediction.connections[0].delivered == 100_000)
        #expect(prediction.connections[1].delivered == 500_000)
        guard case .cut(_, let id) = prediction.connections[0].ending else {
            Issue.record("ended otherwise: \(prediction.connections[0].ending)")
            return
        }
        #expect(id == "c1:down+100000=rst")
    }

    @Test func `a stall holds the transfer up for its time`() throws {
        let plain = try #require(Predictor.predict(try model()).completion)
        var stalled = try model()
        stalled.faults = [try Fault(parsing: "c1:down+499000=stall(2s)")]
        let prediction = Predictor.predict(stalled)
        let completion = try #require(prediction.completion)
        #expect(completion - plain > .milliseconds(1_990))
        #expect(completion - plain < .milliseconds(2_100))
        #expect(prediction.stalls.count == 1)
    }

    @Test func `a slowed stream takes the time of its rate`() throws {
        var slowed = try model()
        slowed.faults = [try Fault(parsing: "c1:down+100000=slow(800kbit/s)")]
        let prediction = Predictor.predict(slowed)
        #expect(prediction.delivered == 500_000)
        // 400,000 bytes at 100,000 bytes a second.
        let completion = try #require(prediction.completion)
        #expect(completion - .start > .milliseconds(4_000))
        #expect(completion - .start < .milliseconds(4_600))
    }

    @Test func `a budget slows the link down and then ends it`() throws {
        var metered = try model()
        metered.budget = DataBudget()
        metered.budget?.softLimitBytes = 200_000
        metered.budget?.rateAfterSoftLimit = BitRate(bitsPerSecond: 800_000)
        let slow = try #require(Predictor.predict(metered).completion)
        // 300,000 bytes at 100,000 bytes a second, whatever was on the link at the limit.
        #expect(slow - .start > .seconds(3))
        metered.budget?.hardLimitBytes = 300_000
        let cut = Predictor.predict(metered)
        #expect(cut.completion == nil)
        #expect(cut.delivered == 300_000)
    }

    @Test func `a slow name server delays the first packet`() throws {
        var late = try model()
        late.lookupDelay = .seconds(3)
        let plain = try #require(Predictor.predict(try model()).completion)
        let completion = try #require(Predictor.predict(late).completion)
        #expect(completion - plain == .seconds(3))
    }

    @Test func `a refused connection gets nothing`() throws {
        var refused = try model()
        refused.connections = 2
        refused.faults = [try Fault(parsing: "c1:connect=refuse")]
        let prediction = Predictor.predict(refused)
        #expect(prediction.connections[0].delivered == 0)
        #expect(prediction.connections[1].delivered == 500_000)
    }

    @Test func `nothing is complete once its end has crossed the link`() throws {
        var empty = try model(bytes: 0)
        for direction in Direction.allCases { empty.settings[direction].capacity = .unlimited }
        // A handshake of one and a half round trips, and half of one for the end.
        #expect(Predictor.predict(empty).completion == .start + .milliseconds(80))
        empty.faults = [try Fault(parsing: "c1:down+0=stall(2s)")]
        #expect(Predictor.predict(empty).completion == .start + .seconds(2))
        empty.faults = [try Fault(parsing: "c1:down+0=slow(64kbit/s)")]
        #expect(Predictor.predict(empty).completion == .start + .milliseconds(80))
        empty.direction = .up
        #expect(Predictor.predict(empty).completion == .start + .milliseconds(60))
    }

    @Test(arguments: [0, 1])
    func `a link without delay is done at once and keeps few packets`(lossPercent: UInt64) throws {
        var instant = try model(bytes: 20_000_000)
        instant.settings = LinkSettings()
        instant.settings.down.loss = .bernoulli(
            try #require(Probability(lossPercent, outOf: 100))
        )
        var batches: [Int] = []
        let prediction = Predictor.predict(instant) { batches.append($0.count) }
        #expect(prediction.completion == .start)
        #expect(prediction.delivered == 20_000_000)
        let packets = prediction.packets
        #expect(batches.reduce(0, +) == packets.down.sent + packets.up.sent)
        #expect(batches.max().map { $0 < 5_000 } == true)
    }

    @Test func `a fault before the first byte does not wait for one`() throws {
        let begun: [String: UInt64] = [
            "c1:down+0=rst": 0, "c1:up+0=rst": 0, "c1:up+0=fin": 0, "c1:up+0=rst,far=hole": 0,
            "c1:up+0=hole(both)": 0, "c1:up+0=hole,far=fin": 0, "c1:up+0=hole": 500_000,
            "c1:up+0=hole(1s)": 500_000, "c1:up+0=stall(1s)": 500_000, "c1:up+1=rst": 500_000,
        ]
        for (text, delivered) in begun {
            for direction in [Direction.down, .up] {
                var faulted = try model()
                faulted.lookupDelay = .seconds(1)
                faulted.direction = direction
                let other = text.replacing(":up", with: ":x").replacing(":down", with: ":up")
                    .replacing(":x", with: ":down")
                let fault = direction == .down ? text : other
                faulted.faults = [try Fault(parsing: fault)]
                let connection = Predictor.predict(faulted).connections[0]
                #expect(connection.delivered == delivered, "\(fault) \(direction)")
                guard delivered == 0 else { continue }
                #expect(connection.ending == .cut(.start + .seconds(1), by: fault))
            }
        }
    }

    @Test func `a stall before the first byte begins when the connection opens`() throws {
        var stalled = try model(bytes: 1_000)
        stalled.faults = [try Fault(parsing: "c1:down+0=stall(1s)")]
        #expect(Predictor.predict(stalled).completion == .start + .seconds(1))
    }

    @Test(arguments: ["rst", "fin", "hole"])
    func `a fault at the last byte ends the connection behind it`(effect: String) throws {
        var cut = try model()
        let plain = try #require(Predictor.predict(cut).completion)
        let fault = "c1:down+500000=\(effect)"
        cut.faults = [try Fault(parsing: fault)]
        let connection = Predictor.predict(cut).connections[0]
        #expect(connection.delivered == 500_000)
        #expect(connection.ending == .cut(plain, by: fault))
    }

    @Test func `a stall at the last byte holds up what follows, not what has arrived`() throws {
        var stalled = try model()
        let plain = try #require(Predictor.predict(stalled).completion)
        stalled.faults = [try Fault(parsing: "c1:down+500000=stall(2s)")]
        #expect(Predictor.predict(stalled).completion == plain)
        stalled.faults.append(try Fault(parsing: "c1:down+500000=rst"))
        let ending = Predictor.predict(stalled).connections[0].ending
        #expect(ending == .cut(plain + .seconds(2), by: "c1:down+500000=rst"))
        stalled.faults[0] = try Fault(parsing: "c1:down+500000=stall(48h)")
        #expect(Predictor.predict(stalled).completion == plain)
    }

    @Test func `a hard limit at the last byte ends nothing`() throws {
        var metered = try model()
        metered.budget = DataBudget()
        metered.budget?.hardLimitBytes = 500_000
        #expect(Predictor.predict(metered).completion != nil)
    }

    @Test func `a size that is too large is told before anything is computed`() throws {
        var large = try model(bytes: .max)
        #expect(large.isTooLarge)
        large.bytes = TransferModel.byteLimit
        #expect(!large.isTooLarge)
        large.connections = 2
        #expect(large.isTooLarge)
    }
}
