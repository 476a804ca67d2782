import HTTPWire
import Testing
import TestSupport

@Suite struct HTTPTapTests {
    static let get = ">GET / HTTP/1.1\r\n\r\n"

    /// Traffic, and what the tap says of it.
    static let traffic: [(script: TapScript, log: String)] = [
        (
            [get, "<HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", ">.", "<."],
            """
            >1:GET/none[0,18] >1:complete(0)@18 <1:200/length(2)[0,38] \
            <1:0=ab[38,40] <1:complete(2)@40
            """
        ),
        (
            [get, "<HTTP/1.1 200 OK\r\n\r\nabc", "<."],
            """
            >1:GET/none[0,18] >1:complete(0)@18 <1:200/untilClose[0,19] \
            <1:0=abc[19,22] <1:closeDelimited(3)@22
            """
        ),
        (
            [get, "<HTTP/1.1 200 OK\r\n\r\nabc", "<!"],
            """
            >1:GET/none[0,18] >1:complete(0)@18 <1:200/untilClose[0,19] \
            <1:0=abc[19,22] <1:incomplete(3)@22
            """
        ),
        (
            [get, "<HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "<."],
            """
            >1:GET/none[0,18] >1:complete(0)@18 <1:200/length(9)[0,38] \
            <1:0=abc[38,41] <1:incomplete(3)@41
            """
        ),
        (
            [get, "<HTTP/1.1 200 OK\r\nConten", "<."],
            ">1:GET/none[0,18] >1:complete(0)@18 <1:head[0,23]"
        ),
        ([get, "<\u{15}\u{3}\u{3}"], ">1:GET/none[0,18] >1:complete(0)@18 <?TLS@0"),
        ([">\r\n\r\nGET / HT", ">."], ">1:head[4,12]"),
        (
            [">\r\n\r\nGET / HTTP/1.1\r\n\r\n\r\nHEAD / HTTP/1.1\r\n\r\n"],
            """
            >1:GET/none[4,22] >1:complete(0)@22 >2:HEAD/none[24,43] \
            >2:complete(0)@43
            """
        ),
        (
            [
                ">PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n002\r\nde\r\n",
                ">0\r\nX: y\r\n\r\n",
            ],
            """
            >1:PUT/chunked[0,46] >1:chunk1@0+3[46,53] >1:0=abc[53,56] \
            >1:chunk2@3+2[58,63] >1:3=de[63,65] >1:chunk3@5+0[67,70] \
            >1:complete(5)@78
            """
        ),
        (
            [
                ">GET / HTTP/1.1\r\n\r\nHEAD / HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n",
                "<HTTP/1.1 304 N\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 O\r\nContent-Length: 9\r\n\r\n",
                "<HTTP/1.1 204 N\r\nContent-Length: 0\r\n\r\n",
            ],
            """
            >1:GET/none[0,18] >1:complete(0)@18 >2:HEAD/none[18,37] \
            >2:complete(0)@37 >3:GET/none[37,56] >3:complete(0)@56 <1:304/none[0,37] \
            <1:complete(0)@37 <2:200/none[37,74] <2:complete(0)@74 \
            <3:204/none[74,111] <3:complete(0)@111
            """
        ),
        (
            [
                ">PATCH / HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n",
                "<HTTP/1.1 104 U\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 104 U\r\n\r\n", ">abcd",
                "<HTTP/1.1 103 E\r\n\r\nHTTP/1.1 201 C\r\nContent-Length: 0\r\n\r\n",
            ],
            """
            >1:PATCH/length(4)[0,61] <1:104#1[0,18] <1:100#1[18,36] <1:104#2[36,54] \
            >1:0=abcd[61,65] >1:complete(4)@65 <1:103#1[54,72] \
            <1:201/length(0)[72,109] <1:complete(0)@109
            """
        ),
        // An answer before the end of the request.
        (
            [
                ">PUT / HTTP/1.1\r\nContent-Length: 4\r\n\r\nab",
                "<HTTP/1.1 413 L\r\nContent-Length: 0\r\n\r\n", ">cdGET / HTTP/1.1\r\n\r\n",
                "<HTTP/1.1 200 O\r\nContent-Length: 0\r\n\r\n",
            ],
            """
            >1:PUT/length(4)[0,37] >1:0=ab[37,39] <1:413/length(0)[0,37] \
            <1:complete(0)@37 >1:2=cd[39,41] >1:complete(4)@41 >2:GET/none[41,59] \
            >2:complete(0)@59 <2:200/length(0)[37,74] <2:complete(0)@74
            """
        ),
        (
            [
                ">PUT / HTTP/1.1\r\nContent-Length: 4\r\n\r\nab",
                "<HTTP/1.1 413 L\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", ">c", ">.",
            ],
            """
            >1:PUT/length(4)[0,37] >1:0=ab[37,39] <1:413/length(0)[0,56] \
            <1:complete(0)@56 >1:2=c[39,40] >1:incomplete(3)@40
            """
        ),
        // A refused expectation: content or the next request.
        (
            [
                ">PUT / HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n",
                "<HTTP/1.1 417 E\r\nContent-Length: 0\r\n\r\n", ">GET / HTTP/1.1\r\n\r\n",
            ],
            """
            >1:PUT/length(4)[0,59] <1:417/length(0)[0,37] <1:complete(0)@37 \
            >?bytes behind a refused Expect: content or the next request@59
            """
        ),
        (
            [
                ">PUT / HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\na",
                "<HTTP/1.1 417 E\r\nContent-Length: 0\r\n\r\n", ">bcd",
            ],
            """
            >1:PUT/length(4)[0,59] >1:0=a[59,60] <1:417/length(0)[0,37] \
            <1:complete(0)@37 >1:1=bcd[60,63] >1:complete(4)@63
            """
        ),
        (
            [
                ">PUT / HTTP/1.1\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n",
                "<HTTP/1.1 417 E\r\nContent-Length: 0\r\n\r\n", get,
            ],
            """
            >1:PUT/length(0)[0,59] >1:complete(0)@59 <1:417/length(0)[0,37] \
            <1:complete(0)@37 >2:GET/none[59,77] >2:complete(0)@77
            """
        ),
        (
            [
                ">PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n1",
                "<HTTP/1.1 417 E\r\nContent-Length: 0\r\n\r\n", ">\r\na\r\n0\r\n\r\n",
            ],
            """
            >1:PUT/chunked[0,68] <1:417/length(0)[0,37] <1:complete(0)@37 \
            >1:chunk1@0+1[68,71] >1:0=a[71,72] >1:chunk2@1+0[74,77] >1:complete(1)@79
            """
        ),
        // Another protocol.
        (
            [
                ">GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
                "<HTTP/1.1 101 S\r\nUpgrade: x\r\n\r\nxyz", ">uvw", "<.", ">.",
            ],
            """
            >1:GET/none[0,51] >1:complete(0)@51 <1:101/none[0,30] <1:complete(0)@30 \
            <?the protocol was changed by a 101@30 \
            >?the protocol was changed by a 101@51
            """
        ),
        (
            [
                ">GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
                "<HTTP/1.1 200 S\r\nContent-Length: 0\r\n\r\n", get,
            ],
            """
            >1:GET/none[0,51] >1:complete(0)@51 <1:200/length(0)[0,37] \
            <1:complete(0)@37 >2:GET/none[51,69] >2:complete(0)@69
            """
        ),
        (
            [">GET / HTTP/1.1\r\nUpgrade: x\r\n\r\n", get],
            """
            >1:GET/none[0,30] >1:complete(0)@30 \
            >?bytes behind Upgrade or CONNECT before its answer@30
            """
        ),
        (
            [get, "<HTTP/1.1 101 S\r\nContent-Length: 5\r\n\r\nxyz"],
            """
            >1:GET/none[0,18] >1:complete(0)@18 <1:101/none[0,37] <1:complete(0)@37 \
            <?the protocol was changed by a 101@37 \
            >?the protocol was changed by a 101@18
            """
        ),
        (
            [
                ">PUT / HTTP/1.1\r\nUpgrade: x\r\nContent-Length: 3\r\n\r\na",
                "<HTTP/1.1 101 S\r\n\r\n", ">bcde",
            ],
            """
            >1:PUT/length(3)[0,49] >1:0=a[49,50] <1:101/none[0,18] <1:complete(0)@18 \
            <?the protocol was changed by a 101@18 >1:1=bc[50,52] >1:complete(3)@52 \
            >?the protocol was changed by a 101@52
            """
        ),
        (
            [
                ">CONNECT a:1 HTTP/1.1\r\n\r\n", "<HTTP/1.1 200 S\r\nContent-Length: 5\r\n\r\nx",
                ">x",
            ],
            """
            >1:CONNECT/none[0,24] >1:complete(0)@24 <1:200/none[0,37] \
            <1:complete(0)@37 <?a tunnel was opened by CONNECT@37 \
            >?a tunnel was opened by CONNECT@24
            """
        ),
        (
            [
                ">CONNECT a:1 HTTP/1.1\r\n\r\n", "<HTTP/1.1 407 S\r\nContent-Length: 1\r\n\r\nx",
                get,
            ],
            """
            >1:CONNECT/none[0,24] >1:complete(0)@24 <1:407/length(1)[0,37] \
            <1:0=x[37,38] <1:complete(1)@38 >2:GET/none[24,42] >2:complete(0)@42
            """
        ),
        (
            [">CONNECT a:1 HTTP/1.1\r\n\r\nx"],
            """
            >1:CONNECT/none[0,24] >1:complete(0)@24 \
            >?bytes behind Upgrade or CONNECT before its answer@24
            """
        ),
        ([">\u{16}\u{3}\u{1}", "<\u{16}\u{3}\u{3}"], ">?TLS@0 <?TLS@0"),
        ([">PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "<\u{0}"], ">?HTTP/2@0 <?HTTP/2@0"),
        (
            [">GET /\r\n", "<x"],
            ">?a version other than HTTP/1.x@0 <?a version other than HTTP/1.x@0"
        ),
        ([">GET / HTTP/2.0\r\n"], ">?a version other than HTTP/1.x@0"),
        // The last message of a direction.
        (
            [">GET / HTTP/1.0\r\n\r\nGET / HTTP/1.0\r\n\r\n"],
            """
            >1:GET/none[0,18] >1:complete(0)@18 >?bytes behind the last message@18
            """
        ),
        (
            [">GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n"],
            """
            >1:GET/none[0,42] >1:complete(0)@42 >2:GET/none[42,60] >2:complete(0)@60
            """
        ),
        (
            [">GET / HTTP/1.1\r\nConnection: close\r\n\r\n\r\n"],
            """
            >1:GET/none[0,37] >1:complete(0)@37 >?bytes behind the last message@37
            """
        ),
        (
            [
                get, get,
                "<HTTP/1.1 200 O\r\nContent-Length: 0\r\nConnection: close\r\n\r\nHTTP/1.1 200 O\r\n",
            ],
            """
            >1:GET/none[0,18] >1:complete(0)@18 >2:GET/none[18,36] >2:complete(0)@36 \
            <1:200/length(0)[0,56] <1:complete(0)@56 \
            <?bytes behind the last message@56
            """
        ),
        // What parsers read differently.
        (
            [">PUT / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
            ">?Transfer-Encoding together with Content-Length@0"
        ),
        (
            [">PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
            ">?several different Content-Length values@0"
        ),
        (
            [">PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na"],
            ">1:PUT/length(1)[0,56] >1:0=a[56,57] >1:complete(1)@57"
        ),
        (
            [">PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
            ">?Transfer-Encoding in HTTP/1.0@0"
        ),
        (
            [">PUT / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"],
            ">?a transfer coding other than chunked@0"
        ),
        ([">GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n"], ">?a header line begins with white space@0"),
        ([">GET / HTTP/1.1\n\n"], ">?a line ends in LF without CR@0"),
        (
            [get, ">GET / HTTP/1.1\r\nA: b\n\r\n"],
            ">1:GET/none[0,18] >1:complete(0)@18 >?a line ends in LF without CR@18"
        ),
        (
            [">PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n"],
            """
            >1:PUT/chunked[0,46] >1:chunk1@0+2[46,49] >1:0=ab[49,51] \
            >?a chunk is not followed by CR LF@51
            """
        ),
        (
            [">PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nx\r\n"],
            """
            >1:PUT/chunked[0,46] >1:chunk1@0+2[46,49] >1:0=ab[49,51] \
            >?a chunk size is not hexadecimal digits@51
            """
        ),
        (
            [get, "<HTTP/1.1 204 N\r\nContent-Length: 1\r\n\r\na"],
            """
            >1:GET/none[0,18] >1:complete(0)@18 \
            <?content is declared where there can be none@0
            """
        ),
        (
            [get, "<HTTP/1.1 100 C\r\nTransfer-Encoding: chunked\r\n\r\n"],
            """
            >1:GET/none[0,18] >1:complete(0)@18 \
            <?content is declared where there can be none@0
            """
        ),
        (
            [get, "<HTTP/1.1 200 O\r\nTransfer-Encoding: gzip\r\n\r\n"],
            """
            >1:GET/none[0,18] >1:complete(0)@18 \
            <?Transfer-Encoding does not end in chunked@0
            """
        ),
        (
            [get, "<\r\nHTTP/1.1 200 O\r\n\r\n"],
            """
            >1:GET/none[0,18] >1:complete(0)@18 \
            <?the first byte of a message is none of HTTP/1.1@0
            """
        ),
        (
            [">CONNECT a:1 HTTP/1.1\r\nContent-Length: 1\r\n\r\nx"],
            ">?content is declared where there can be none@0"
        ),
        (
            [get, "<HTTP/1.1 304 N\r\nContent-Length: +1\r\n\r\n"],
            ">1:GET/none[0,18] >1:complete(0)@18 <?Content-Length is not a number@0"
        ),
        (
            [get, "<HTTP/1.1 200 O\r\nTransfer-Encoding: chunked\t\r\n\r\n"],
            """
            >1:GET/none[0,18] >1:complete(0)@18 \
            <?a tab behind a value that frames the content@0
            """
        ),
        (
            [">\r\nPUT / HTTP/1.1\r\nContent-Length: 1 \t\r\n\r\na"],
            ">?a tab behind a value that frames the content@2"
        ),
        (
            [get, "<HTTP/1.1 204 N\r\nTransfer-Encodings: chunked\r\n\r\n"],
            """
            >1:GET/none[0,18] >1:complete(0)@18 \
            <?a field whose name begins with Transfer-Encoding@0
            """
        ),
        // A bare CR is noticed at once: the byte behind it may be the next message's first.
        (
            [">GET / HTTP/1.1\r\n\rG"], ">?a CR without LF@0"
        ),
        (
            [">PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\rG"],
            """
            >1:PUT/chunked[0,46] >1:chunk1@0+0[46,49] >?a CR without LF@49
            """
        ),
        // Answers without a question.
        (
            ["<HTTP/1.1 408 T\r\n\r\n", get],
            "<?a response without a request@0 >1:GET/none[0,18] >1:complete(0)@18"
        ),
        (
            [get, "<HTTP/1.1 204 N\r\n\r\nHTTP/1.1 204 N\r\n\r\n", get],
            """
            >1:GET/none[0,18] >1:complete(0)@18 <1:204/none[0,18] <1:complete(0)@18 \
            <?a response without a request@18 >2:GET/none[18,36] >2:complete(0)@36
            """
        ),
    ]

    @Test(arguments: traffic.indices)
    func `messages stand where they do`(index: Int) {
        let (script, log) = Self.traffic[index]
        #expect(script.log() == log)
    }

    @Test(arguments: traffic.indices)
    func `any slices give the same messages`(index: Int) {
        let script = Self.traffic[index].script
        let whole = script.events()
        for sizes in [[1], [2], [3], [7], [5, 1], [40, 1]] {
            #expect(script.events(pieces: sizes) == whole, "\(sizes)")
        }
    }

    @Test(arguments: traffic.indices)
    func `damaged traffic gives the same messages in any slices, too`(index: Int) {
        var random = SeededRandom(seed: UInt64(index) + 1)
        for _ in 0..<30 {
            let script = Self.damaged(Self.traffic[index].script, &random)
            let whole = script.events()
            #expect(script.events(pieces: [1]) == whole, "\(script)")
            #expect(script.events(pieces: [3, 1, 5]) == whole, "\(script)")
        }
    }

    /// With a byte of some step lost, changed or doubled.
    private static func damaged(_ script: TapScript, _ random: inout SeededRandom) -> TapScript {
        var steps = script.steps
        for (index, step) in steps.enumerated() {
            guard case .bytes(let side, var bytes) = step, random.next() % 2 == 0 else { continue }
            let place = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 4 {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(bytes[place], at: place)
            case 2: bytes[place] = Array("\r\n :0".utf8)[Int(random.next() % 5)]
            default: bytes[place] ^= 1 << UInt8(random.next() % 8)
            }
            steps[index] = .bytes(side, bytes)
        }
        return TapScript(steps)
    }

    @Test func `a head that is too long is opaque from its beginning`() {
        var limits = MessageLimits()
        limits.startLine = 20
        limits.head = 40
        limits.fields = 2
        let long: [TapScript] = [
            [Self.get + "GET /" + String(repeating: "x", count: 40)],
            [Self.get + "GET / HTTP/1.1\r\nA:" + String(repeating: "x", count: 40)],
            [Self.get + "GET / HTTP/1.1\r\nA:\r\nB:\r\nC:\r\n"],
        ]
        for (script, reason) in zip(
            long,
            [MessageError.startLineTooLong, .headTooLarge, .headTooLarge]
        ) {
            let last = script.events(limits: limits).last
            #expect(last == .opaque(.client, at: 18, .malformed(reason)))
        }
    }

    @Test func `so many requests without an answer that they are not remembered are opaque`() {
        let many = TapScript([
            .bytes(
                .client,
                Array(repeating: Array("GET / HTTP/1.1\r\n\r\n".utf8), count: 2_000).joined().map {
                    $0
                }
            )
        ])
        let events = many.events()
        #expect(events.count == 2 * 1_024 + 1)
        #expect(events.last == .opaque(.client, at: 18 * 1_024, .tooManyRequests))
    }

    @Test func `an unfinished line before a chunk says where it begins`() {
        var tap = HTTPTap()
        var events: [TapEvent] = []
        let head = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        let start = UInt64(head.utf8.count)
        func places(_ text: String) -> [UInt64?] {
            text.utf8.map {
                tap.read([$0].span, from: .client, into: &events)
                return tap.unfinishedChunkLine(of: .client)
            }
        }
        #expect(places(head).allSatisfy { $0 == nil })
        #expect(places("1\r\n") == [start, start, nil])
        #expect(places("x\r\n") == [nil, nil, nil])
        #expect(places("0\r\n\r\n") == [start + 6, start + 6, nil, nil, nil])
    }

    @Test func `an unfinished head says where it begins, and nothing else does`() {
        var tap = HTTPTap()
        var events: [TapEvent] = []
        func read(_ text: String, _ side: TapSide = .client) {
            tap.read(Array(text.utf8).span, from: side, into: &events)
        }
        #expect(tap.unfinishedHead(of: .client) == nil)
        read("\r\n")
        #expect(tap.unfinishedHead(of: .client) == nil)
        read("P")
        #expect(tap.unfinishedHead(of: .client) == 2)
        read("UT / HTTP/1.1\r\nContent-Length: 1\r\n\r")
        #expect(tap.unfinishedHead(of: .client) == 2)
        #expect(tap.requestCount == 0)
        read("\n")
        #expect(tap.unfinishedHead(of: .client) == nil)
        #expect(tap.unanswered == [1])
        read("x")
        #expect(tap.unfinishedHead(of: .client) == nil)
        read("H", .server)
        #expect(tap.unfinishedHead(of: .server) == 0)
        read("TTP/1.1 100 C\r\n\r\n", .server)
        #expect(tap.unfinishedHead(of: .server) == nil)
        #expect(tap.unanswered == [1])
        read("HTTP/1.1 204 C\r\n\r\n", .server)
        #expect(tap.unanswered == [])
        read("x", .server)
        #expect(tap.opaqueReason(of: .server) == .responseWithoutRequest)
        #expect(tap.opaqueReason(of: .client) == nil)
        #expect(tap.position(of: .server) == 37)
    }

    @Test func `a side that ended says nothing more`() {
        let script: TapScript = [
            Self.get, ">.", ">.", Self.get, "<.", "<.", "<HTTP/1.1 200 O\r\n\r\n",
        ]
        #expect(script.log() == ">1:GET/none[0,18] >1:complete(0)@18")
    }
}
