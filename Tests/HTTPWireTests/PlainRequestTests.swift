import TestSupport
import Testing

@testable import HTTPWire

/// Requests that are read in one pass become what the parser makes of them.
@Suite struct PlainRequestTests {
    private static let authority = Array("a.test:81".utf8)

    private static let lines = [
        "Host: a.test:81", "HOST:a.test:81 \t", "X: y", "X:", "Proxy-Connection: keep-alive",
        "Connection: Keep-Alive", "host: A.test:81", "Host: b", "Connection: close",
        "Connection: X", "TE: trailers", "Keep-Alive: 5", "Upgrade: h2c", "Trailer: X",
        "Content-Length: 0", "Content-Length: 3", "Transfer-Encoding: chunked",
        "Transfer-Encoding2: x", "Proxy-Authorization: Basic eDp5", "Expect: 100-continue",
        "Cookie: a=b; c=\u{e9}", " folded", "No colon", "Bad name : x", "Bad: \u{1}", "Bad: a\rb",
        "Long: " + String(repeating: "x", count: 9_000),
    ]
    private static let starts = [
        "GET http://a.test:81/ HTTP/1.1", "HEAD http://a.test:81/a/../b?c=%zz&d[]=@ HTTP/1.1",
        "GET http://a.test:81/x HTTP/1.0", "POST http://a.test:81/ HTTP/1.1",
        "GET http://a.test:81 HTTP/1.1", "GET http://a.test:81?x HTTP/1.1",
        "GET http://a.test:81/#x HTTP/1.1", "GET http://a.test:81/\"x\" HTTP/1.1",
        "GET http://a.test:812/ HTTP/1.1", "GET http://a.test/ HTTP/1.1",
        "GET http://A.test:81/ HTTP/1.1", "GET HTTP://a.test:81/ HTTP/1.1",
        "GET https://a.test:81/ HTTP/1.1", "GET http://u@a.test:81/ HTTP/1.1",
        "GHEAD http://a.test:81/ HTTP/1.1", "GE http://a.test:81/ HTTP/1.1",
        "OPTIONS http://a.test:81/ HTTP/1.1", "GET /x HTTP/1.1", "GET  http://a.test:81/ HTTP/1.1",
        "GET http://a.test:81/ HTTP/1.1 ", "GET http://a.test:81/ HTTP/1.2",
        "GET http://a.test:81/" + String(repeating: "x", count: 8_180) + " HTTP/1.1",
    ]

    /// What `RequestParser` and `RelayedHead` make of the request at the beginning.
    private func parsed(_ bytes: [UInt8]) -> (bytes: [UInt8], end: Int, head: RequestHead)? {
        var parser = RequestParser()
        guard let step = try? parser.next(bytes.span), case .head(let head)? = step.event,
            case .absolute(let url)? = RequestTarget(head), !url.isSecure,
            Array(url.hostField.utf8) == Self.authority
        else { return nil }
        let relayed = RelayedHead(head, to: url).bytes(
            from: bytes.span.extracting(..<step.consumed)
        )
        return (relayed, step.consumed, head)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a plain request becomes what the parser makes of it`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var plain = 0
        for _ in 0..<1_000 {
            let isLikely = random.chance(50)
            let start =
                isLikely
                ? Self.starts[random.below(2)] : Self.starts[random.below(Self.starts.count)]
            let others = (0..<random.below(6)).map { _ in
                isLikely
                    ? Self.lines[2 + random.below(4)] : Self.lines[random.below(Self.lines.count)]
            }
            let fields = (others + [Self.lines[random.below(2)]]).shuffled(using: &random)
            let text = ([start] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
            var bytes = text.scalarBytes
            if random.chance(25) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            bytes += "rest".utf8
            guard let found = PlainRequest(in: bytes.span, from: 0, to: Self.authority) else {
                continue
            }
            plain += 1
            let expected = try #require(parsed(bytes), "\(text)")
            #expect(found.bytes == expected.bytes, "\(text)")
            #expect(found.end == expected.end && found.method == expected.head.method)
            #expect(try expected.head.framing() == .none)
            for cut in [1, found.end / 2, found.end - 1] {
                let part = bytes.span.extracting(..<cut)
                #expect(PlainRequest(in: part, from: 0, to: Self.authority) == nil)
            }
        }
        #expect(plain > 100)
    }
}
