import HTTPWire
import Testing

@Suite struct MessageHeadTests {
    @Test func `a response has the usual words unless others are given`() {
        #expect(ResponseHead(404).reason == "Not Found")
        #expect(ResponseHead(404, reason: "Nope").reason == "Nope")
        #expect(ResponseHead(299).reason == "Status 299")
    }

    @Test(arguments: [(100, true), (104, true), (199, true), (101, false), (200, false)])
    func `another response follows an interim one`(status: Int, isInterim: Bool) {
        #expect(ResponseHead(status).isInterim == isInterim)
    }

    @Test func `each error has its answer`() {
        #expect(MessageError.malformed("x").status == 400)
        #expect(MessageError.headTooLarge.status == 431)
        #expect(MessageError.startLineTooLong.status == 414)
        #expect(MessageError.versionNotSupported.status == 505)
    }

    @Test func `a head may be taken for whole after each of its lines, and within values`() {
        let head = ResponseHead(206, fields: ["Date": "x", "Content-Length": "1500", "ETag": "é"])
        let lines = [
            "HTTP/1.1 206 Partial Content", "Date: x", "Content-Length: 1500", "ETag: é", "",
        ]
        let text = lines.map { $0 + "\r\n" }.joined()
        let size = UInt64(text.unicodeScalars.count)
        #expect(head.edges(in: size) == [30, 39, 57, 61, 70])
        // With a space more, lines are somewhere else.
        #expect(head.edges(in: size + 1) == [])
    }
}
