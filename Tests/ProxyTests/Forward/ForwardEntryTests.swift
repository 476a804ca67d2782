import SystemIO
@testable import Proxy
import Testing

/// What clients of a forward proxy say first, in either protocol.
@Suite struct ForwardEntryTests {
    private static let address = "127.0.0.1:8000"

    /// What comes of bytes that arrive in pieces of one size: the answers, and how it ends.
    private func talk(
        _ bytes: [UInt8],
        _ settings: ForwardSettings = ForwardSettings(),
        pieces: Int = .max
    ) -> (answers: [UInt8], last: ForwardStep, left: Int) {
        var entry = ForwardEntry(settings, address: Self.address)
        var (read, arrived) = (0, 0)
        var answers: [UInt8] = []
        while true {
            let step = entry.read(Array(bytes[read..<arrived]))
            switch step {
            case .needsMore:
                guard arrived < bytes.count else { return (answers, step, arrived - read) }
                arrived += min(pieces, bytes.count - arrived)
            case .answer(let answer, let consumed):
                answers += answer
                read += consumed
            case .destination(_, let consumed):
                return (answers, step, bytes.count - read - consumed)
            case .association(let consumed):
                return (answers, step, bytes.count - read - consumed)
            case .refused: return (answers, step, bytes.count - read)
            }
        }
    }

    private func host(_ step: ForwardStep) -> String? {
        guard case .destination(let destination, _) = step else { return nil }
        return "\(destination.endpoint)"
    }

    private func status(_ step: ForwardStep) -> Substring? {
        guard case .refused(let bytes) = step else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(arguments: [1, 2, 7, Int.max])
    func `a tunnel begins right after the head, however it is cut`(pieces: Int) {
        let said = text("CONNECT Example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n") + [0x16, 3, 1]
        let (answers, last, left) = talk(said, pieces: pieces)
        #expect(host(last) == "example.com:443" && answers.isEmpty)
        #expect(left <= 3)
    }

    @Test func `a request in absolute form is left to be passed on`() {
        let said = text("GET http://Example.com/x?y HTTP/1.1\r\nHost: other\r\n\r\n")
        let (_, last, left) = talk(said)
        #expect(host(last) == "example.com:80" && left == said.count)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "400"), ("GET https://x/ HTTP/1.1\r\n\r\n", "400"),
        ("CONNECT x HTTP/1.1\r\n\r\n", "400"), ("CONNECT x:0 HTTP/1.1\r\n\r\n", "400"),
        ("CONNECT x:70000 HTTP/1.1\r\n\r\n", "400"), ("CONNECT x@y:1 HTTP/1.1\r\n\r\n", "400"),
        ("CONNECT http://x:1 HTTP/1.1\r\n\r\n", "400"), ("nonsense\r\n\r\n", "400"),
        ("CONNECT a\rb:1 HTTP/1.1\r\n\r\n", "400"),
        ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "400"),
        ("GET http://u:p@x/ HTTP/1.1\r\n\r\n", "400"),
        ("GET http://x/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
        (
            "GET http://x/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "400"
        ),
        ("CONNECT x:1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n", "400"),
        ("GET /proxy.pac HTTP/1.1\r\nHost: x\r\n\r\n", "200"),
    ])
    func `what names no server is answered with what to do`(said: String, code: Substring) {
        let last = talk(text(said)).last
        #expect(status(last) == code || host(last) == nil && status(last) != nil, "\(last)")
    }

    @Test func `a head without end is not waited for`() {
        let said = text("GET http://x/ HTTP/1.1\r\nX: ") + Array(repeating: 0x61, count: 40_000)
        #expect(status(talk(said, pieces: 4_096).last) != nil)
    }

    // MARK: SOCKS

    private static let greeting: [UInt8] = [5, 1, 0]

    private static func request(_ address: [UInt8], command: UInt8 = 1, port: UInt16 = 8_080)
        -> [UInt8]
    {
        greeting + [5, command, 0] + address + [UInt8(port >> 8), UInt8(port & 0xFF)]
    }

    @Test(
        arguments: [
            ([1, 127, 0, 0, 1], "127.0.0.1:8080"), ([3, 4] + Array("Ab.C".utf8), "ab.c:8080"),
            ([4] + Array(repeating: 0, count: 15) + [1], "[::1]:8080"),
        ] as [([UInt8], String)],
        [1, 3, Int.max]
    )
    func `SOCKS names servers in three ways, however it is cut`(
        server: (address: [UInt8], text: String),
        pieces: Int
    ) {
        let (answers, last, left) = talk(Self.request(server.address) + [1, 2], pieces: pieces)
        #expect(answers == [5, 0] && host(last) == server.text && left <= 2)
    }

    @Test(arguments: [2, 9] as [UInt8])
    func `nobody is waited for on behalf of a client`(command: UInt8) {
        let last = talk(Self.request([1, 127, 0, 0, 1], command: command)).last
        #expect(last == .refused([5, 7, 0, 1, 0, 0, 0, 0, 0, 0]))
    }

