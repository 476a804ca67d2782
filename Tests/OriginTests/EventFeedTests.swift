import SystemIO
import Testing

@testable import Origin

/// `/events/N`.
@Suite struct EventFeedTests {
    private func origin() throws -> LiveOrigin { try LiveOrigin(folder: OriginFolder()) }

    private func events(_ range: ClosedRange<Int>) -> [UInt8] {
        range.flatMap { Array("id: \($0)\ndata: event \($0)\n\n".utf8) }
    }

    @Test func `events come with ids, and the time to wait before them`() throws {
        let origin = try origin()
        let plain = try origin.ask("GET", "/events/3")
        #expect(plain.status == 200 && plain.body == events(1...3))
        #expect(plain["Content-Type"] == "text/event-stream")
        #expect(plain["Content-Length"] == nil)
        let timed = try origin.ask("GET", "/events/1?retry=250")
        #expect(timed.body == Array("retry: 250\n\n".utf8) + events(1...1))
    }

    @Test func `a file comes before events`() throws {
        let folder = try OriginFolder()
        let file = Array("mine".utf8)
        try folder.folder.makeFolder("events").replace("3", with: file, durably: false)
        let origin = try LiveOrigin(folder: folder)
        #expect(try origin.ask("GET", "/events/3").body == Array("mine".utf8))
        #expect(try origin.ask("GET", "/events/2").body == events(1...2))
    }

    @Test(arguments: [("2", 3...4), ("0", 1...4), ("x", 1...4)])
    func `they continue after the last one`(last: String, rest: ClosedRange<Int>) throws {
        let response = try origin().ask("GET", "/events/4", [("Last-Event-ID", last)])
        #expect(response.body == events(rest))
    }

    @Test func `after the last one none is left`() throws {
        let response = try origin().ask("GET", "/events/4", [("Last-Event-ID", "4")])
        #expect(response.status == 200 && response.body.isEmpty)
    }

    @Test(arguments: [
        ("/events/10001", 404), ("/events/1?retry=x", 400), ("/events/1?seed=1", 400),
        ("/events/x", 404), ("/events/", 404),
    ])
    func `what is no stream of events is refused`(target: String, status: Int) throws {
        #expect(try origin().ask("GET", target).status == status)
    }
}
