import DNSWire
import TestSupport
import Testing

@Suite struct DNSMessageTests {
    private static func name(_ text: String) throws -> DomainName {
        try #require(DomainName(text))
    }

    /// Something of everything.
    private static func sample() throws -> DNSMessage {
        var message = try query("api.example.com", id: 0xBEEF)
        message.flags.isResponse = true
        let host = try name("api.example.com")
        message.answers = [
            ResourceRecord(host, .cname, lifetime: 60, data: try name("b.example.com").wire),
            ResourceRecord(
                try name("b.example.com"),
                .a,
                lifetime: 5,
                data: [127, 0, 0, 1]
            ),
        ]
        message.authorities = [
            ResourceRecord(
                try name("example.com"),
                .soa,
                lifetime: 9,
                data: host.wire + host.wire + Array(repeating: 3, count: 20)
            )
        ]
        message.additionals = [
            ResourceRecord(host, RecordType(number: 65), lifetime: 1, data: [0, 1, 0]),
            ResourceRecord(host, RecordType(number: 15), lifetime: 1, data: [0, 5] + host.wire),
        ]
        message.edns = DNSMessage.EDNS(payloadLimit: 1_232)
        message.edns?.flags = 0x8000
        message.edns?.options = [0, 10, 0, 2, 7, 7]
        return message
    }

    @Test func `what is written is read again`() throws {
        let message = try Self.sample()
        #expect(try DNSMessage(parsing: message.bytes()) == message)
    }

    @Test func `a query has the bytes that RFC 1035 draws`() throws {
        let bytes = try query("a.bc", .aaaa, edns: 1_232).bytes()
        let header: [UInt8] = [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1]
        let question: [UInt8] = [1, 97, 2, 98, 99, 0, 0, 28, 0, 1]
        let edns: [UInt8] = [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]
        #expect(bytes == header + question + edns)
    }

    @Test func `every flag has its bit`() {
        var flags = DNSMessage.Flags(bits: 0)
        flags.isResponse = true
        #expect(flags.bits == 0x8000)
        flags.isAuthoritative = true
        flags.isTruncated = true
        #expect(flags.bits == 0x8600)
        flags.wantsRecursion = true
        flags.offersRecursion = true
        #expect(flags.bits == 0x8780)
        flags.isAuthentic = true
        flags.code = 5
        #expect(flags.bits == 0x87A5)
        flags.isTruncated = false
        flags.code = 3
        #expect(flags.bits == 0x85A3)
        #expect(DNSMessage.Flags(bits: 0x2800).operation == 5)
    }

