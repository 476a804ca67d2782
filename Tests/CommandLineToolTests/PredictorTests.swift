import FaultInjection
import LinkEngine
import LinkProfile
import Testing

@testable import CommandLineTool

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
            _ = Predictor.predict(model) { lines.append($0.line) }
            return lines
        }
        #expect(log(lossy) == log(lossy))
        var other = lossy
        other.seed = 2
        #expect(log(lossy) != log(other))
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
}
