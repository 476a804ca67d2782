import Basics
import ControlAPI
import Journal
import Testing

@Suite struct ConnectionBookTests {
    private static let id = ConnectionID(ordinal: 1)
    private static let nothing = ConnectionEnd.Delivered(bytes: 0, isExact: true)

    private func request(_ ordinal: UInt32, _ method: String) -> JournalRecord {
        .request(
            RequestReport(
                ExchangeID(Self.id, ordinal: ordinal),
                method: method,
                target: "/x",
                framing: .none,
                headBytes: 9,
                fields: ReportedFields([])
            )
        )
    }

    private func response(_ ordinal: UInt32, _ status: Int, interim: UInt32? = nil) -> JournalRecord
    {
        .response(
            ResponseReport(
                ExchangeID(Self.id, ordinal: ordinal),
                status: status,
                headBytes: 9,
                fields: ReportedFields([]),
                interimOrdinal: interim
            )
        )
    }

    @Test func `a connection has a page while it is open`() {
        var book = ConnectionBook()
        book.take(.connection(Self.id, environment: [:]), at: Instant(nanoseconds: 5))
        book.take(request(1, "GET"), at: Instant(nanoseconds: 6))
        book.take(response(1, 103, interim: 1), at: Instant(nanoseconds: 7))
        #expect(book.pages[Self.id]?.latestStatus == nil)
        book.take(response(1, 200), at: Instant(nanoseconds: 7))
        let page = book.pages[Self.id]
        #expect(page?.openedAt == Instant(nanoseconds: 5))
        #expect(page?.requests == 1)
        #expect(page?.latestRequest == "GET /x")
        #expect(page?.latestStatus == 200)
        let end = ConnectionEnd(
            connection: Self.id,
            by: .client,
            how: .fin,
            down: Self.nothing,
            up: Self.nothing
        )
        book.take(.connectionEnd(end), at: Instant(nanoseconds: 8))
        #expect(book.pages.isEmpty)
        #expect(book.opened == 1)
        #expect(book.ended == ["ok": 1])
    }

    @Test func `requests are counted by known methods and classes`() {
        var book = ConnectionBook()
        for (ordinal, (method, status)) in [
            ("GET", 200), ("GET", 206), ("PATCH", 503), ("BREW", 418), ("BREW2", 418),
        ].enumerated() {
            book.take(request(UInt32(ordinal), method), at: .start)
            book.take(response(UInt32(ordinal), status), at: .start)
        }
        #expect(book.requests == ["GET 2xx": 2, "PATCH 5xx": 1, "other 4xx": 2])
    }

    @Test func `an end is counted by its outcome`() {
        var book = ConnectionBook()
        for (party, manner) in [
            (ConnectionEnd.Party.fault, ConnectionEnd.Manner.rst), (.fault, .fin),
            (.upstream, .rst), (.fault, .refused), (.shutdown, .rst), (.limit, .timeout),
            (.client, .hole),
        ] {
            let end = ConnectionEnd(
                connection: Self.id,
                by: party,
                how: manner,
                down: Self.nothing,
                up: Self.nothing
            )
            book.take(.connectionEnd(end), at: .start)
        }
        #expect(
            book.ended == [
                "rst": 1, "fin": 1, "error": 1, "refused": 1, "shutdown": 1, "timeout": 1,
                "hole": 1,
            ]
        )
    }
}
