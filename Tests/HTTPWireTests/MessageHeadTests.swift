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
}
