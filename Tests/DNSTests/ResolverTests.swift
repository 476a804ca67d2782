import Basics
import DNS
import DNSWire
import Faults
import Testing

@Suite struct ResolverTests {
    private static let names = ["api.test=127.0.0.1,127.0.0.2,::1", "*.test=127.0.0.9"]

    @Test func `a name leads to its addresses of the family that is asked for`() throws {
        var asked = try Asked(names: Self.names)
        #expect(try asked.addresses("api.test") == ["127.0.0.1", "127.0.0.2"])
        #expect(try asked.addresses("API.test", .aaaa) == ["::1"])
        #expect(try asked.addresses("other.test") == ["127.0.0.9"])
        #expect(
            try asked.addresses("api.test", .any) == ["127.0.0.1", "127.0.0.2", "::1"]
        )
        let message = try asked.message("api.test")
        #expect(message.flags.bits == 0x8580)
        #expect(message.id == 0x1234)
        #expect(message.answers.allSatisfy { $0.lifetime == 60 })
    }

    @Test func `a type that a name does not have is no data, with the time to remember it`() throws
    {
        var asked = try Asked(names: Self.names)
        let message = try asked.message("other.test", .aaaa)
        #expect(message.flags.code == 0)
        #expect(message.answers.isEmpty)
        let authority = try #require(message.authorities.first)
        #expect(authority.type == .soa && authority.lifetime == 60)
        #expect(authority.data.suffix(4) == [0, 0, 0, 60])
    }

    @Test func `other names are refused, or passed on`() throws {
        var asked = try Asked(names: Self.names)
        let reply = try asked.reply("example.com")
        #expect(reply.report.answer == "REFUSED" && reply.report.source == .none)
        var open = try Asked(names: Self.names, forwards: true)
        var response = try query("example.com", id: 9)
        response.flags.isResponse = true
        response.flags.isAuthentic = true
        let owner = response.questions[0].name
        response.answers = [ResourceRecord(owner, .a, lifetime: 5, data: [192, 0, 2, 7])]
        let message = try open.finished("example.com", with: response)
        response.id = 0x1234
        #expect(message == response)
        #expect(try open.finished("example.com", with: nil).flags.code == 2)
    }

    @Test func `the answer to what was passed on has its id and its question`() throws {
        var open = try Asked(forwards: true)
        let step = open.resolver.take(try query("a.b").bytes(), over: .udp)
        guard case .forward(let waiting) = step else { throw Asked.Unexpected(step: step) }
        var answer = try query("A.b", id: 77)
        #expect(!waiting.isAnswered(by: answer.bytes(), id: 77))
        answer.flags.isResponse = true
        #expect(waiting.isAnswered(by: answer.bytes(), id: 77))
        #expect(!waiting.isAnswered(by: answer.bytes(), id: 78))
        var other = try query("a.c", id: 77)
        other.flags.isResponse = true
        #expect(!waiting.isAnswered(by: other.bytes(), id: 77))
        #expect(!waiting.isAnswered(by: [1, 2, 3], id: 77))
    }

    @Test func `EDNS is answered with EDNS, and its limit holds`() throws {
        let many = (1...40).map { "127.0.0.\($0)" }.joined(separator: ",")
        var asked = try Asked(names: ["many.test=\(many)"])
        #expect(try asked.message("many.test").flags.isTruncated)
        #expect(try asked.message("many.test").edns == nil)
        let wide = try asked.message("many.test", edns: 1_232)
        #expect(wide.answers.count == 40)
        #expect(wide.edns?.payloadLimit == 1_232)
        #expect(try asked.message("many.test", over: .tcp).answers.count == 40)
    }

    @Test func `a limit below 512 bytes counts as 512`() throws {
        // 12 bytes of header, 15 of the question, 16 for each address and 11 for EDNS (RFC 6891 §6.2.5).
        let addresses = (1...29).map { "127.0.0.\($0)" }.joined(separator: ",")
        var asked = try Asked(names: ["few.test=\(addresses)"])
        #expect(try asked.message("few.test", edns: 100).answers.count == 29)
    }

    // What is no query.

    @Test func `what is no query is answered by its code, or not at all`() throws {
        var asked = try Asked(names: Self.names)
        func code(_ bytes: [UInt8]) throws -> UInt16? {
            guard case .reply(let reply) = asked.resolver.take(bytes, over: .udp),
                case .bytes(let answer) = reply.delivery
            else { return nil }
            let message = try DNSMessage(parsing: answer)
            return message.flags.code | UInt16(message.edns?.extendedCode ?? 0) << 4
        }
        let good = try query("api.test")
        #expect(try code([]) == nil)
        #expect(try code(Array(good.bytes().prefix(11))) == nil)
        #expect(try code(Array(good.bytes().prefix(13))) == 1)
        var response = good
        response.flags.isResponse = true
        #expect(try code(response.bytes()) == nil)
        #expect(try code(Array(response.bytes().prefix(13))) == nil)
        var status = good
        status.flags.bits |= 2 << 11
        #expect(try code(status.bytes()) == 4)
        var two = good
        two.questions += good.questions
        #expect(try code(two.bytes()) == 1)
        var chaos = good
        chaos.questions[0].recordClass = 3
        #expect(try code(chaos.bytes()) == 5)
        var late = try query("api.test", edns: 512)
        late.edns?.version = 1
        #expect(try code(late.bytes()) == 16)
        #expect(asked.resolver.accounts.isEmpty)
    }

    // Faults that make the answer.

    @Test(arguments: [("nxdomain", UInt16(3)), ("servfail", 2), ("refused", 5), ("nodata", 0)])
    func `a response code replaces the first answer`(effect: String, code: UInt16) throws {
        var asked = try Asked(names: Self.names, faults: ["A(api.test)#1=\(effect)"])
        let message = try asked.message("api.test")
        #expect(message.flags.code == code)
        #expect(message.answers.isEmpty)
        #expect(message.authorities.isEmpty == (code == 2 || code == 5))
        #expect(try asked.addresses("api.test").count == 2)
        #expect(asked.resolver.accounts[0].fired == 1)
    }

    @Test func `a timeout is no answer`() throws {
        var asked = try Asked(
            names: Self.names,
            faults: ["A(api.test)#1=timeout", "A(api.test)#*=delay(1s)"]
        )
        let reply = try asked.reply("api.test")
        #expect(reply.delivery == .silence)
        #expect(reply.report.answer == "no answer")
        // Nothing does not come late.
        #expect(reply.delay == .zero)
        #expect(reply.report.faults == ["A(api.test)#1=timeout"])
        #expect(try asked.reply("api.test").delay == .seconds(1))
    }

    @Test func `a truncated answer is whole over TCP`() throws {
        var asked = try Asked(names: Self.names, faults: ["A(api.test)#1=truncate"])
        let short = try asked.message("api.test")
        #expect(short.flags.isTruncated && short.answers.isEmpty)
        let reply = try asked.reply("api.test", over: .tcp)
        #expect(reply.report.ordinal == 1)
        #expect(reply.report.answer == "NOERROR 127.0.0.1 127.0.0.2")
        #expect(try asked.reply("api.test").report.ordinal == 2)
        #expect(asked.resolver.accounts[0].fired == 1)
    }

    @Test(arguments: [
        ("hole", QueryReply.Delivery.silence), ("fin", .fin), ("rst", .rst),
    ])
    func `or TCP is dead until the next datagram`(
        ending: String,
        delivery: QueryReply.Delivery
    ) throws {
        var asked = try Asked(names: Self.names, faults: ["A(api.test)#1=truncate(\(ending))"])
        #expect(try asked.message("api.test").flags.isTruncated)
        for _ in 0..<2 { #expect(try asked.reply("api.test", over: .tcp).delivery == delivery) }
        #expect(try asked.message("api.test", .aaaa, over: .tcp).answers.count == 1)
        #expect(try asked.addresses("api.test").count == 2)
        #expect(try asked.message("api.test", over: .tcp).answers.count == 2)
        #expect(asked.resolver.accounts[0].fired == 1)
    }

    @Test func `over TCP alone, truncation has no effect but that TCP is dead`() throws {
        var working = try Asked(names: Self.names, faults: ["A(api.test)#1=truncate"])
        #expect(try working.message("api.test", over: .tcp).answers.count == 2)
        #expect(
            working.resolver.accounts[0].silence?.description == "nothing to change in the answer"
        )
        var dead = try Asked(names: Self.names, faults: ["A(api.test)#1=truncate(rst)"])
        #expect(try dead.reply("api.test", over: .tcp).delivery == .rst)
        #expect(dead.resolver.accounts[0].fired == 1)
    }

    @Test func `what else was chosen acts over TCP`() throws {
        var asked = try Asked(
            names: Self.names,
            faults: ["A(api.test)#1=truncate", "A(api.test)#1=wrong(10.0.0.1)"]
        )
        #expect(try asked.message("api.test").flags.isTruncated)
        let message = try asked.message("api.test", over: .tcp)
        #expect(message.answers.map { $0.address?.text } == ["10.0.0.1"])
    }

    @Test func `a CNAME loop leads back to where it began`() throws {
        var asked = try Asked(faults: ["*(a.test)#*=cname-loop"])
        let message = try asked.message("a.test")
        #expect(message.answers.map(\.name.text) == ["a.test", "loop.a.test"])
        #expect(message.answers.map(\.data) == message.answers.map(\.name.wire).reversed())
        #expect(message.answers.allSatisfy { $0.type == .cname })
    }

    // Faults that change addresses.

    @Test func `wrong addresses take the place of right ones`() throws {
        var asked = try Asked(
            names: Self.names,
            faults: ["*(api.test)#*=wrong(10.0.0.1,10.0.0.2)", "A(b.c)#1=wrong(10.0.0.3)"]
        )
        #expect(try asked.addresses("api.test") == ["10.0.0.1", "10.0.0.2"])
        // There is no IPv6 address among them.
        #expect(try asked.addresses("api.test", .aaaa) == ["::1"])
        #expect(asked.resolver.accounts[0].fired == 1)
        // Where nobody else knows the name, too.
        #expect(try asked.addresses("b.c") == ["10.0.0.3"])
        #expect(try asked.message("b.c").flags.code == 5)
    }

    @Test func `the seed draws an address of nobody, for each name and query`() throws {
        func drawn(seed: UInt64, first: String) throws -> [String] {
            var asked = try Asked(names: Self.names, faults: ["*(*)#*=wrong"], seed: seed)
            _ = try asked.addresses(first)
            return try asked.addresses("api.test") + asked.addresses("api.test")
                + asked.addresses("api.test", .aaaa)
        }
        let one = try drawn(seed: 1, first: "x.test")
        #expect(one[0].hasPrefix("192.0.2.") && one[2].hasPrefix("2001:db8::"))
        #expect(one[0] != one[1])
        // Queries for other names shift nothing.
        #expect(try drawn(seed: 1, first: "y.test") == one)
        #expect(try drawn(seed: 2, first: "x.test") != one)
    }

    @Test func `addresses rotate, one in each answer`() throws {
        var asked = try Asked(
            names: Self.names,
            faults: ["A(api.test)#*=rotate", "AAAA(api.test)#*=rotate(::5,::6,1.1.1.1)"]
        )
        let four = try (0..<4).flatMap { _ in try asked.addresses("api.test") }
        #expect(four == ["127.0.0.1", "127.0.0.2", "127.0.0.1", "127.0.0.2"])
        let six = try (0..<3).flatMap { _ in try asked.addresses("api.test", .aaaa) }
        #expect(six == ["::5", "::6", "::5"])
    }

    @Test func `a single address cannot rotate, which is told`() throws {
        var asked = try Asked(names: Self.names, faults: ["A(one.test)#*=rotate"])
        #expect(try asked.addresses("one.test") == ["127.0.0.9"])
        #expect(
            asked.resolver.accounts[0].silence?.description == "nothing to change in the answer"
        )
    }

    @Test func `a dead address comes first`() throws {
        var asked = try Asked(
            names: Self.names,
            faults: [
                "A(api.test)#*=dead-first(127.0.0.99)", "AAAA(api.test)#*=dead-first",
                "AAAA(one.test)#*=dead-first",
            ]
        )
        #expect(try asked.addresses("api.test") == ["127.0.0.99", "127.0.0.1", "127.0.0.2"])
        let six = try asked.addresses("api.test", .aaaa)
        #expect(six.count == 2 && six[0].hasPrefix("2001:db8::") && six[1] == "::1")
        // An answer without addresses stays one.
        #expect(try asked.addresses("one.test", .aaaa) == [])
        #expect(asked.resolver.accounts[2].fired == 0)
    }

    @Test func `a lifetime holds for answers and for what does not exist`() throws {
        var asked = try Asked(names: Self.names, faults: ["*(*)#*=ttl(0)"])
        #expect(try asked.message("api.test").answers.map(\.lifetime) == [0, 0])
        let nothing = try asked.message("one.test", .aaaa)
        #expect(nothing.authorities.map(\.lifetime) == [0])
        #expect(nothing.authorities[0].data.suffix(4) == [0, 0, 0, 0])
    }

    @Test func `effects that go together add up in their order`() throws {
        var asked = try Asked(
            names: Self.names,
            faults: [
                "A(api.test)#1=delay(1s)", "*(*)#*=delay(20ms)", "A(api.test)#1=ttl(3)",
                "A(api.test)#1=wrong(10.0.0.1)", "A(api.test)#1=dead-first(10.0.0.2)",
            ]
        )
        let reply = try asked.reply("api.test")
        #expect(reply.delay == .milliseconds(1_020))
        #expect(reply.report.answer == "NOERROR 10.0.0.2 10.0.0.1")
        #expect(reply.report.faults.count == 5)
        #expect(reply.report.faults == asked.resolver.accounts.map(\.fault.canonicalText))
    }

    @Test func `what was passed on is changed, and loses the claim to be verified`() throws {
        var asked = try Asked(
            faults: ["A(a.b)#1=dead-first(10.0.0.1)", "A(a.b)#2=ttl(0)", "A(a.b)#3=rotate"],
            forwards: true
        )
        var response = try query("a.b")
        response.flags.isResponse = true
        response.flags.isAuthentic = true
        let owner = response.questions[0].name
        let target = try #require(DomainName("c.d"))
        response.answers = [
            ResourceRecord(owner, .cname, lifetime: 7, data: target.wire),
            ResourceRecord(target, .a, lifetime: 9, data: [192, 0, 2, 7]),
        ]
        let dead = try asked.finished("a.b", with: response)
        #expect(dead.answers.map(\.name.text) == ["a.b", "c.d", "c.d"])
        #expect(dead.answers.compactMap(\.address?.text) == ["10.0.0.1", "192.0.2.7"])
        #expect(!dead.flags.isAuthentic)
        let brief = try asked.finished("a.b", with: response)
        #expect(brief.answers.map(\.lifetime) == [0, 0])
        #expect(brief.answers.map(\.data) == response.answers.map(\.data))
        // One address does not rotate: the answer is what came.
        #expect(try asked.finished("a.b", with: response) == response)
        #expect(asked.resolver.accounts.map(\.fired) == [1, 1, 0])
    }

    @Test func `a lifetime holds for what another server says does not exist`() throws {
        var asked = try Asked(faults: ["A(a.b)#1=ttl(0)"], forwards: true)
        var response = try query("a.b")
        response.flags.isResponse = true
        response.flags.code = 3
        let data = response.questions[0].name.wire + response.questions[0].name.wire
        response.authorities = [
            ResourceRecord(.root, .soa, lifetime: 900, data: data + Array(repeating: 1, count: 20))
        ]
        let brief = try asked.finished("a.b", with: response)
        #expect(brief.flags.code == 3)
        #expect(brief.authorities.map(\.lifetime) == [0])
        #expect(try asked.finished("a.b", with: response) == response)
    }

    // Which queries.

    @Test func `a fault counts the queries of its type and names`() throws {
        var asked = try Asked(
            names: Self.names,
            faults: ["A(*.test)#2=nxdomain", "AAAA(api.test)#1..2=servfail", "*(*)#*/3=refused"]
        )
        let codes = [
            try asked.message("api.test").flags.code,
            try asked.message("one.test").flags.code,
            try asked.message("api.test", .aaaa).flags.code,
            try asked.message("api.test", .aaaa).flags.code,
            try asked.message("api.test", .aaaa).flags.code,
            try asked.message("api.test").flags.code,
        ]
        #expect(codes == [0, 3, 2, 2, 0, 5])
        // The first of two that make the whole answer is the one that acts.
        #expect(asked.resolver.accounts.map(\.fired) == [1, 2, 1])
    }

    @Test func `why a fault did not act`() throws {
        var asked = try Asked(
            names: Self.names,
            faults: ["A(b.c)#1=nxdomain", "A(api.test)#2=nxdomain", "A(api.test)#1=refused"]
        )
        _ = try asked.reply("api.test")
        let reasons = asked.resolver.accounts.map(\.silence?.description)
        #expect(reasons == ["no query", "not this query's turn", nil])
    }

    @Test func `a chance is drawn from the seed for each name, type and number`() throws {
        func codes(seed: UInt64, besides: Bool) throws -> [UInt16] {
            var asked = try Asked(names: Self.names, faults: ["A(*)#*?50%=refused"], seed: seed)
            return try (0..<64).map { _ in
                if besides { _ = try asked.reply("one.test") }
                return try asked.message("api.test").flags.code
            }
        }
        let one = try codes(seed: 1, besides: false)
        #expect((16...48).contains(one.count { $0 == 5 }))
        #expect(try codes(seed: 1, besides: true) == one)
        #expect(try codes(seed: 2, besides: false) != one)
    }
}
