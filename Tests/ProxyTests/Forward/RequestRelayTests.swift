@testable import Proxy
import TestSupport
import Testing

/// What servers get of the requests that clients make of a proxy.
@Suite struct RequestRelayTests {
    private static let server = Destination(host: "a.test", port: 80)

    /// What the server gets of bytes that come in pieces of one size, and what is left.
    private func relay(
        _ bytes: [UInt8],
        pieces: Int = .max,
        credentials: ForwardSettings.Credentials? = nil
    ) -> (sent: String, rest: String?) {
        var relay = RequestRelay(to: Self.server, credentials: credentials)
        var sent: [UInt8] = []
        var read = 0
        while read < bytes.count, relay.rest == nil {
            let piece = Array(bytes[read..<min(bytes.count, read + min(pieces, bytes.count))])
            sent += relay.read(piece.span) ?? piece
            read += piece.count
        }
        // Once something is for another server, nothing more is read.
        let rest = relay.rest.map { String(decoding: $0 + bytes[read...], as: UTF8.self) }
        return (String(decoding: sent, as: UTF8.self), rest)
    }

    private static let own = """
        GET http://a.test/x HTTP/1.1\r\nHost: b\r\n\r\n\
        POST http://a.test:80/y HTTP/1.1\r\nHost: a.test\r\nContent-Length: 47\r\n\r\n\
        GET http://b.test/ in content HTTP/1.1\r\n\r\nabc\r\n\
        PUT http://A.test/z HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n\
        3;x=y\r\nabc\r\n0\r\nT: v\r\n\r\n
        """

    private static let ownAsSent = """
        GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n\
        POST /y HTTP/1.1\r\nHost: a.test\r\nContent-Length: 47\r\n\r\n\
        GET http://b.test/ in content HTTP/1.1\r\n\r\nabc\r\n\
        PUT /z HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n\
        3;x=y\r\nabc\r\n0\r\nT: v\r\n\r\n
        """

    @Test(
        arguments: [1, 2, 3, 5, 17, 64, Int.max],
        [
            "", "GET http://b.test/ HTTP/1.1\r\nHost: b.test\r\n\r\nmore",
            "GET http://a.test:81/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
            "GET https://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
            "CONNECT a.test:80 HTTP/1.1\r\nHost: a.test\r\n\r\n\u{16}\u{3}\u{1}",
            "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n", "no request\r\n\r\n",
        ]
    )
    func `heads are changed, content is not, and what is for others is left, however it is cut`(
        pieces: Int,
        other: String
    ) {
        let (sent, rest) = relay(Array((Self.own + other).utf8), pieces: pieces)
        #expect(sent == Self.ownAsSent)
        #expect(rest == (other.isEmpty ? nil : other))
    }

    @Test func `a client has to say who it is with every request`() {
        let settings = ForwardSettings.Credentials(user: "me", password: "secret")
        let known = "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n"
        let first = known + "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n\r\n"
        let (sent, rest) = relay(Array((first + known + "\r\n").utf8), credentials: settings)
        #expect(sent == "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
        #expect(rest == known + "\r\n")
    }

    @Test(arguments: [1, 7, Int.max])
    func `what was answered is known if the answers are read`(pieces: Int) {
        var relay = RequestRelay(to: Self.server, credentials: nil, readsAnswers: true)
        let head = "http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n"
        _ = relay.read(Array("GET \(head)HEAD \(head)GET \(head)".utf8).span)
        let answers = Array(
            """
            HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc\
            HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\
            HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n
            """.utf8
        )
        var read = 0
        while read < answers.count {
            #expect(relay.isAnswered == false)
            let piece = Array(answers[read..<min(answers.count, read + min(pieces, answers.count))])
            relay.readAnswers(piece.span)
            read += piece.count
        }
        #expect(relay.isAnswered == true)
        #expect(RequestRelay(to: Self.server, credentials: nil).isAnswered == nil)
    }

    @Test func `what is read in one pass ends where a head has begun`() {
        let plain = Array("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)
        var relay = RequestRelay(to: Self.server, credentials: nil)
        // A CR without LF is no empty line, wherever it was cut.
        #expect(relay.read(([0x0D] as [UInt8]).span) != nil && relay.rest == nil)
        _ = relay.read(plain.span)
        #expect(relay.rest == [0x0D] + plain)
    }

    @Test func `empty lines between requests are forgotten with each`() {
        let plain = Array("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)
        let sent = Array("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)
        var relay = RequestRelay(to: Self.server, credentials: nil)
        for _ in 0..<5 {
            let lines = Array(String(repeating: "\r\n", count: 4_000).utf8)
            #expect(relay.read(lines.span) == [] && relay.rest == nil)
            #expect(relay.read(plain.span) == sent)
        }
    }

    @Test func `after content that is none no head is looked for`() {
        let broken = "Transfer-Encoding: chunked\r\n\r\nxyz\r\nGET http://b.test/ HTTP/1.1\r\n\r\n"
        let (sent, rest) = relay(Array("PUT http://a.test/ HTTP/1.1\r\nHost: a\r\n\(broken)".utf8))
        #expect(sent == "PUT / HTTP/1.1\r\nHost: a.test\r\n\(broken)")
        #expect(rest == nil)
    }
}
