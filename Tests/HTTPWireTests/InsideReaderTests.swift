import HTTPWire
import Testing

/// What the readers of messages inside a stream find, however the bytes are cut.
@Suite struct InsideReaderTests {
    private func frames(
        _ bytes: [UInt8],
        slice: Int,
        isMasked: Bool = false
    ) throws(MessageError) -> [String] {
        var reader = WebSocketReader(isMasked: isMasked)
        var events: [InsideEvent] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + slice)
            try reader.read(bytes.span.extracting(start..<end), at: UInt64(start), into: &events)
            start = end
        }
        reader.end(at: UInt64(bytes.count), into: &events)
        return words(events)
    }

    private func events(_ text: [UInt8], slice: Int) throws(MessageError) -> [String] {
        var reader = EventStreamReader()
        var events: [InsideEvent] = []
        var start = 0
        while start < text.count {
            let end = min(text.count, start + slice)
            try reader.read(text.span.extracting(start..<end), at: UInt64(start), into: &events)
            start = end
        }
        reader.end(at: UInt64(text.count), into: &events)
        return words(events)
    }

    /// Parts that follow each other as one.
    private func words(_ events: [InsideEvent]) -> [String] {
        var words: [String] = []
        var open: (ordinal: UInt32, start: UInt64, end: UInt64)?
        for event in events {
            switch event {
            case .part(let part):
                if open?.ordinal != part.ordinal || open?.end != part.bytes.lowerBound {
                    words += open.map { ["\($0.ordinal): \($0.start)-\($0.end)"] } ?? []
                    open = (part.ordinal, part.bytes.lowerBound, part.bytes.upperBound)
                }
                open?.end = part.bytes.upperBound
                guard part.isLast, let last = open else { continue }
                words.append("\(last.ordinal): \(last.start)-\(last.end).")
                open = nil
            case .control(let kind, let range): words.append("\(kind) \(range)")
            case .close(let code, let place):
                words.append("closed \(code.map { "\($0)" } ?? "-") \(place)")
            case .told(let hint, _, _):
                words.append("id \(hint.id ?? "-") retry \(hint.retryMilliseconds ?? 0)")
            case .end(let count, _):
                if let last = open { words.append("\(last.ordinal): \(last.start)-\(last.end)") }
                words.append("end \(count)")
            case .status(let status, let place): words.append("status \(status.code) \(place)")
            case .begun, .whole: continue
            case .lost: words.append("lost")
            }
        }
        return words
    }

    @Test(arguments: [1, 2, 3, 1_000])
    func `frames of every length and kind are found`(slice: Int) throws {
        let long = [0x82, 126, 1, 0] + [UInt8](repeating: 7, count: 256)
        let longest = [0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1, 9] as [UInt8]
        let bytes =
            [0x81, 0] + long + longest + [0x89, 1, 5] + [0x01, 0] + [0x80, 1, 9] + [0x88, 0]
        #expect(
            try frames(bytes, slice: slice) == [
                "1: 0-2.", "2: 2-262.", "3: 262-273.", "ping 273..<276", "4: 276-281.",
                "close 281..<283", "closed - 283", "end 4",
            ]
        )
    }

    @Test(arguments: [1, 5, 1_000])
    func `the code of a masked close frame is read`(slice: Int) throws {
        let bytes: [UInt8] = [0x88, 0x82, 1, 2, 3, 4, 0x03 ^ 1, 0xF3 ^ 2]
        #expect(
            try frames(bytes, slice: slice, isMasked: true) == [
                "close 0..<8", "closed 1011 8", "end 0",
            ]
        )
    }

    @Test(arguments: [
        [0x83, 0], [0x80, 0], [0x01, 0, 0x81, 0], [0x09, 0], [0x8B, 0], [0x89, 126], [0x81, 0x80],
        [0x88, 0, 0x81], [0x81, 127, 0xFF, 0, 0, 0, 0, 0, 0, 0],
    ])
    func `what no server may send is refused`(bytes: [UInt8]) {
        for slice in [1, 100] {
            #expect(throws: MessageError.self) { try frames(bytes, slice: slice) }
        }
    }

    @Test func `a client's frame needs a mask`() {
        #expect(throws: MessageError.self) { try frames([0x81, 0], slice: 1, isMasked: true) }
    }

    @Test(
        arguments: [
            ("data: a\n\n", ["1: 0-9.", "end 1"]),
            ("data: a\r\rdata\r\r", ["1: 0-9.", "2: 9-15.", "end 2"]),
            ("data: a\r\n\r\ndata: b\r\n\r\n", ["1: 0-11.", "2: 11-22.", "end 2"]),
            ("\u{FEFF}data: a\n\n", ["1: 3-12.", "end 1"]),
            (":x\n\n: y\ndata\n\n", ["1: 8-14.", "end 1"]),
            ("event: x\n\ndatax: 1\n\ndata:\n\n", ["1: 20-27.", "end 1"]),
            ("id: 5\n\n", ["id 5 retry 0", "end 0"]),
            (
                "id:5\ndata:x\nretry: 1000\n\nid\n\n",
                ["1: 0-25.", "id 5 retry 1000", "id  retry 0", "end 1"]
            ),
            ("retry: 1x\ndata: a\n", ["1: 0-18", "end 0"]),
            ("data: a\n\r\n", ["1: 0-10.", "end 1"]),
            ("data: a", ["1: 0-7", "end 0"]),
            ("", ["end 0"]),
        ],
        [1, 2, 3, 100]
    )
    func `events are blocks with data, whatever ends their lines`(
        sample: (text: String, found: [String]),
        slice: Int
    ) throws {
        #expect(try events(Array(sample.text.utf8), slice: slice) == sample.found)
    }

    @Test(arguments: ["id:", "id: "], [(1_024, true), (1_025, false), (3_000, false)])
    func `an id that is too long is none`(name: String, size: (count: Int, isTaken: Bool)) throws {
        let id = String(repeating: "x", count: size.count)
        let found = try events(Array("\(name)\(id)\n\n".utf8), slice: 100)
        #expect(found == (size.isTaken ? ["id \(id) retry 0"] : []) + ["end 0"])
    }

    @Test func `lines without data are kept to a limit`() {
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: 70_000)
        for slice in [1_000, 100_000] {
            #expect(throws: MessageError.self) { try events(text, slice: slice) }
        }
    }

    // gRPC.

    private func calls(_ bytes: [UInt8], slice: Int) -> [String] {
        var reader = InsideReader(.grpc, isClient: true)
        var events: [InsideEvent] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + slice)
            reader.read(bytes.span.extracting(start..<end), at: UInt64(start), into: &events)
            start = end
        }
        reader.end(at: UInt64(bytes.count), into: &events)
        return words(events)
    }

    @Test(arguments: [1, 2, 5, 1_000])
    func `messages of gRPC are found by their lengths`(slice: Int) {
        let long = [1, 0, 0, 1, 0] + [UInt8](repeating: 9, count: 256)
        let bytes = [0, 0, 0, 0, 0] + long + [0, 0, 0, 0, 2, 7, 7] + [0, 0, 0]
        #expect(
            calls(bytes, slice: slice) == [
                "1: 0-5.", "2: 5-266.", "3: 266-273.", "4: 273-276", "end 3",
            ]
        )
        #expect(calls([0, 0, 0, 0, 0, 2, 1], slice: slice) == ["1: 0-5.", "lost"])
    }

    @Test func `a message has one part in each slice`() {
        var reader = InsideReader(.grpc, isClient: true)
        var events: [InsideEvent] = []
        reader.read([UInt8](repeating: 0, count: 5_003).span, at: 0, into: &events)
        #expect(events.count == 1_001)
        reader.read([0, 2, 7, 7].span, at: 5_003, into: &events)
        #expect(events.count == 1_002)
    }

    @Test func `a status is what stands in trailers, and a pushback that is no number forbids`() {
        #expect(CallStatus([:]) == nil)
        #expect(CallStatus(["grpc-status": "OK"]) == nil)
        #expect(CallStatus(["grpc-status": "0"])?.pushbackMilliseconds == nil)
        for (text, value) in [("250", 250), ("-1", -1), ("soon", -1), ("", -1)] as [(String, Int64)]
        {
            let status = CallStatus(["grpc-status": "14", "grpc-retry-pushback-ms": text])
            #expect(status?.code == 14 && status?.pushbackMilliseconds == value)
        }
    }
}