    @Test func `a message that is cut anywhere is none`() throws {
        let bytes = try Self.sample().bytes()
        for count in bytes.indices {
            #expect(throws: DNSMessageError.self) {
                _ = try DNSMessage(parsing: Array(bytes[..<count]))
            }
        }
    }

    @Test func `a byte too many is an error`() throws {
        let bytes = try Self.sample().bytes()
        #expect(throws: DNSMessageError.trailing) { _ = try DNSMessage(parsing: bytes + [0]) }
    }

    @Test func `a repeated name is written once`() throws {
        var message = try query("api.example.com")
        let plain = message.bytes().count
        let owner = message.questions[0].name
        message.answers = [ResourceRecord(owner, .a, lifetime: 1, data: [1, 2, 3, 4])]
        #expect(message.bytes().count == plain + 2 + 10 + 4)
        #expect(try DNSMessage(parsing: message.bytes()) == message)
    }

    private static let header: [UInt8] = [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    @Test func `a name that leads to itself or forward is refused`() {
        let loops: [[UInt8]] = [
            // To itself.
            [0xC0, 12, 0, 1, 0, 1],
            // To a label whose continuation comes back.
            [1, 97, 0xC0, 12, 0, 1, 0, 1],
            // Forward.
            [0xC0, 18, 0, 1, 0, 1, 1, 97, 0],
        ]
        for loop in loops {
            #expect(throws: DNSMessageError.badName) {
                _ = try DNSMessage(parsing: Self.header + loop)
            }
        }
        var two = Self.header
        two[5] = 2
        // The second name leads to the first, which leads to the second.
        let crossed: [UInt8] = [0xC0, 18, 0, 1, 0, 1, 0xC0, 12, 0, 1, 0, 1]
        #expect(throws: DNSMessageError.badName) { _ = try DNSMessage(parsing: two + crossed) }
    }

    @Test func `a name has 255 bytes at most, also when it is put together of parts`() throws {
        let label = "a" + String(repeating: "b", count: 62)
        let long = [label, label, label, String(repeating: "c", count: 61)].joined(separator: ".")
        let longest = try Self.name(long)
        #expect(longest.wire.count == 255)
        #expect(DomainName(long + "c") == nil)
        #expect(longest.child("x") == nil)
        #expect(DomainName("\(label)b.com") == nil)
        let message = try query(long)
        #expect(try DNSMessage(parsing: message.bytes()) == message)
        // The same, with one more label before a pointer to it.
        var bytes = message.bytes()
        bytes[5] = 2
        bytes += [1, 120, 0xC0, 12, 0, 1, 0, 1]
        #expect(throws: DNSMessageError.badName) { _ = try DNSMessage(parsing: bytes) }
    }

    @Test func `labels of a form that nobody uses are refused`() {
        for form: UInt8 in [0x40, 0x7F, 0x80, 0xBF] {
            #expect(throws: DNSMessageError.badName) {
                _ = try DNSMessage(parsing: Self.header + [form, 0, 0, 1, 0, 1])
            }
        }
    }

    @Test func `compressed names in data are written out`() throws {
        let question = try query("api.example.com").bytes()
        var bytes = question
        bytes[7] = 1
        // MX of the question's name, at the question's name.
        bytes += [0xC0, 12, 0, 15, 0, 1, 0, 0, 0, 9, 0, 4, 0, 5, 0xC0, 12]
        let record = try #require(try DNSMessage(parsing: bytes).answers.first)
        #expect(record.data == [0, 5] + (try Self.name("api.example.com").wire))
        // Data that ends within the name.
        bytes[bytes.count - 5] = 3
        #expect(throws: DNSMessageError.self) { _ = try DNSMessage(parsing: bytes) }
    }

    @Test func `there is one record of EDNS, of the root`() throws {
        var twice = try query("a.b", edns: 512).bytes()
        twice[11] = 2
        #expect(throws: DNSMessageError.badEDNS) {
            _ = try DNSMessage(parsing: twice + twice.suffix(11))
        }
        var named = try query("a.b", edns: 512).bytes()
        named.replaceSubrange(named.count - 11..<named.count - 10, with: [1, 97, 0])
        #expect(throws: DNSMessageError.badEDNS) { _ = try DNSMessage(parsing: named) }
    }

    @Test func `what does not fit leaves without its records, marked as truncated`() throws {
        let message = try Self.sample()
        let whole = message.bytes()
        #expect(message.bytes(limit: whole.count) == whole)
        let short = try DNSMessage(parsing: message.bytes(limit: whole.count - 1))
        #expect(short.flags.isTruncated)
        #expect(short.answers.isEmpty && short.authorities.isEmpty && short.additionals.isEmpty)
        #expect(short.questions == message.questions)
        #expect(short.edns == message.edns)
    }

    @Test func `no bytes lead to anything worse than an error, and what is read can be written`()
        throws
    {
        var random = SeededRandom.fresh()
        let sample = try Self.sample().bytes()
        for _ in 0..<20_000 {
            var bytes = sample
            for _ in 0...random.below(6) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            guard let message = try? DNSMessage(parsing: bytes) else { continue }
            #expect(try DNSMessage(parsing: message.bytes()) == message)
        }
    }
}

@Suite struct DomainNameTests {
    @Test func `case does not count, and is kept`() throws {
        let mixed = try #require(DomainName("Api.eXample.COM."))
        let small = try #require(DomainName("api.example.com"))
        #expect(mixed == small)
        #expect(mixed.hashValue == small.hashValue)
        #expect(mixed.wire != small.wire)
        #expect(mixed.text == "api.example.com")
    }

    @Test func `names that are none`() {
        for text in ["", ".", "a..b", ".a", "a b", "a\\b", "ä.de", "a\u{7F}"] {
            #expect(DomainName(text) == nil, "\(text)")
        }
    }

    @Test func `bytes that no text has are escaped`() throws {
        var bytes = try query("aaaa.b").bytes()
        bytes.replaceSubrange(13..<17, with: [0, 46, 92, 255])
        let name = try #require(try DNSMessage(parsing: bytes).questions.first?.name)
        #expect(name.text == "\\000\\046\\092\\255.b")
        #expect(DomainName.root.text == ".")
    }
}

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("::1", "::1"), ("::", "::"), ("2001:DB8::1", "2001:db8::1"),
        ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"), ("::ffff:192.0.2.1", "::ffff:c000:201"),
        ("fe80::", "fe80::"), ("1::2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
    ])
    func `an address has one way to be written`(text: String, canonical: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.text == canonical)
        #expect(NetworkAddress(canonical) == address)
        #expect(address.type == (text.contains(":") ? .aaaa : .a))
    }

    @Test func `what is no address`() {
        let texts = [
            "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.+4", "a", ":", ":::",
            "1::2::3",
            "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8:9", "12345::", "g::", "::1.2.3",
            "1.2.3.4::", "127.0.0.1:80", "1:2:3:4::5:6:7:8:", "::+1",
        ]
        for text in texts { #expect(NetworkAddress(text) == nil, "\(text)") }
        #expect(NetworkAddress(bytes: [1, 2, 3]) == nil)
    }
}
