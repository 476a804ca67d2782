import Basics
import Faults
import LinkEngine
import Testing

@testable import Planning

struct StreamPredictorTests {
    private func model(
        _ path: (inout PathSettings) throws -> Void = { _ in },
        rate: Int64 = 960_000,
        length: Int = 1_200,
        seconds: Int64 = 1,
        flows: UInt32 = 1,
        faults: [String] = []
    ) throws -> StreamModel {
        var settings = LinkSettings()
        try path(&settings.down)
        var model = StreamModel(
            settings: settings,
            seed: 7,
            rate: try #require(BitRate(bitsPerSecond: UInt64(rate))),
            length: length,
            time: .seconds(seconds),
            direction: .down,
            flows: flows
        )
        model.faults = try faults.map { try Fault(parsing: $0) }
        return model
    }

    @Test func `a stream sends one datagram for each interval that begins before its end`() throws {
        #expect(try model().count == 100)
        #expect(try model(rate: 960_001).count == 101)
        #expect(try model(rate: 959_999).count == 100)
        #expect(try model(rate: 1).count == 1)
        let moments = try (0..<3).map { number in try model().moment(of: number, flow: 0) }
        #expect(moments == [.start, .start + .milliseconds(10), .start + .milliseconds(20)])
    }

    @Test func `an empty link delivers all after its delay, without jitter`() throws {
        let prediction = StreamPredictor.predict(try model { $0.delay = .milliseconds(30) })
        let flow = try #require(prediction.flows.first)
        #expect(flow.sent == 100 && flow.arrived == 100 && flow.lost == 0)
        #expect(flow.delays == Array(repeating: .milliseconds(30), count: 100))
        #expect(flow.jitter == .zero && flow.longestGap == .milliseconds(10))
        #expect(prediction.end == .start + .milliseconds(990 + 30))
    }

    @Test func `a rate below the stream's fills the queue, and then loses`() throws {
        let prediction = StreamPredictor.predict(
            try model(
                {
                    $0.capacity = .rate(try #require(BitRate(bitsPerSecond: 491_200)))
                    $0.queue = .packets(10)
                },
                seconds: 10
            )
        )
        let flow = try #require(prediction.flows.first)
        // A datagram takes 1,228 bytes on the wire, 20 ms: one in two passes once the queue is full.
        #expect(flow.sent == 1_000)
        #expect((500...515).contains(flow.arrived))
        #expect(prediction.packets.down.full == Int(flow.lost))
        #expect(flow.longestLoss == 1)
        let longest = try #require(flow.delays.last)
        #expect(longest > .milliseconds(200) && longest <= .milliseconds(231))
    }

    @Test func `loss takes its share, the same datagrams each time`() throws {
        let lossy = try model(
            { $0.loss = .bernoulli(try #require(Probability(5, outOf: 100))) },
            seconds: 20
        )
        let first = StreamPredictor.predict(lossy)
        let flow = try #require(first.flows.first)
        #expect((60...140).contains(flow.lost))
        #expect(flow.lost == UInt64(first.packets.down.lost))
        #expect(StreamPredictor.predict(lossy) == first)
    }

    @Test func `faults at datagrams act as they say`() throws {
        let prediction = StreamPredictor.predict(
            try model(faults: [
                "u1:down#2=drop", "u1:down#3=dup", "u1:down#4=reorder(2)", "u1:down#9=delay(5ms)",
                "u1:down#500=drop", "u1:up#1=drop", "u1/initial:down#1=drop", "c1:down+5=rst",
            ])
        )
        let flow = try #require(prediction.flows.first)
        #expect(flow.dropped == 1 && flow.lost == 1 && flow.duplicates == 1 && flow.late == 1)
        #expect(flow.delays.last == .milliseconds(20))
        #expect(flow.delays.filter { $0 > .zero } == [.milliseconds(5), .milliseconds(20)])
        #expect(prediction.neverReached.map(\.id) == ["u1:down#500=drop"])
        #expect(
            Set(prediction.notPredicted) == [
                "u1:up#1=drop", "u1/initial:down#1=drop", "c1:down+5=rst",
            ]
        )
    }

    @Test func `streams share the link`() throws {
        let prediction = StreamPredictor.predict(
            try model(
                {
                    $0.capacity = .rate(try #require(BitRate(bitsPerSecond: 982_400)))
                    $0.queue = .packets(1_000)
                },
                seconds: 2,
                flows: 2
            )
        )
        #expect(prediction.flows.map(\.sent) == [200, 200])
        // 400 datagrams of 10 ms each, from two streams that each fill the link.
        #expect(prediction.end >= .start + .milliseconds(3_980))
        #expect(prediction.flows.allSatisfy { $0.lost == 0 })
        let longest = prediction.flows.map { $0.delays.last ?? .zero }
        #expect(longest.allSatisfy { $0 >= .milliseconds(1_980) && $0 <= .milliseconds(2_010) })
    }

    @Test func `jitter is that of the RFC`() throws {
        // One datagram in two comes 9 ms later, so that transit times differ by 9 ms each time.
        let prediction = StreamPredictor.predict(
            try model(seconds: 3, faults: ["u1:down#*/2=delay(9ms)"])
        )
        let jitter = try #require(prediction.flows.first).jitter
        #expect(jitter > .microseconds(8_900) && jitter <= .milliseconds(9))
    }
}
