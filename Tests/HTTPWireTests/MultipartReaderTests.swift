import HTTPWire
import Testing

@Suite struct MultipartReaderTests {
    /// Content with the boundary `b`, and what it is.
    static let contents: [(text: String, log: String)] = [
        ("--b--", "end"), ("--b--\r\n", "end"), ("--b--junk\r\n--b\r\n", "end"),
        ("--b\r\n\r\nhello\r\n--b--", "part =hello | end"),
        ("--b\r\nA: x\r\nB:\r\n\r\n\r\n--b--", "part(A:x|B:) | end"),
        (
            "preamble\r\n--b\r\n\r\n1\r\n--b\r\n\r\n2\r\n--b--\r\nepilogue",
            "part =1 | part =2 | end"
        ),
        ("--b \t\r\n\r\n1\r\n--b--", "part =1 | end"),
        ("\r\n--b\r\n\r\n\r\n\r\n--b--", "part =\r\n | end"),
        (
            "--b\r\n\r\n\r\n-\r\n--\r\n--a\r\r\n-b\r--b\n--b\r\n--b--",
            "part =\r\n-\r\n--\r\n--a\r\r\n-b\r--b\n--b | end"
        ),
        ("--b\r\n\r\n\r\r\n\r\r\n--b--", "part =\r\r\n\r | end"),
        ("--b\r\n\r\n--b\r\n--b--", "part =--b | end"),
        ("x--b\r\n--b--", "end"), ("x\n--b\r\n\r\n", "!incomplete"),
        ("", "!incomplete"), ("--b", "!incomplete"), ("--b-", "!incomplete"),
        ("--b\r\n\r\nhello", "part =hello !incomplete"),
        ("--b\r\n\r\nhello\r\n--", "part =hello !incomplete"),
        ("--b\r\nA: x\r\n", "!incomplete"),
        ("--bb\r\n", "!a boundary is not followed by a line end or two hyphens"),
        ("--b-x", "!a boundary is not followed by a line end or two hyphens"),
        ("--b\n", "!a boundary is not followed by a line end or two hyphens"),
        ("--b \r\r", "!a boundary is not followed by a line end or two hyphens"),
        ("--b --", "!a boundary is not followed by a line end or two hyphens"),
        ("--b\r\nA: x\n\r\n", "!a line ends in LF without CR"),
        ("--b\r\n x\r\n", "!a header line begins with white space"),
        ("--b\r\n--b--\r\n", "!a header name that is not followed by a colon"),
    ]

    @Test(arguments: contents)
    func `parts are found`(text: String, log: String) {
        #expect(read(text) == log)
    }

    @Test func `however the content is cut, the parts are the same`() {
        for (text, log) in Self.contents {
            let count = text.wireBytes.count
            for size in 1...9 { #expect(read(text, [size]) == log, "\(text)") }
            for first in 1..<max(count, 2) { #expect(read(text, [first, .max]) == log, "\(text)") }
        }
    }

    @Test(arguments: ["", "a ", "a\"", "\u{FC}", "a\r", String(repeating: "a", count: 71)])
    func `a boundary that is none is refused`(boundary: String) {
        #expect(MultipartReader(boundary: boundary) == nil)
    }

    @Test func `fields and parts have limits`() throws {
        var limits = MessageLimits()
        limits.head = 10
        #expect(read("--b\r\nA: 45\r\n\r\n\r\n--b--", limits: limits).hasPrefix("part"))
        #expect(read("--b\r\nA: 4567\r\n\r\n\r\n--b--", limits: limits) == "!headTooLarge")
        let part = "--b\r\n\r\n\r\n"
        let three = String(repeating: part, count: 3)
        #expect(read(three + "--b--").hasSuffix("| end"))
        #expect(read(three + part + "--b--").hasSuffix("!too many parts"))
    }

    @Test func `content is found in bulk`() throws {
        var reader = try #require(MultipartReader(boundary: "b"))
        _ = try reader.next("--b\r\n\r\n".wireBytes.span)
        let content = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
        for _ in 0..<10 {
            #expect(
                try reader.next(content.span)
                    == .init(consumed: 65_536, event: .content(0..<65_536))
            )
        }
    }

    @Test func `only a form with a boundary is read as one`() throws {
        let types = [
            ("multipart/form-data; boundary=x", true),
            ("Multipart/Form-Data; BOUNDARY=\"x y\"", true),
            ("multipart/form-data", false), ("multipart/mixed; boundary=x", false),
            ("multipart/form-data; boundary=\"\"", false),
        ]
        for (text, isForm) in types {
            let type = try #require(MediaType(text))
            #expect((MultipartReader(form: type) != nil) == isForm)
        }
    }

    private func read(
        _ text: String,
        _ pieces: [Int] = [.max],
        limits: MessageLimits = MessageLimits()
    ) -> String {
        guard var reader = MultipartReader(boundary: "b", limits: limits, maximumParts: 3) else {
            return "no reader"
        }
        var log = ParserLog()
        do {
            for piece in ParserLog.cut(text.wireBytes, pieces) {
                try feed(piece, to: &reader, &log)
            }
            try reader.finish()
        } catch {
            log.add(error)
        }
        return log.text
    }

    private func feed(
        _ bytes: [UInt8],
        to reader: inout MultipartReader,
        _ log: inout ParserLog
    ) throws(MessageError) {
        var start = 0
        while true {
            let step = try reader.next(bytes.span.extracting(start..<bytes.count))
            switch step.event {
            case .part(let fields): log.add("part" + ParserLog.text(fields))
            case .content(let range):
                log.add(content: bytes[start + range.lowerBound..<start + range.upperBound])
            case .heldContent(let held): log.add(content: held[...])
            case .partEnd: log.add("|")
            case .end: log.add("end")
            case nil:
                if start + step.consumed < bytes.count { log.add("left over") }
                return
            }
            start += step.consumed
        }
    }
}
