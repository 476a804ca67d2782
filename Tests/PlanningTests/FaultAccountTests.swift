import Faults
import LinkEngine
import Basics
import Testing

@testable import Planning

@Suite struct FaultAccountTests {
    /// Of 1,000 bytes, over a link without delay.
    private func prediction(
        _ faults: [String],
        direction: Direction = .down,
        connections: UInt32 = 1
    ) throws -> Prediction {
        var model = TransferModel(
            settings: LinkSettings(),
            seed: 1,
            bytes: 1_000,
            direction: direction,
            connections: connections
        )
        model.faults = try faults.map { try Fault(parsing: $0) }
        return Predictor.predict(model)
    }

    private func unreached(_ fault: String, connections: UInt32 = 1) throws -> [String] {
        let prediction = try prediction([fault], connections: connections)
        #expect(prediction.notPredicted.isEmpty)
        return prediction.neverReached.map { "\($0.id): \($0.reason)" }
    }

    @Test(arguments: [
        "c1:down+1001=rst": "stream ended at 1000", "c2:down+5=rst": "no connection",
        "c2:up+0=rst": "no connection", "c2:connect=refuse": "no connection",
        "c1:down+1000=corrupt": "stream ended at 1000",
    ])
    func `a fault that acts nowhere is told with the reason`(fault: String, why: String) throws {
        #expect(try unreached(fault) == ["\(fault): \(why)"])
    }

    @Test(arguments: [
        "c1:down+1000=rst", "c1:down+5=stall(1s)", "c1:up+0=rst", "c1:connect=refuse",
        "c1:down+1=slow(64kbit/s)", "c1:down+999=corrupt",
    ])
    func `a fault that acts is not told`(fault: String) throws {
        #expect(try unreached(fault).isEmpty)
    }

    @Test func `it is enough to act on one connection`() throws {
        #expect(try unreached("c2:down+5=rst", connections: 2).isEmpty)
        #expect(try unreached("c*:down+1001=rst", connections: 2).count == 1)
    }

    @Test func `a fault behind one that ends the connection is told`() throws {
        let faults = ["c1:down+5=rst", "c1:down+6=rst", "c1:connect=refuse"]
        let cut = try prediction(Array(faults[...1])).neverReached
        #expect(cut.map { "\($0.id): \($0.reason)" } == ["c1:down+6=rst: after c1:down+5=rst"])
        let refused = try prediction(faults).neverReached
        #expect(refused.map(\.id) == Array(faults[...1]))
    }

    @Test func `of what goes the other way only an end at once is predicted`() throws {
        let faults = ["c1:up+1=rst", "c1:up+0=stall(1s)", "c1:up+0=corrupt"]
        let down = try prediction(faults)
        #expect(down.notPredicted == faults)
        #expect(down.neverReached.isEmpty && down.completion != nil)
        let up = try prediction(["c1:down+0=rst", "c1:down+9=rst"], direction: .up)
        #expect(up.notPredicted == ["c1:down+9=rst"])
        #expect(up.delivered == 0)
    }

    @Test func `each of several equal faults is told by its number`() throws {
        let faults = try prediction(["c1:down+2000=rst", "c1:down+2000=rst"]).neverReached
        #expect(faults.map(\.id) == ["c1:down+2000=rst", "c1:down+2000=rst#2"])
    }
}
