import Basics
import Faults
import HTTPWire
import Testing

@Suite struct FaultGateTests {
    /// A place, how much of a head of n bytes is before it, and how much of ten bytes of content.
    struct Place: Sendable, CustomTestStringConvertible {
        let text: String
        let head: @Sendable (Int) -> Int
        var content = 0

        var testDescription: String { text }

        static let all: [Place] = [
            Place(text: "head+0") { _ in 0 }, Place(text: "head+1") { _ in 1 },
            Place(text: "head-1") { $0 - 1 }, Place(text: "head~500") { $0 / 2 },
            Place(text: "head") { $0 }, Place(text: "body+0") { $0 },
            Place(text: "body+1", head: { $0 }, content: 1),
            Place(text: "body+9", head: { $0 }, content: 9),
            Place(text: "body-1", head: { $0 }, content: 9),
            Place(text: "body-10", head: { $0 }),
            Place(text: "body~500", head: { $0 }, content: 5),
            Place(text: "body~999", head: { $0 }, content: 9),
            Place(text: "body", head: { $0 }, content: 10),
            Place(text: "body~1000", head: { $0 }, content: 10),
            Place(text: "end", head: { $0 }, content: 10),
        ]

        func prefix(of head: String, _ content: String) -> String {
            let bytes = Array(head.utf8).prefix(self.head(head.utf8.count))
            return String(decoding: bytes, as: UTF8.self) + content.prefix(self.content)
        }
    }

    @Test(arguments: Place.all, [1, 2, 7, .max])
    func `the receiver gets exactly what is before an ending`(place: Place, slice: Int) throws {
        for effect in ["rst", "fin", "hole"] {
            let down = try Wire(["c1/r1:resp.\(place.text)=\(effect)"], slice: slice)
            down.client(Message.get)
            down.server(Message.answer)
            #expect(down.toClient == place.prefix(of: Message.answerHead, "0123456789"))
            #expect(down.log.count == 1 && down.log[0].hasPrefix("r1:resp."))
            let up = try Wire(["PUT(/u/*)#1:req.\(place.text)=\(effect)"], slice: slice)
            up.client(Message.put)
            #expect(up.toServer == place.prefix(of: Message.putHead, "abcdefghij"))
            #expect(up.log.count == 1 && up.log[0].hasPrefix("r1:req."))
        }
    }

    @Test func `an offset as large as the head is at its other end`() throws {
        let size = Message.answerHead.utf8.count
        for (place, prefix) in [("head+\(size)", Message.answerHead), ("head-\(size)", "")] {
            let wire = try Wire(["c1/r1:resp.\(place)=fin"])
            wire.client(Message.get)
            wire.server(Message.answer)
            #expect(wire.toClient == prefix)
            #expect(wire.acted.count == 1)
        }
    }

    @Test(arguments: 0...10, [1, 3, .max])
    func `content is counted without the framing of chunks`(count: Int, slice: Int) throws {
        let wire = try Wire(["c1/r1:resp.body+\(count)=fin"], slice: slice)
        wire.client(Message.get)
        wire.server(Message.chunked)
        #expect(wire.log.count == 1)
        #expect(content(of: wire.toClient, behind: Message.chunkedHead) == count)
        #expect(wire.toClient.last?.isNumber ?? false || count == 0)
        let up = try Wire(["c1/r1:req.body+\(count)=fin"], slice: slice)
        up.client(Message.chunkedPut)
        #expect(up.log.count == 1)
        #expect(content(of: up.toServer, behind: Message.chunkedPutHead) == count)
        up.close()
        #expect(up.bodies.map(\.bytes) == [UInt64(count)])
    }

