import Analysis
import Journal
import Testing

@Suite struct MeteredTrafficTests {
    private func exchange(_ connection: UInt32, _ ordinal: UInt32 = 1) -> ExchangeID {
        ExchangeID(ConnectionID(ordinal: connection), ordinal: ordinal)
    }

    private func request(_ exchange: ExchangeID) -> JournalRecord {
        .request(
            RequestReport(
                exchange,
                method: "GET",
                target: "/",
                framing: .none,
                headBytes: 10,
                fields: .none
            )
        )
    }

    private func body(_ exchange: ExchangeID, _ side: MessageSide, _ bytes: UInt64) -> JournalRecord
    {
        .body(BodyReport(exchange, side, bytes: bytes, isComplete: side == .response))
    }

    private func path(
        _ isExpensive: Bool,
        _ isConstrained: Bool,
        of connection: UInt32? = nil
    ) -> JournalRecord {
        .path(
            connection.map { ConnectionID(ordinal: $0) },
            PathReport(
                interface: "cellular",
                isExpensive: isExpensive,
                isConstrained: isConstrained
            )
        )
    }

    @Test func `a request counts for the path at its beginning`() {
        var traffic = MeteredTraffic()
        for record in [
            request(exchange(1)), path(true, false), request(exchange(2)),
            body(exchange(1), .response, 1_000), path(true, true), request(exchange(3)),
            path(false, false), request(exchange(4)), body(exchange(2), .response, 20),
            body(exchange(3), .request, 300), body(exchange(3), .response, 4_000),
            body(exchange(4), .response, 50_000),
        ] {
            traffic.take(record)
        }
        #expect(traffic.expensive.requests == 2 && traffic.expensive.bytes == 4_320)
        #expect(traffic.constrained.requests == 1 && traffic.constrained.bytes == 4_300)
        #expect(traffic.either.requests == 2 && traffic.either.bytes == 4_320)
    }

    @Test func `a connection on a path of two counts for that one`() {
        var traffic = MeteredTraffic()
        for record in [
            path(false, false, of: 1), path(true, false), path(true, false, of: 2),
            request(exchange(1)), request(exchange(2)), path(false, false), request(exchange(2, 2)),
            body(exchange(1), .response, 1), body(exchange(2), .response, 20),
            body(exchange(2, 2), .response, 300),
        ] {
            traffic.take(record)
        }
        #expect(traffic.expensive.requests == 2 && traffic.expensive.bytes == 320)
    }

    @Test func `requests of one connection are told apart`() {
        var traffic = MeteredTraffic()
        for record in [
            request(exchange(1, 1)), path(false, true), request(exchange(1, 2)),
            body(exchange(1, 1), .response, 7), body(exchange(1, 2), .response, 11),
            // Once complete, nothing more belongs to it.
            body(exchange(1, 2), .response, 13),
        ] {
            traffic.take(record)
        }
        #expect(traffic.constrained.requests == 1 && traffic.constrained.bytes == 11)
        #expect(traffic.expensive == MeteredTraffic.Count())
    }

    @Test(arguments: [(4_320, Verdict.pass), (4_319, .fail), (0, .fail)] as [(UInt64, Verdict)])
    func `more on a metered path than is allowed is waste`(limit: UInt64, verdict: Verdict) throws {
        var story = Story()
        story.add(path(true, false), at: 1)
        story.connect(1, at: 2)
        story.request(1, "GET", "/x", at: 3)
        story.respond(1, 200, framing: .length(4_320), at: 4)
        story.body(1, .response, 4_320, at: 5)
        let report = story.report { $0.maximumMeteredBytes = limit }
        let waste = report.findings.filter { $0.kind == .waste }
        #expect(waste.isEmpty == (verdict == .pass))
        if verdict == .fail {
            #expect(
                waste[0].words.hasPrefix(
                    "1 request, 4,320 bytes requested while the path was constrained or expensive"
                )
            )
            #expect(report.verdict == .fail)
        }
        let demand = try Expectation(parsing: "metered<=\(limit)B") { _, _ in nil }
        #expect(demand.outcomes(of: report).map(\.verdict) == [verdict])
        #expect(story.report().findings.allSatisfy { $0.kind != .waste })
    }
}
