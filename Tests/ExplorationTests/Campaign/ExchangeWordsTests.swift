import Journal
import Testing

@testable import Exploration

/// How requests and their answers are told as evidence.
@Suite struct ExchangeWordsTests {
    private static let id = ExchangeID(ConnectionID(listener: 1, ordinal: 2), ordinal: 3)

    private func words(
        _ method: String,
        _ framing: ReportedFraming = .none,
        _ fields: [(name: String, value: String)] = []
    ) -> ExchangeWords {
        ExchangeWords(
            RequestReport(
                Self.id,
                method: method,
                target: "/x",
                framing: framing,
                headBytes: 1,
                fields: ReportedFields(fields)
            )
        )
    }

    private func body(_ side: MessageSide, _ bytes: UInt64, isComplete: Bool = true) -> BodyReport {
        BodyReport(Self.id, side, bytes: bytes, isComplete: isComplete)
    }

    private func response(
        _ status: Int,
        _ fields: [(name: String, value: String)] = [],
        isByFault: Bool = false
    ) -> ResponseReport {
        ResponseReport(
            Self.id,
            status: status,
            headBytes: 1,
            fields: ReportedFields(fields),
            isByFault: isByFault
        )
    }

    @Test func `an upload without content says so, and how long the answer is comes after it`() {
        var words = words("PUT", .length(0))
        words.add(response(201))
        words.add(body(.response, 33))
        #expect(words.text == "c2/r3 PUT /x (no content) → 201 (33 B)")
    }

    @Test func `what was sent stands before the answer, whichever came first`() {
        var words = words("PATCH", .length(9), [("upload-offset", "4")])
        words.add(response(104))
        words.add(response(500))
        words.add(body(.request, 5, isComplete: false))
        #expect(words.text == "c2/r3 PATCH /x upload-offset: 4 (5 B, cut off) → 104 → 500")
    }

    @Test func `a download says its range, and what came of it`() {
        var words = words("GET", .none, [("range", "bytes=1-")])
        words.add(body(.request, 0))
        words.add(response(206, [("content-encoding", "gzip")]))
        words.add(body(.response, 7, isComplete: false))
        #expect(
            words.text == "c2/r3 GET /x range: bytes=1- → 206 content-encoding: gzip (7 B, cut off)"
        )
    }

    @Test func `of what a fault answers the content that is missing is told`() {
        var words = words("GET")
        words.add(response(200, [("content-length", "8")], isByFault: true))
        words.add(body(.response, 0, isComplete: false))
        #expect(words.text == "c2/r3 GET /x → 200 (0 of 8 B, cut off)")
    }
}
