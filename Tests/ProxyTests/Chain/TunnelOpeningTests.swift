import SystemIO
import Testing

@testable import Proxy

/// What is said to another proxy for a tunnel, and what its answers mean.
@Suite struct TunnelOpeningTests {
    private static let pieces = [1, 2, 3, 7, Int.max]

    /// What comes of an answer that arrives in pieces of one size.
    private func talk(
        _ url: String,
        to destination: Destination = Destination(host: "example.com", port: 443),
        _ bytes: [UInt8],
        pieces: Int
    ) throws -> (said: [UInt8], last: TunnelStep, left: Int, atEnd: TunnelFailure) {
        var opening = TunnelOpening(try NextProxy(parsing: url), to: destination)
        var said = opening.greeting
        var (read, arrived) = (0, 0)
        while true {
            let step = opening.read(Array(bytes[read..<arrived]))
            switch step {
            case .needsMore(let consumed):
                read += consumed
                guard arrived < bytes.count else {
                    return (said, step, arrived - read, opening.failureAtEnd)
                }
                arrived += min(pieces, bytes.count - arrived)
            case .answer(let answer, let consumed):
                said += answer
                read += consumed
            case .open(let consumed):
                return (said, step, bytes.count - read - consumed, opening.failureAtEnd)
            case .failed: return (said, step, bytes.count - read, opening.failureAtEnd)
            }
        }
    }

    private func failure(_ url: String, _ bytes: [UInt8], pieces: Int) throws -> TunnelFailure? {
        guard case .failed(let failure) = try talk(url, bytes, pieces: pieces).last else {
            return nil
        }
        return failure
    }

    private static let http = "http://p:1"
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: HTTP

