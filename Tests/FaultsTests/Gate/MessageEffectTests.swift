import Basics
import Faults
import HTTPWire
import Testing

/// What each effect does to the messages.
@Suite struct MessageEffectTests {
    private static let slices = [1, 3, 11, .max]

    @Test(arguments: slices)
    func `a lost answer is read to its end, and the client gets what is kept`(slice: Int) throws {
        for (keep, expected) in [
            ("none", ""), ("interim", Message.progress),
            ("head", Message.progress + Message.answerHead),
            ("half", Message.progress + Message.answerHead + "01234"),
        ] {
            let wire = try Wire(["c1/r1:req.end=swallow(keep=\(keep))"], slice: slice)
            wire.client(Message.put)
            wire.server(Message.progress + Message.answer.dropLast(1))
            #expect(wire.toServer == Message.put)
            #expect(wire.log.isEmpty)
            wire.server("9")
            #expect(wire.toClient == expected, "\(keep)")
            #expect(wire.log.count == 1 && wire.log[0].contains("swallow"))
        }
    }

    @Test(arguments: slices)
    func `an answer of which a part is kept is told as incomplete`(slice: Int) throws {
        for (keep, bytes) in [("head", 0), ("half", 5)] {
            let wire = try Wire(["c1/r1:req.end=swallow(keep=\(keep))"], slice: slice)
            wire.client(Message.put)
            wire.server(Message.answer)
            let answer = wire.bodies.filter { $0.direction == .down }
            #expect(answer.map(\.bytes) == [UInt64(bytes)], "\(keep)")
            #expect(answer.map(\.isComplete) == [false], "\(keep)")
            // However it ends, it has so many bytes.
            #expect(answer.map(\.isCutByFault) == [true], "\(keep)")
        }
    }

