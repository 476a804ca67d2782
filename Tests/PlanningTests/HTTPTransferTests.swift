import Basics
import Faults
import LinkEngine
import LinkProfile
import Testing

@testable import Planning

/// A request and the head of its response on the link, beside the content.
@Suite struct HTTPTransferTests {
    /// 8 Mbit/s, a byte each microsecond, both ways, 20 ms one way.
    private func model(_ direction: Direction, bytes: UInt64, isHTTP: Bool = true) throws
        -> TransferModel
    {
        var link = LinkSettings()
        let rate = try #require(BitRate(bitsPerSecond: 8_000_000))
        for direction in Direction.allCases {
            link[direction].capacity = .rate(rate)
            link[direction].delay = .milliseconds(20)
        }
        var model = TransferModel(
            settings: link,
            seed: 1,
            bytes: bytes,
            direction: direction,
            connections: 1
        )
        if isHTTP { model.http = TransferModel.HTTPHeads(request: 100, response: 250) }
        return model
    }

    private func completion(_ model: TransferModel) throws -> Duration {
        try #require(Predictor.predict(model).completion) - .start
    }

    /// What these bytes and the headers of their packet, 52 bytes, take on the wire.
    private func serialization(_ bytes: Int64) -> Duration {
        Duration(nanoseconds: (bytes + 52) * 1_000)
    }

    @Test func `a small download takes two round trips, with the request and the head`() throws {
        let time = try completion(model(.down, bytes: 1_000))
        let packets = serialization(100) + serialization(1_250)
        #expect(time >= .milliseconds(80) + packets)
        // And those of the handshake, and what the kernel waits between.
        #expect(time < .milliseconds(81) + packets)
    }

    @Test func `the response to an upload ends it, half a round trip after its last byte`() throws {
        let with = try completion(model(.up, bytes: 1_000))
        let without = try completion(model(.up, bytes: 1_000, isHTTP: false))
        // The head of the request, the server's acknowledgement, and its response.
        #expect(with - without == .milliseconds(20) + serialization(100 + 52 + 250))
    }

    @Test(arguments: Direction.allCases)
    func `heads are no content`(direction: Direction) throws {
        for bytes: UInt64 in [0, 1, 200_000] {
            let prediction = Predictor.predict(try model(direction, bytes: bytes))
            #expect(prediction.delivered == bytes && prediction.completion != nil)
            #expect(prediction.throughput.bytes.reduce(0, +) == bytes)
        }
    }

    @Test func `a fault at a byte counts the head, as on a connection`() throws {
        for (place, delivered) in [(0, 0), (250, 0), (251, 1), (1_250, 1_000)] as [(Int, UInt64)] {
            var model = try model(.down, bytes: 2_000)
            model.faults = [try Fault(parsing: "c1:down+\(place)=rst")]
            let prediction = Predictor.predict(model)
            #expect(prediction.completion == nil && prediction.delivered == delivered)
            #expect(prediction.neverReached.isEmpty)
        }
    }

    @Test(arguments: Direction.allCases)
    func `a byte budget counts the request and the head`(direction: Direction) throws {
        for (limit, isWhole) in [(1_350, true), (1_349, false)] as [(UInt64, Bool)] {
            var model = try model(direction, bytes: 1_000)
            model.budget = DataBudget()
            model.budget?.hardLimitBytes = limit
            let prediction = Predictor.predict(model)
            #expect((prediction.completion != nil) == isWhole, "\(limit)")
        }
    }
}