    @Test(arguments: [
        ("http://p:1", ""),
        ("http://me:secret@p:1", "proxy-authorization: basic bwu6c2vjcmv0\r\n"),
    ])
    func `a tunnel is asked for by CONNECT`(url: String, login: String) throws {
        let said = try talk(url, [], pieces: 1).said
        let words = String(decoding: said, as: UTF8.self)
        #expect(words.hasPrefix("CONNECT example.com:443 HTTP/1.1\r\n"))
        #expect(
            words.lowercased()
                == "connect example.com:443 http/1.1\r\nhost: example.com:443\r\n\(login)\r\n"
        )
        let far = Destination(host: "2001:db8::1", port: 80)
        let other = try talk(url, to: far, [], pieces: 1).said
        #expect(String(decoding: other, as: UTF8.self).hasPrefix("CONNECT [2001:db8::1]:80 HTTP"))
    }

    @Test(
        arguments: [
            "HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nA: b\r\n\r\nHTTP/1.1 204 ok\r\nB: c\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        ],
        pieces
    )
    func `the tunnel begins behind the head, however it is cut`(head: String, pieces: Int) throws {
        let tunnel: [UInt8] = [0x16, 3, 1, 13, 10, 13, 10]
        let (_, last, left, _) = try talk(Self.http, Self.text(head) + tunnel, pieces: pieces)
        guard case .open = last else {
            Issue.record("\(last)")
            return
        }
        // What has not come yet when the head ends is left, too.
        #expect(left == tunnel.count)
    }

    @Test(
        arguments: [
            (http, "HTTP/1.1 407 Proxy Authentication Required\r\n", .wantsLogin),
            ("http://a:b@p:1", "HTTP/1.1 407 x\r\nContent-Length: 3\r\n", .loginRefused),
            ("http://a:b@p:1", "HTTP/1.1 401 Unauthorized\r\n", .loginRefused),
            (http, "HTTP/1.1 401 No\r\n", .status(401, "No")),
            (http, "HTTP/1.1 403 Forbidden\r\n", .status(403, "Forbidden")),
            (
                http, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n",
                .status(502, "Bad Gateway")
            ),
            (http, "HTTP/1.1 101 Switching\r\n", .status(101, "Switching")),
            (http, "HTTP/1.1 302 Found\r\nLocation: http://login/\r\n", .status(302, "Found")),
            (http, "nonsense\r\n", .noProxy), (http, "SSH-2.0-x\r\n", .noProxy),
            (http, "HTTP/9.9 200 x\r\n", .noProxy),
        ] as [(String, String, TunnelFailure)],
        pieces
    )
    func `a refusal is told apart`(
        answer: (url: String, head: String, failure: TunnelFailure),
        pieces: Int
    ) throws {
        let bytes = Self.text(answer.head + "\r\n")
        #expect(try failure(answer.url, bytes, pieces: pieces) == answer.failure)
    }

    @Test func `a head without end is not waited for`() throws {
        let bytes = Self.text("HTTP/1.1 200 OK\r\nX: ") + Array(repeating: 0x61, count: 40_000)
        #expect(try failure(Self.http, bytes, pieces: 1_000) == .noProxy)
    }

    @Test(arguments: ["http://p:1", "socks5://p:1"])
    func `an end says whether anything had come`(url: String) throws {
        #expect(try talk(url, [], pieces: 1).atEnd == .closed)
        let begun = url.hasPrefix("http") ? Self.text("HTTP/1.1 20") : [5]
        let (_, last, _, atEnd) = try talk(url, begun, pieces: 1)
        #expect(atEnd == .noProxy)
        if case .needsMore = last {} else { Issue.record("\(last)") }
    }

    // MARK: SOCKS

    private static let socks = "socks5://p:1"
    private static let locked = "socks5://me:pw@p:1"
    private static let granted: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 31, 144]

    @Test(
        arguments: [
            ("example.com", [3, 11] + text("example.com")), ("192.0.2.7", [1, 192, 0, 2, 7]),
            ("2001:db8::1", [4, 0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1]),
        ] as [(String, [UInt8])],
        pieces
    )
    func `SOCKS is asked by name or address`(
        server: (host: String, bytes: [UInt8]),
        pieces: Int
    ) throws {
        let destination = Destination(host: server.host, port: 443)
        let tunnel: [UInt8] = [5, 1, 2]
        let (said, last, left, _) = try talk(
            Self.socks,
            to: destination,
            [5, 0] + Self.granted + tunnel,
            pieces: pieces
        )
        #expect(said == [5, 1, 0, 5, 1, 0] + server.bytes + [1, 187])
        #expect(last == .open(consumed: Self.granted.count) && left == tunnel.count)
    }

    @Test(arguments: pieces)
    func `a login is given if it is asked for`(pieces: Int) throws {
        let asked = try talk(Self.locked, [5, 2, 1, 0] + Self.granted, pieces: pieces)
        let request: [UInt8] = [5, 1, 0, 3, 11] + Self.text("example.com") + [1, 187]
        #expect(asked.said == [5, 2, 0, 2, 1, 2, 0x6D, 0x65, 2, 0x70, 0x77] + request)
        #expect(asked.last == .open(consumed: Self.granted.count))
        let not = try talk(Self.locked, [5, 0] + Self.granted, pieces: pieces)
        #expect(not.said == [5, 2, 0, 2] + request && not.last == asked.last)
    }

    @Test(
        arguments: [
            [5, 0, 0, 3, 2, 0x61, 0x62, 0, 1],
            [5, 0, 0, 4] + Array(repeating: 0, count: 18),
            [5, 0, 0, 3, 0, 0, 1],
        ] as [[UInt8]],
        pieces
    )
    func `the bound address may be of any kind`(reply: [UInt8], pieces: Int) throws {
        let (_, last, left, _) = try talk(Self.socks, [5, 0] + reply + [9], pieces: pieces)
        #expect(last == .open(consumed: reply.count) && left == 1)
    }

    @Test(
        arguments: [
            (socks, [5, 0xFF], .wantsLogin), (socks, [5, 2], .wantsLogin),
            (locked, [5, 0xFF], .loginRefused), (locked, [5, 1], .loginRefused),
            (locked, [5, 2, 1, 1], .loginRefused), (locked, [5, 2, 5, 0], .noProxy),
            (socks, [5, 0, 5, 2], .socks(2)),
            (socks, [5, 0, 5, 5, 0, 1, 0, 0, 0, 0, 0, 0], .socks(5)),
            (socks, [5, 0, 5, 0, 0, 9, 0], .noProxy), (socks, [5, 0, 4, 0], .noProxy),
            (socks, text("HTTP/1.1 400 Bad"), .noProxy), (socks, [4, 90], .noProxy),
        ] as [(String, [UInt8], TunnelFailure)],
        pieces
    )
    func `a refusal of SOCKS is told apart`(
        answer: (url: String, bytes: [UInt8], failure: TunnelFailure),
        pieces: Int
    ) throws {
        #expect(try failure(answer.url, answer.bytes, pieces: pieces) == answer.failure)
    }

    @Test func `a name that does not fit is not cut`() throws {
        let long = Destination(host: String(repeating: "a", count: 256), port: 1)
        let (said, last, _, _) = try talk(Self.socks, to: long, [5, 0], pieces: 2)
        #expect(said == [5, 1, 0] && last == .failed(.socks(8)))
    }

    // MARK: Words

    @Test(
        arguments: [
            .unreachable(.connectionRefused), .timedOut, .closed, .noProxy, .wantsLogin,
            .loginRefused, .status(403, "Forbidden"), .socks(2), .socks(99),
        ] as [TunnelFailure],
        ["http://me:secret@p:1", "socks5://me:secret@p:1"]
    )
    func `a failure names the proxy, and not the password`(failure: TunnelFailure, url: String)
        throws
    {
        let proxy = try NextProxy(parsing: url)
        let words = failure.words(proxy, to: .tcp(host: "example.com", port: 80))
        #expect(words.hasPrefix("the proxy \(proxy) "))
        #expect(!words.contains("secret") && !words.hasSuffix(".") && !words.hasSuffix("?"))
    }
}
