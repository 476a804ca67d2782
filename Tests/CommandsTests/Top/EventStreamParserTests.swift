import Testing

@testable import Commands

@Suite struct EventStreamParserTests {
    private func events(_ text: String, pieces size: Int) throws -> [String] {
        var parser = EventStreamParser()
        let bytes = Array(text.utf8)
        var events: [ServerEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += try parser.parse(bytes[start..<min(bytes.count, start + size)])
        }
        return events.map { "\($0.name)=\(String(decoding: $0.data, as: UTF8.self))" }
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `events are the same in whatever pieces they come`(size: Int) throws {
        let text = """
            retry: 1000

            event: sample
            data: {"a":1}

            : a comment
            id: 7
            event:records
            data:[1,
            data: 2]

            data: plain

            event: without data

            event: unfinished
            data: 1
            """
        let expected = ["sample={\"a\":1}", "records=[1,\n2]", "message=plain"]
        #expect(try events(text, pieces: size) == expected)
        let carriage = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(try events(carriage.joined(separator: "\r\n"), pieces: size) == expected)
        #expect(try events(carriage.joined(separator: "\r"), pieces: size) == expected)
    }

    @Test func `a stream without end is refused`() {
        var parser = EventStreamParser()
        #expect(throws: EventStreamParser.TooLong.self) {
            for _ in 0..<20 { _ = try parser.parse(Array(repeating: 0x41, count: 100_000)) }
        }
        var lines = EventStreamParser()
        let line = Array("data: \(String(repeating: "x", count: 1_000))\n".utf8)
        #expect(throws: EventStreamParser.TooLong.self) {
            for _ in 0..<2_000 { _ = try lines.parse(line) }
        }
    }
}
