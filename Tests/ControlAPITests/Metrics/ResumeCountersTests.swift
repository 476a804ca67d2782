import ControlAPI
import Journal
import Testing

@Suite struct ResumeCountersTests {
    private func exchange(_ ordinal: UInt32) -> ExchangeID {
        ExchangeID(ConnectionID(ordinal: ordinal), ordinal: 1)
    }

    private func request(
        _ number: UInt32,
        _ method: String,
        _ target: String,
        _ fields: [(String, String)] = []
    ) -> JournalRecord {
        .request(
            RequestReport(
                exchange(number),
                method: method,
                target: target,
                framing: .none,
                headBytes: 10,
                fields: ReportedFields(fields.map { (name: $0.0, value: $0.1) })
            )
        )
    }

    private func response(
        _ number: UInt32,
        _ status: Int,
        _ fields: [(String, String)] = [],
        interim: UInt32? = nil
    ) -> JournalRecord {
        .response(
            ResponseReport(
                exchange(number),
                status: status,
                headBytes: 10,
                fields: ReportedFields(fields.map { (name: $0.0, value: $0.1) }),
                interimOrdinal: interim
            )
        )
    }

    private func body(
        _ number: UInt32,
        _ side: MessageSide,
        bytes: UInt64 = 5,
        isComplete: Bool
    ) -> JournalRecord {
        .body(BodyReport(exchange(number), side, bytes: bytes, isComplete: isComplete))
    }

    private func resent(_ records: [JournalRecord]) -> [UInt64] {
        var counters = ResumeCounters()
        for record in records { counters.take(record) }
        return [counters.resent.up, counters.resent.down]
    }

    private func counted(_ records: [JournalRecord]) -> [UInt64] {
        var counters = ResumeCounters()
        for record in records { counters.take(record) }
        return [counters.downloads, counters.uploads]
    }

    @Test func `the rest of a download that was cut off is a resumption, once`() {
        let cut = [
            request(1, "GET", "/a?x"), response(1, 200), body(1, .response, isComplete: false),
        ]
        let rest = request(2, "GET", "/a", [("Range", "bytes=500-")])
        #expect(counted(cut + [rest, response(2, 206)]) == [1, 0])
        // The server may send all of it again; then nothing was resumed.
        #expect(counted(cut + [rest, response(2, 200)]) == [0, 0])
        let other = request(2, "GET", "/b", [("Range", "bytes=500-")])
        #expect(counted(cut + [other, response(2, 206)]) == [0, 0])
        for range in ["bytes=0-", "bytes=00-5", "bytes=-500", "nonsense"] {
            let again = request(2, "GET", "/a", [("Range", range)])
            #expect(counted(cut + [again, response(2, 206)]) == [0, 0], "\(range)")
        }
        let twice = cut + [rest, response(2, 206), body(2, .response, isComplete: true)]
        let third = request(3, "GET", "/a", [("Range", "bytes=700-")])
        #expect(counted(twice + [third, response(3, 206)]) == [1, 0])
    }

    @Test func `a download that begins before the cut sends bytes again`() {
        let cut = [
            request(1, "GET", "/a"), response(1, 200),
            body(1, .response, bytes: 700, isComplete: false),
        ]
        func rest(from start: Int, _ bytes: UInt64) -> [JournalRecord] {
            [
                request(2, "GET", "/a", [("Range", "bytes=\(start)-")]),
                response(2, 206, [("Content-Range", "bytes \(start)-999/1000")]),
                body(2, .response, bytes: bytes, isComplete: bytes == 1_000 - UInt64(start)),
            ]
        }
        #expect(resent(cut) == [0, 0])
        #expect(resent(cut + rest(from: 700, 300)) == [0, 0])
        #expect(resent(cut + rest(from: 600, 400)) == [0, 100])
        #expect(resent(cut + rest(from: 600, 50)) == [0, 50])
        let whole = [
            request(3, "GET", "/a"), response(3, 200),
            body(3, .response, bytes: 1_000, isComplete: true),
        ]
        #expect(resent(cut + whole) == [0, 700])
        // Once it is whole, the next download is one of its own.
        #expect(resent(cut + rest(from: 700, 300) + whole) == [0, 0])
        let refused = [
            request(2, "GET", "/a"), response(2, 503),
            body(2, .response, bytes: 90, isComplete: true),
        ]
        #expect(resent(cut + refused) == [0, 0])
    }

    @Test func `an upload that goes on below the cut sends bytes again`() {
        let created = [
            request(1, "POST", "/files"), response(1, 104, [("Location", "/u")], interim: 1),
            body(1, .request, bytes: 800, isComplete: false),
        ]
        func rest(from offset: Int) -> [JournalRecord] {
            [
                request(2, "PATCH", "/u", [("Upload-Offset", "\(offset)")]),
                body(2, .request, bytes: 200, isComplete: true), response(2, 201),
            ]
        }
        #expect(resent(created + rest(from: 800)) == [0, 0])
        #expect(resent(created + rest(from: 750)) == [50, 0])
        #expect(resent(created + rest(from: 0)) == [200, 0])
        #expect(resent(rest(from: 0) + rest(from: 0)) == [0, 0])
    }

    @Test func `ranges and parts without a failure are no resumptions`() {
        let records = [
            request(1, "GET", "/a", [("Range", "bytes=500-")]), response(1, 206),
            body(1, .response, isComplete: true),
            request(2, "PATCH", "/u", [("Upload-Offset", "9")]),
            response(2, 204), body(2, .request, isComplete: true),
        ]
        #expect(counted(records) == [0, 0])
    }

    @Test func `an upload goes on at the URL that it was told`() {
        let created = [
            request(1, "POST", "/files"),
            response(1, 104, [("Location", "http://127.0.0.1:80/files/7?x")], interim: 1),
            body(1, .request, isComplete: false),
        ]
        let more = request(2, "PATCH", "/files/7", [("Upload-Offset", "5")])
        #expect(counted(created + [more]) == [0, 1])
        let again = request(2, "PATCH", "/files/7", [("Upload-Offset", "0")])
        #expect(counted(created + [again]) == [0, 0])
    }
}