    @Test(
        arguments: [[1, 0, 0, 0, 0], [3, 1, 0x61], [3, 0], [4] + Array(repeating: 0, count: 16)]
            as [[UInt8]],
        [1, 3, Int.max]
    )
    func `a relay is for whatever address the client says that it has`(
        address: [UInt8],
        pieces: Int
    ) {
        let said = Self.request(address, command: 3, port: 0)
        let (answers, last, left) = talk(said + [7, 7], pieces: pieces)
        #expect(answers == [5, 0] && left == 2)
        #expect(last == .association(consumed: said.count - Self.greeting.count))
        let reply = SOCKSHandshake.reply(relayAt: .loopback(port: 258))
        #expect(reply == [5, 0, 0, 1, 127, 0, 0, 1, 1, 2])
    }

    @Test func `the header of a datagram is read to its end`() throws {
        for address: [UInt8] in [
            [1, 192, 0, 2, 7], [3, 4] + Array("Ab.C".utf8), [4] + Array(repeating: 9, count: 16),
        ] {
            let header = [0, 0, 0] + address + [1, 2]
            for length in 0..<header.count {
                #expect(RelayHeader(Array(header[..<length])) == nil)
            }
            #expect(RelayHeader(header)?.length == header.count)
            let read = try #require(RelayHeader(header + [5, 5]))
            #expect(read.length == header.count && read.destination.port == 258)
        }
        #expect(RelayHeader([0, 0, 0, 1, 1, 2, 3, 4, 0, 0, 9]) == nil)
        #expect(RelayHeader([0, 0, 0, 3, 1, 0x20, 0, 1, 9]) == nil)
        #expect(RelayHeader([0, 0, 0, 2, 1, 2, 3, 4, 0, 1, 9]) == nil)
    }

    @Test func `an unknown kind of address, an empty name and port 0 are refused`() {
        #expect(talk(Self.request([9, 0])).last == .refused([5, 8, 0, 1, 0, 0, 0, 0, 0, 0]))
        #expect(talk(Self.request([3, 0])).last == .refused([5, 1, 0, 1, 0, 0, 0, 0, 0, 0]))
        let zero = talk(Self.request([1, 1, 2, 3, 4], port: 0)).last
        #expect(zero == .refused([5, 1, 0, 1, 0, 0, 0, 0, 0, 0]))
    }

    // MARK: Credentials

    private var locked: ForwardSettings {
        var settings = ForwardSettings()
        settings.credentials = .init(user: "me", password: "secret")
        return settings
    }

    @Test func `user and password are demanded of SOCKS`() {
        #expect(talk(Self.greeting, locked).last == .refused([5, 0xFF]))
        let name: [UInt8] = [2] + Array("me".utf8)
        let right: [UInt8] = [5, 2, 0, 2, 1] + name + [6] + Array("secret".utf8)
        let request = Self.request([1, 127, 0, 0, 1]).dropFirst(3)
        let (answers, last, _) = talk(right + request, locked, pieces: 1)
        #expect(answers == [5, 2, 1, 0] && host(last) == "127.0.0.1:8080")
        let wrong: [UInt8] = [5, 1, 2, 1] + name + [5] + Array("guess".utf8)
        #expect(talk(wrong, locked).last == .refused([1, 1]))
        let stranger: [UInt8] = [5, 1, 2, 1, 2] + Array("we".utf8) + [6] + Array("secret".utf8)
        #expect(talk(stranger, locked).last == .refused([1, 1]))
    }

    @Test func `user and password are demanded of HTTP`() {
        let request = "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n"
        #expect(status(talk(text(request + "\r\n"), locked).last) == "407")
        let known = "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n\r\n"
        #expect(host(talk(text(request + known), locked).last) == "x:1")
        let other = "Proxy-Authorization: Basic bWU6Z3Vlc3M=\r\n\r\n"
        #expect(status(talk(text(request + other), locked).last) == "407")
    }

    @Test func `a protocol that is not wanted is not spoken`() {
        var settings = ForwardSettings()
        settings.takesSOCKS = false
        #expect(talk(Self.greeting, settings).last == .refused([]))
        settings.takesSOCKS = true
        settings.takesHTTP = false
        #expect(talk(text("CONNECT x:1 HTTP/1.1\r\n\r\n"), settings).last == .refused([]))
    }

    @Test func `any bytes come to an end`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let seed = UInt64.random(in: .min ... .max, using: &generator)
            var state = seed
            let bytes = (0..<64).map { index -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return index == 0 ? 5 : UInt8(truncatingIfNeeded: state >> 40)
            }
            let whole = talk(bytes)
            let cut = talk(bytes, pieces: 1)
            #expect(whole.answers == cut.answers, "seed \(seed)")
            #expect(host(whole.last) == host(cut.last), "seed \(seed)")
        }
    }
}