    @Test(arguments: slices)
    func `a request with an injected status never reaches the server`(slice: Int) throws {
        for place in ["head", "body+5", "end"] {
            let wire = try Wire(["c1/r1:req.\(place)=status(503,retry-after=4)"], slice: slice)
            wire.client(Message.put + Message.get)
            #expect(wire.toServer == Message.get, "\(place)")
            #expect(
                wire.toClient
                    == "HTTP/1.1 503 Service Unavailable\r\nretry-after: 4\r\ncontent-length: 0\r\n\r\n"
            )
            wire.server(Message.answer)
            #expect(wire.toClient.hasSuffix(Message.answer))
            wire.close()
            #expect(wire.log.isEmpty && wire.unreached.isEmpty)
            #expect(wire.fired.count == 1)
            #expect(wire.bodies.first { $0.direction == .up }?.bytes == 10)
        }
    }

    @Test func `two faults that keep a message until it is whole let it pass together`() throws {
        let faults = ["req", "resp"].flatMap { ["c1=buffer(\($0))", "c1/r*=buffer(\($0))"] }
        let wire = try Wire(faults)
        wire.client(Message.put)
        #expect(wire.toServer == Message.put)
        wire.server(Message.answer)
        #expect(wire.toClient == Message.answer)
        #expect(wire.fired.count == 4)
    }

    @Test(arguments: slices)
    func `the answer of a fault is lost at the end of its request`(slice: Int) throws {
        let wire = try Wire(
            ["c1/r1:req.body+3=status(503)", "c1/r1:req.end=swallow(keep=interim)"],
            slice: slice
        )
        wire.client(Message.put)
        #expect(wire.acted.map(\.offset) == [10])
    }

    @Test(arguments: [
        (["req.last=status(503)", "req.head=early(413)"], 413),
        (["req.head=status(503)", "req.end=status(404)"], 503),
    ])
    func `a request is answered once, though several faults want to`(
        faults: [String],
        status: Int
    ) throws {
        for order in [faults, faults.reversed()] {
            let wire = try Wire(order.map { "c1/r1:\($0)" })
            wire.client(Message.put)
            wire.close()
            #expect(wire.toServer.isEmpty)
            #expect(
                wire.toClient.split(separator: "HTTP/1.1 ").map { $0.prefix(3) } == ["\(status)"]
            )
            #expect(wire.unreached.count == 1)
        }
    }

    @Test(
        arguments: ["status(503,close)", "early(503)"],
        ["rst", "fin", "late(2,until=c9:down+1)", "stall(1s)"]
    )
    func `an injected answer passes before anything acts in the content`(
        answer: String,
        other: String
    ) throws {
        let accounts = try Self.slices.map { slice in
            let wire = try Wire(
                ["c1/r1:req.head=\(answer)", "c1/r1:req.body+5=\(other)"],
                slice: slice
            )
            wire.client(Message.put + Message.get)
            wire.close()
            #expect(wire.log.count == 1 && wire.log[0].hasPrefix("r1:req.head="), "\(wire.log)")
            return wire.log + [wire.toClient] + wire.unreached
        }
        #expect(Set(accounts).count == 1)
    }

    @Test func `an injected answer ends a connection that its request ends`() throws {
        for (request, closes) in [
            (Message.get, false),
            ("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", true),
            ("GET / HTTP/1.0\r\n\r\n", true),
        ] {
            let wire = try Wire(["c1/r1:req.end=status(503)"])
            wire.client(request)
            #expect(wire.toClient.contains("connection: close") == closes, "\(request)")
            #expect(wire.log.count == (closes ? 1 : 0))
        }
    }

    @Test func `an injected status comes when the place is reached`() throws {
        let wire = try Wire(["c1/r1:req.body+5=status(429,retry-after=date+4)"])
        wire.client(Message.putHead + "abcd")
        #expect(wire.toClient.isEmpty)
        wire.client("e")
        #expect(wire.toClient.contains("retry-after: Sun, 06 Nov 1994 08:49:41 GMT\r\n"))
        // A date is measured from that of its message.
        #expect(wire.toClient.contains("date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"))
        let own = try Wire(["c1/r1:req.body+5=status(429,date=date-9,retry-after=date+4)"])
        own.client(Message.putHead + "abcde")
        #expect(own.toClient.contains("date: Sun, 06 Nov 1994 08:49:28 GMT\r\n"))
        #expect(!own.toClient.contains("08:49:37"))
        let plain = try Wire(["c1/r1:req.body+5=status(429,retry-after=4)"])
        plain.client(Message.putHead + "abcde")
        #expect(!plain.toClient.contains("date:"))
    }

    @Test func `an injected answer may have a page where content is allowed`() throws {
        let page = "<!DOCTYPE html>"
        for (method, status, length, hasPage) in [
            ("GET", 200, true, true), ("HEAD", 200, true, false), ("GET", 304, false, false),
        ] {
            let wire = try Wire(["c1/r1:req.head=status(\(status),page)"])
            wire.client("\(method) /a HTTP/1.1\r\nHost: x\r\n\r\n" + Message.get)
            #expect(wire.toServer == Message.get)
            #expect(wire.toClient.contains("content-type: text/html\r\n") == length)
            #expect(wire.toClient.contains("\r\n\r\n\(page)") == hasPage, "\(method) \(status)")
            let head = wire.toClient.count
            let answer = wire.bodies.first { $0.direction == .down }
            #expect((answer?.bytes ?? 0 > 0) == hasPage && answer?.isComplete != false)
            wire.server(Message.answer)
            #expect(wire.toClient.dropFirst(head) == Message.answer[...])
        }
        let fields = "content-type=text/plain,content-length=1"
        let closing = try Wire(["c1/r1:req.head=status(200,\(fields),page,close)"])
        closing.client(Message.get)
        #expect(closing.toClient.contains("content-type: text/plain\r\n"))
        #expect(closing.toClient.hasSuffix("</p>\n") && closing.log.count == 1)
    }

    @Test func `a client that waits for a 100 gets one, or the end of the connection`() throws {
        let head = "PUT /u HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
        let late = try Wire(["c1/r1:req.end=status(503)"])
        late.client(head)
        #expect(late.toClient == Message.go)
        late.client("abcd")
        #expect(late.toClient.hasPrefix(Message.go + "HTTP/1.1 503 "))
        #expect(late.log.isEmpty)
        let early = try Wire(["c1/r1:req.head=status(503)"])
        early.client(head)
        #expect(early.toClient.contains("connection: close\r\n"))
        #expect(early.log.count == 1)
    }

    @Test(arguments: ["req.end=swallow", "idle=fin", "idle=rst"], slices)
    func `the end of an exchange comes before a request that is there already`(
        fault: String,
        slice: Int
    ) throws {
        let wire = try Wire(["c*=buffer(req)", "c1/r1:\(fault)"], slice: slice)
        wire.client(Message.put + Message.get)
        wire.server(Message.answer + Message.answer)
        #expect(wire.toServer == Message.put)
        #expect(wire.toClient == (fault.hasPrefix("idle") ? Message.answer : ""))
        #expect(wire.log.count == 1 && wire.log[0].hasPrefix("r1:\(fault)"))
    }

    @Test func `an answer can be lost only behind the 100 that the client waits for`() throws {
        let head = "PUT /u HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
        let wire = try Wire(["c1/r1:req.end=swallow"])
        wire.client(head)
        wire.server(Message.go)
        #expect(wire.toClient == Message.go)
        wire.client("abcd")
        wire.server(Message.progress + Message.created)
        #expect(wire.toClient == Message.go && wire.log.count == 1)
    }

    @Test func `an early answer ends the connection`() throws {
        let wire = try Wire(["c1/r1:req.head=early(413)"])
        wire.client(Message.putHead)
        #expect(wire.toServer.isEmpty)
        #expect(
            wire.toClient
                == "HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
        #expect(wire.log == ["r1:req.head=early(413) @ 0, \(wire.toClient.utf8.count)"])
    }

    @Test(arguments: slices)
    func `only the addressed interim response changes`(slice: Int) throws {
        let edited = "HTTP/1.1 104 Upload Resumption Supported\r\nlocation: /v\r\n\r\n"
        for (fault, expected) in [
            ("interim(104)=withhold", Message.progress),
            ("interim(104#2)=withhold", Message.progress),
            ("interim(104#*)=withhold", ""), ("interim(104#3)=withhold", Message.progress * 2),
            ("interim(104)=dup", Message.progress * 3),
            ("interim(104#*)=dup", Message.progress * 4),
            ("interim(104#2)=edit(location=/v)", Message.progress + edited),
        ] {
            let wire = try Wire(["c1/r1:\(fault)"], slice: slice)
            wire.client(Message.put)
            wire.server(Message.progress * 2 + Message.created)
            #expect(wire.toServer == Message.put)
            #expect(wire.toClient == expected + Message.created, "\(fault)")
            wire.close()
            #expect(wire.unreached.count == (fault.contains("#3") ? 1 : 0))
            #expect(wire.fired.count == (fault.contains("#3") ? 0 : fault.contains("*") ? 2 : 1))
        }
    }

    @Test(arguments: slices)
    func `an edited final response has other fields and the same content`(slice: Int) throws {
        let answer = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 4\r\n\r\n"
        let wire = try Wire(["c1/r1:resp.head=edit(etag=,x-cache=hit)"], slice: slice)
        wire.client(Message.get * 2)
        wire.server(Message.progress + answer + "abcd" + answer + "efgh")
        let edited = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nx-cache: hit\r\n\r\n"
        #expect(wire.toClient == Message.progress + edited + "abcd" + answer + "efgh")
        wire.close()
        #expect(wire.fired.count == 1 && wire.unreached.isEmpty)
    }

    @Test func `interim responses can be stripped and added`() throws {
        let strip = try Wire(["c*=strip(1xx)"])
        strip.client(Message.put)
        strip.server(Message.go + Message.progress + Message.created)
        #expect(strip.toClient == Message.created)
        let inject = try Wire(["c1/r1:req.head=inject(103,link=%3C/a%3E)"])
        inject.client(Message.putHead)
        #expect(inject.toClient == "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n")
        inject.client("abcdefghij")
        inject.server(Message.created)
        #expect(inject.toClient.hasSuffix(Message.created))
        #expect(inject.fired.count == 1)
    }

    @Test(arguments: slices)
    func `a buffered message passes when it is whole`(slice: Int) throws {
        let up = try Wire(["c*=buffer(req)"], slice: slice)
        up.client(String(Message.put.dropLast(1)))
        #expect(up.toServer.isEmpty && up.gate.isBuffering(.up))
        up.client("j")
        #expect(up.toServer == Message.put)
        let down = try Wire(["c*=buffer(resp)"], slice: slice)
        down.client(Message.get)
        down.server(Message.progress + Message.answer.dropLast(1))
        #expect(down.toClient.isEmpty)
        down.server("9")
        #expect(down.toClient == Message.progress + Message.answer)
        #expect(down.fired.count == 1)
        let long = try Wire(["c*=buffer(resp)"], slice: slice)
        long.client(Message.get)
        long.server(Message.answerHead)
        long.gate.stopBuffering(.down)
        long.drain()
        #expect(long.toClient == Message.answerHead)
        long.close()
        #expect(long.unreached == ["c*=buffer(resp): message too long"])
    }

    @Test(arguments: slices)
    func `what comes late is kept, the rest is not read`(slice: Int) throws {
        let wire = try Wire(
            ["c1/r1:req.body+2=late(3,until=c2/r1:req.end)"],
            slice: slice
        )
        wire.client(Message.putHead + "abcd")
        #expect(wire.log.isEmpty && wire.toServer == Message.putHead + "ab")
        wire.client("efghij")
        #expect(wire.log.count == 1 && wire.toServer == Message.putHead + "ab")
        wire.resume(.up)
        #expect(wire.toServer == Message.putHead + "abcde")
    }

    @Test func `what comes late acts with its last byte and waits for no other`() throws {
        let wire = try Wire(["c1/r1:req.body+2=late(3,until=c2/r1:req.end)"])
        wire.client(Message.putHead + "abcd")
        #expect(wire.log.isEmpty)
        wire.client("e")
        #expect(wire.log.count == 1)
    }

    @Test func `a stall ends when it is told to, and a slow message is slow to its end`() throws {
        let stall = try Wire(["c1/r1:resp.body+3=stall(1s)"])
        stall.client(Message.get)
        stall.server(Message.answer)
        #expect(stall.toClient == Message.answerHead + "012")
        stall.resume(.down)
        #expect(stall.toClient == Message.answer)
        let slow = try Wire(["c1/r1:resp.body+3=slow(8KiB/s)"])
        slow.client(Message.get)
        slow.server(Message.answer)
        slow.client(Message.get)
        let size = Message.answer.utf8.count
        #expect(
            slow.log == [
                "r1:resp.body+3=slow(65536bit/s) @ \(Message.get.utf8.count), \(size - 7)",
                "no pace @ \(Message.get.utf8.count), \(size)",
            ]
        )
    }

    @Test func `one bit of one byte changes`() throws {
        let wire = try Wire(["c1/r1:resp.body+3=corrupt"])
        wire.client(Message.get)
        wire.server(Message.answer)
        let sent = Array(Message.answer.utf8)
        let got = wire.got[.down] ?? []
        let different = sent.indices.filter { sent[$0] != got[$0] }
        #expect(different == [Message.answerHead.utf8.count + 3])
        #expect(different.allSatisfy { (sent[$0] ^ got[$0]).nonzeroBitCount == 1 })
        #expect(wire.log.count == 1)
    }

    @Test func `content without a length can be truncated`() throws {
        let wire = try Wire(["c1/r1:resp.body+4=truncate"])
        wire.client(Message.get)
        wire.server(Message.chunked)
        #expect(wire.toClient == Message.chunkedHead + "4\r\n0123")
        #expect(wire.log.count == 1)
    }

    @Test(arguments: [[], ["c1/r2:req.head=rst"], ["c1/r1:resp.body+4=fin"]])
    func `content that its connection's end ends is complete once that has passed`(
        faults: [String]
    ) throws {
        let content = "HTTP/1.1 200 OK\r\n\r\n0123456789"
        let isCut = faults.first?.contains("fin") == true
        for isEnded in [true, false] {
            let wire = try Wire(faults)
            wire.client(Message.get)
            wire.server(content)
            if isEnded { wire.end(.down) }
            wire.close()
            #expect(wire.bodies.map(\.bytes) == [isCut ? 4 : 10])
            #expect(wire.bodies.map(\.isComplete) == [isEnded && !isCut])
        }
    }

    @Test func `an idle connection can be ended, or reset when it is used again`() throws {
        let fin = try Wire(["c1/r1:idle=fin"])
        fin.client(Message.get)
        fin.server(Message.answerHead)
        #expect(fin.log.isEmpty)
        fin.server("0123456789")
        #expect(fin.toClient == Message.answer && fin.log.count == 1)
        let reset = try Wire(["c1/r1:idle=rst-on-next"])
        reset.client(Message.get)
        reset.server(Message.answer)
        #expect(reset.log.isEmpty)
        reset.client(Message.get)
        #expect(reset.toServer == Message.get && reset.log.count == 1)
    }

    @Test func `what other faults wait for is told when it has passed`() throws {
        let fault = "c2/r1:req.head=stall(until=c1/r1:resp.body+3)"
        let wire = try Wire([fault])
        wire.client(Message.get)
        wire.server(Message.answerHead + "01")
        #expect(!wire.run.hasHappened(0))
        wire.server("2")
        #expect(wire.run.hasHappened(0))
        let bytes = try Wire(["c2/r1:req.head=stall(until=c1:up+5)"])
        bytes.client("GET ")
        #expect(!bytes.run.hasHappened(0))
        bytes.client(String(Message.get.dropFirst(4)))
        #expect(bytes.run.hasHappened(0))
    }

    @Test func `traffic that is no HTTP passes, and faults of requests say so`() throws {
        let wire = try Wire(["c1/r1:resp.body=rst", "c*=strip(1xx)"])
        let hello = "\u{16}\u{3}\u{1}hello"
        wire.client(hello)
        wire.server("whatever")
        wire.end(.up)
        wire.end(.down)
        #expect(wire.toServer == hello && wire.toClient == "whatever")
        #expect(wire.log.map { $0.prefix(6) } == ["end up", "end do"])
    }

    /// Over every fault of one kind or another, and sizes of slices.
    @Test func `how bytes are cut changes nothing`() throws {
        let faults = [
            "c1/r1:req.body+5=rst", "c1/r1:req.body+5=rst,see=104", "c1/r1:resp.body+3=fin",
            "c1/r1:resp.chunk[2]+1=hole", "c1/r1:resp.size[2]+1=fin", "c1/r1:req.last+3=fin",
            "c1/r1:req.end=swallow(keep=half)",
            "c1/r1:req.body~300=status(503)", "c1/r1:interim(104#2)=dup", "c1=strip(1xx)",
            "c1=buffer(req)", "c1=buffer(resp)", "c1/r1:resp.body=slow(1Mbit/s)",
            "c1/r1:resp.end=rst", "c1/r1:idle=fin", "c1/r2:resp.body-1=rst",
            "c1/r1:req.body+2=late(3,until=c2/r1:req.end)", "c1/r*:resp.body+0..9=corrupt",
            "c1/r1:interim(104)=edit(location=/z)", "PUT(*)#1:req.head=inject(103)",
            "c1/r1:interim(104)+0=fin", "c9/r1:resp.body=rst",
        ]
        for fault in faults {
            for answer in [Message.answer, Message.chunked] {
                for request in [Message.put, Message.chunkedPut] {
                    func account(_ slice: Int) throws -> Wire.Account {
                        let wire = try Wire([fault], slice: slice)
                        wire.client(request)
                        wire.server(Message.progress + Message.progress + answer)
                        wire.client(Message.get)
                        wire.server(Message.answer)
                        wire.end(.down)
                        wire.end(.up)
                        wire.close()
                        return wire.account
                    }
                    let whole = try account(.max)
                    for slice in [1, 2, 3, 7, 20] {
                        #expect(try account(slice) == whole, "\(fault) in \(slice)s")
                    }
                }
            }
        }
    }
}

extension String {
    fileprivate static func * (text: String, count: Int) -> String {
        String(repeating: text, count: count)
    }
}