    /// Content bytes in chunks that may be cut off, behind a head.
    private func content(of text: String, behind head: String) -> Int {
        var rest = text.utf8.dropFirst(head.utf8.count)
        var count = 0
        while let end = rest.firstIndex(of: 0x0A) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            let size = Int(line.prefix { $0.isHexDigit }, radix: 16) ?? 0
            rest = rest[rest.index(after: end)...]
            if size == 0 { return count }
            count += min(size, rest.count)
            rest = rest.dropFirst(size + 2)
        }
        return count
    }

    @Test(
        arguments: [
            ("chunk[1]", 4), ("chunk[1]+1", 1), ("chunk[1]-1", 3), ("chunk[2]+0", 4),
            ("chunk[2]~500", 7), ("chunk[2]", 10), ("body", 10), ("end", 10),
        ],
        [1, 2, 5, .max]
    )
    func `a place in a chunk is counted from its beginning`(
        place: (String, Int),
        slice: Int
    ) throws {
        let wire = try Wire(["c1/r1:resp.\(place.0)=rst"], slice: slice)
        wire.client(Message.get)
        wire.server(Message.chunked)
        #expect(wire.log.count == 1)
        #expect(content(of: wire.toClient, behind: Message.chunkedHead) == place.1)
        #expect(wire.toClient.hasSuffix("T: 1\r\n\r\n") == (place.0 == "end"))
        if place.0 == "body" { #expect(wire.toClient.hasSuffix("9")) }
    }

    @Test(
        arguments: [
            ("size[1]+0", ""), ("size[1]+1", "4"), ("size[1]", "4\r\n"),
            ("size[2]+0", "4\r\n0123\r\n"),
            ("size[2]+2", "4\r\n0123\r\n6;"), ("size[2]-2", "4\r\n0123\r\n6;x=1"),
            ("size[3]+1", "4\r\n0123\r\n6;x=1\r\n456789\r\n0"),
            ("last+0", "4\r\n0123\r\n6;x=1\r\n456789\r\n"),
            ("last+3", "4\r\n0123\r\n6;x=1\r\n456789\r\n0\r\n"),
            ("last+4", "4\r\n0123\r\n6;x=1\r\n456789\r\n0\r\nT"),
            ("last-2", "4\r\n0123\r\n6;x=1\r\n456789\r\n0\r\nT: 1\r\n"),
        ],
        [1, 2, 5, .max]
    )
    func `a place in the framing of chunks is one of the lines`(
        place: (String, String),
        slice: Int
    ) throws {
        let wire = try Wire(["c1/r1:resp.\(place.0)=rst"], slice: slice)
        wire.client(Message.get)
        wire.server(Message.chunked)
        #expect(wire.log.count == 1)
        #expect(wire.toClient == Message.chunkedHead + place.1)
    }

    @Test(arguments: [
        ("size[4]", "message ended at 10"), ("size[1]+4", "message ended at 3"),
        ("last+12", "message ended at 11"),
    ])
    func `a place that the framing of chunks does not have is never reached`(
        place: (String, String)
    ) throws {
        let fault = "c1/r1:resp.\(place.0)=rst"
        let wire = try Wire([fault])
        wire.client(Message.get)
        wire.server(Message.chunked)
        wire.close()
        #expect(wire.toClient == Message.chunked)
        #expect(wire.unreached == ["\(fault): \(place.1)"])
    }

    @Test(arguments: [1, 4, .max])
    func `content up to the end of the connection has an end, too`(slice: Int) throws {
        for (place, expected) in [("body+3", "012"), ("body", "01234"), ("end", "01234")] {
            let wire = try Wire(["c1/r1:resp.\(place)=rst"], slice: slice)
            wire.client(Message.get)
            wire.server(Message.closedHead + "01234")
            wire.end(.down)
            #expect(wire.toClient == Message.closedHead + expected)
            #expect(wire.log.count == 1 && wire.log[0].hasPrefix("r1:resp.\(place)"))
        }
    }

    @Test(
        arguments: [
            ("c1/r1:resp.body+11=rst", "message ended at 10"),
            ("c1/r1:resp.body-11=rst", "message ended at 10"),
            ("c1/r1:resp.head+9999=rst", "message ended at 39"),
            ("c1/r1:resp.chunk[1]=rst", "message ended at 0"),
            ("c1/r1:interim(104)=rst", "answer not seen"),
            ("c1/r1:resp.body+5=truncate", "length declared"),
            ("c1/r1:req.body+1=rst", "message ended at 0"),
        ])
    func `a place that does not come is told with its reason`(fault: String, reason: String) throws
    {
        let wire = try Wire([fault])
        wire.client(Message.get)
        wire.server(Message.answer)
        wire.close()
        #expect(wire.toClient == Message.answer && wire.toServer == Message.get)
        #expect(wire.log.isEmpty)
        #expect(wire.unreached == ["\(fault): \(reason)"])
    }

    @Test func `a place that is counted from the end needs a declared length`() throws {
        for fault in ["c1/r1:resp.body-1=rst", "c1/r1:resp.body~500=rst"] {
            let wire = try Wire([fault])
            wire.client(Message.get)
            wire.server(Message.chunked)
            wire.close()
            #expect(wire.toClient == Message.chunked)
            #expect(wire.unreached == ["\(fault): length unknown"])
        }
    }

    @Test func `what is not for this request or connection does nothing`() throws {
        let faults = [
            "c2/r1:resp.head=rst", "c1/r2:resp.head=rst", "GET(/other)#1:resp.head=rst",
            "PUT(*)#1:resp.head=rst", "GET(*)#2:resp.head=rst", "c*/2:resp.head=rst",
        ]
        let wire = try Wire(faults)
        wire.client(Message.get)
        wire.server(Message.answer)
        wire.close()
        #expect(wire.toClient == Message.answer)
        #expect(wire.log.isEmpty && wire.unreached.isEmpty)
    }

    @Test func `requests of a run are counted over all connections`() throws {
        let first = try Wire(["GET(/big*)#2:resp.body+1=fin"])
        first.client(Message.get)
        first.server(Message.answer)
        #expect(first.toClient == Message.answer)
        let second = try Wire(["GET(/big*)#2:resp.body+1=fin"], connection: 2)
        second.run = first.run
        second.client(Message.get)
        second.server(Message.answer)
        #expect(second.toClient == Message.answerHead + "0")
        #expect(second.log.count == 1)
    }

    @Test func `requests on a connection go one after another where a fault may act`() throws {
        let wire = try Wire(["c1/r2:req.head=rst"])
        wire.client(Message.get + Message.get)
        #expect(wire.toServer == Message.get)
        wire.server(Message.answer)
        #expect(wire.toServer == Message.get + Message.get)
        #expect(wire.log.count == 1)
        let plain = try Wire([])
        plain.client(Message.get + Message.get)
        #expect(plain.toServer == Message.get + Message.get)
    }

    // The other direction.

    @Test func `the client gets no byte of the answer before a fault of its request acts`() throws {
        let wire = try Wire(["c1/r1:req.body+5=rst"])
        wire.client(Message.putHead + "abc")
        wire.server(Message.progress)
        #expect(wire.toClient.isEmpty)
        wire.client("defghij")
        #expect(wire.toServer == Message.putHead + "abcde")
        #expect(wire.log == ["r1:req.body+5=rst @ \(wire.toServer.utf8.count), 0"])
    }

    @Test func `a 100 that the client waits for always passes`() throws {
        let head = "PUT /u HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
        let wire = try Wire(["c1/r1:req.body+2=rst"])
        wire.client(head)
        wire.server(Message.go + Message.progress)
        #expect(wire.toClient == Message.go)
        wire.client("abcd")
        #expect(wire.toServer == head + "ab")
        #expect(wire.log.count == 1)
    }

    @Test func `a 100 that the client did not ask for is hidden like other responses`() throws {
        let wire = try Wire(["c1/r1:req.body+5=rst"])
        wire.client(Message.putHead + "abc")
        wire.server(Message.go)
        #expect(wire.toClient.isEmpty)
        wire.client("de")
        #expect(wire.toClient.isEmpty && wire.log.count == 1)
    }

    @Test(arguments: [1, 5, .max])
    func `with see a fault waits until the client has that much of the answer`(slice: Int) throws {
        let wire = try Wire(["c1/r1:req.body+5=rst,see=104"], slice: slice)
        wire.acknowledges = false
        wire.client(Message.put)
        #expect(wire.toServer == Message.putHead + "abcde" && wire.log.isEmpty)
        wire.server(Message.progress + Message.progress)
        #expect(wire.toClient == Message.progress)
        #expect(wire.log.isEmpty)
        wire.acknowledges = true
        wire.drain()
        #expect(wire.log.count == 1)
        let never = try Wire(["c1/r1:req.body+5=rst,see=104"], slice: slice)
        never.client(Message.put)
        never.server(Message.created)
        #expect(never.toServer == Message.put && never.toClient == Message.created)
        never.close()
        #expect(never.unreached == ["c1/r1:req.body+5=rst,see=104: answer not seen"])
    }

    @Test(
        arguments: [
            "c1/r9:resp.head=rst", "*(/other)#1:resp.head=rst", "c*=buffer(resp)", "c*=buffer(req)",
            "c1/r9:req.end=swallow", "c1/r9:req.head=status(503)",
        ],
        [1, .max]
    )
    func `a server that ends without an answer is waited for by nothing`(
        fault: String,
        slice: Int
    ) throws {
        let answer = Message.progress + Message.answer
        for requests in 1...3 {
            let client = String(repeating: Message.get, count: requests) + "GET /next HT"
            for count in 0...answer.utf8.count {
                let server = String(answer.prefix(count))
                let wire = try Wire([fault], slice: slice)
                wire.client(client)
                wire.server(server)
                wire.end(.down)
                #expect(wire.toClient == server && wire.log.count == 1, "\(requests), \(server)")
                wire.end(.up)
                #expect(wire.toServer == client && wire.log.count == 2, "\(requests), \(server)")
            }
        }
    }

    @Test func `what was to act on an answer that never came is told`() throws {
        let wire = try Wire(["c1/r1:resp.head=rst", "c1/r2:req.end=swallow"])
        wire.client(Message.get + Message.get)
        wire.end(.down)
        wire.end(.up)
        wire.close()
        #expect(wire.fired.isEmpty && wire.toServer == Message.get + Message.get)
        #expect(
            wire.unreached == [
                "c1/r1:resp.head=rst: connection ended", "c1/r2:req.end=swallow: connection ended",
            ]
        )
    }

    @Test func `of faults at one place the ones that end nothing act first`() throws {
        let faults = ["c1/r1:resp.body+3=fin", "c1/r1:resp.body+3=stall(1s)"]
        for faults in [faults, faults.reversed()] {
            let wire = try Wire(faults)
            wire.client(Message.get)
            wire.server(Message.answer)
            #expect(wire.log.count == 1 && wire.log[0].contains("stall"))
            wire.resume(.down)
            #expect(wire.log.count == 2 && wire.log[1].contains("=fin"))
        }
    }

    @Test func `an event of a request happens in that request alone`() throws {
        let wire = try Wire(["c9/r1:req.body+2=late(3,until=c1/r2:req.end)"])
        for count in 0...1 {
            wire.client(Message.get)
            wire.server(Message.answer)
            let happened = wire.notes.filter { if case .happened = $0 { true } else { false } }
            #expect(happened.count == count)
        }
    }

    @Test func `a draw is reported under the number of its request or connection`() throws {
        for (fault, index) in [
            ("GET(/big.bin)#2:resp.body+0..9=corrupt", 2),
            ("c3/r2:resp.body+0..9=corrupt", 2 << 32 | 3),
        ] as [(String, UInt64)] {
            let wire = try Wire([fault], connection: 3)
            wire.client(Message.get + Message.get)
            wire.server(Message.answer + Message.answer)
            let draws = wire.notes.compactMap { note -> FaultDraw? in
                if case .draw(let draw) = note { draw } else { nil }
            }
            #expect(draws.map(\.index) == [index, index], "\(fault)")
        }
    }

    @Test func `with see=open whatever has come passes`() throws {
        let wire = try Wire(["c1/r1:req.body+5=rst,see=open"])
        wire.client(Message.putHead)
        wire.server(Message.progress)
        #expect(wire.toClient == Message.progress)
    }

    @Test func `a fault at the first interim response holds the content back`() throws {
        let wire = try Wire(["c1/r1:interim(104)+0=fin"])
        wire.client(Message.put)
        #expect(wire.toServer == Message.putHead)
        wire.server(Message.progress)
        #expect(wire.toClient.isEmpty)
        #expect(wire.log == ["r1:interim(104)+0=fin @ \(Message.putHead.utf8.count), 0"])
    }

    @Test func `a gate holds the request where it is told to`() throws {
        let wire = try Wire(["c1/r1:resp.head+0=rst,gate=body+3"])
        wire.client(Message.putHead + "ab")
        wire.server(Message.created)
        #expect(wire.log.isEmpty)
        wire.client("cdefghij")
        #expect(wire.toServer == Message.putHead + "abc")
        #expect(wire.toClient.isEmpty && wire.log.count == 1)
        #expect(wire.notes.contains { if case .unreached = $0 { true } else { false } } == false)
    }

    @Test func `a gate counts the bytes that have passed, not those that have come`() throws {
        let wire = try Wire(["c1/r1:resp.head+0=rst,gate=body+3"])
        wire.serverLimit = Message.putHead.utf8.count + 2
        wire.client(Message.put)
        wire.server(Message.created)
        #expect(wire.toServer == Message.putHead + "ab" && wire.log.isEmpty)
        wire.serverLimit = nil
        wire.drain()
        #expect(wire.toServer == Message.putHead + "abc" && wire.log.count == 1)
    }

    @Test func `the end of an answer that is hidden is hidden, too`() throws {
        let wire = try Wire(["c1/r1:req.body+5=rst"])
        wire.client(Message.putHead + "abc")
        wire.end(.down)
        #expect(wire.log.isEmpty)
        wire.client("de")
        #expect(wire.log.count == 1 && wire.log[0].hasPrefix("r1:req.body+5=rst"))
    }

    @Test func `waiting for the other direction can be ended, and is racy then`() throws {
        let wire = try Wire(["c1/r1:req.body+5=rst"])
        wire.client(Message.putHead)
        wire.server(Message.progress)
        #expect(wire.isGated)
        wire.gate.openGates()
        wire.drain()
        #expect(wire.toClient == Message.progress)
        #expect(!wire.isGated)
        wire.client("abcdefghij")
        #expect(wire.log.count == 1)
        #expect(wire.acted.map(\.isRacy) == [true])
    }

    @Test func `a gate that was opened in vain leaves its fault racy, whatever comes then`() throws
    {
        let wire = try Wire(["c1/r1:resp.head+0=rst,gate=body+3"])
        wire.client(Message.putHead + "a")
        #expect(wire.isGated)
        wire.openGates()
        wire.client("bcdefghij")
        wire.server(Message.created)
        #expect(wire.toServer == Message.put)
        #expect(wire.acted.map(\.isRacy) == [true])
    }

    @Test func `an ending in a response is racy while the request is on its way`() throws {
        for (request, isRacy) in [(Message.put, false), (Message.putHead + "abc", true)] {
            let wire = try Wire(["c1/r1:resp.body+3=rst"])
            wire.client(request)
            wire.server(Message.answer)
            #expect(wire.acted.map(\.isRacy) == [isRacy], "\(request)")
        }
    }

    @Test func `an ending in a request is racy if the client may see the answer`() throws {
        for (options, isRacy) in [("", false), (",see=open", true)] {
            let wire = try Wire(["c1/r1:req.body+5=rst\(options)"])
            wire.client(Message.put)
            #expect(wire.acted.map(\.isRacy) == [isRacy], "\(options)")
        }
    }

    @Test func `which of two open requests a pattern meets is racy`() throws {
        for isContested in [false, true] {
            let one = try Wire(["GET(/big*)#1:resp.body+3=rst"])
            let other = try Wire(["GET(/big*)#1:resp.body+3=rst"], connection: 2)
            one.client(Message.get)
            if isContested {
                other.run = one.run
                other.client(Message.get)
                one.run = other.run
            }
            one.server(Message.answer)
            #expect(one.acted.map(\.isRacy) == [isContested])
        }
    }
}
