import Basics
import Journal
import Testing
import TestSupport

@Suite struct CanonicalPlaceTests {
    private static let connection = ConnectionID(ordinal: 1)

    private static func exchange(_ ordinal: UInt32) -> [JournalRecord] {
        let id = ExchangeID(connection, ordinal: ordinal)
        return [
            .request(
                RequestReport(
                    id,
                    method: "PUT",
                    target: "/",
                    framing: .none,
                    headBytes: 1,
                    fields: .none
                )
            ),
            .body(BodyReport(id, .request, bytes: 1, isComplete: true)),
            .response(
                ResponseReport(id, status: 104, headBytes: 1, fields: .none, interimOrdinal: 1)
            ),
            .response(
                ResponseReport(id, status: 104, headBytes: 2, fields: .none, interimOrdinal: 2)
            ),
            .response(ResponseReport(id, status: 200, headBytes: 1, fields: .none)),
            .body(BodyReport(id, .response, bytes: 2, isComplete: true)),
            .fault(
                FaultReport(
                    connection: connection,
                    request: ordinal,
                    id: "x",
                    address: "up+3",
                    effect: "rst",
                    state: .fired,
                    offset: 2
                )
            ),
        ]
    }

    /// Messages of one direction keep their order; between the directions there is none.
    @Test func `exchanges have one order, whichever direction was heard of first`() throws {
        let records =
            [.connection(Self.connection, environment: [:])] + Self.exchange(1) + Self.exchange(2)
            + [.opaque(OpaqueReport(Self.connection, .request, reason: "x"))]
        let expected = try CanonicalJournal(reading: Samples.journal([Samples.start] + records))
        let types = expected.orderedSections.last?.records.map(\.type)
        let once = ["req", "body", "interim", "interim", "resp", "body", "fault"]
        #expect(types == ["conn"] + once + once + ["opaque"])
        var numbers = SeededRandom(seed: 5)
        for _ in 0..<50 {
            var shuffled = Array(zip(0..., records))
            shuffled.shuffle(using: &numbers)
            // The two interim responses of one request come in their order.
            for (a, b) in [(3, 4), (10, 11)] {
                guard let i = shuffled.firstIndex(where: { $0.0 == a }),
                    let j = shuffled.firstIndex(where: { $0.0 == b }), i > j
                else {
                    continue
                }
                shuffled.swapAt(i, j)
            }
            let journal = try CanonicalJournal(
                reading: Samples.journal([Samples.start] + shuffled.map(\.1))
            )
            #expect(journal.text == expected.text)
        }
    }
}
