import Basics
import ControlAPI
import HTTPWire
import SystemIO
import Testing
import TestSupport

@Suite struct ControlServerTests {
    @Test func `a request comes whole and its answer goes out`() throws {
        let rig = try ControlRig()
        let text = try rig.exchange(rig.head("POST", "/a%20b/c?x=1&y", length: 2) + "{}")
        #expect(text.status == 200)
        #expect(text.hasSuffix("\r\n\r\n\"yes\"\n"))
        for field in [
            "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
            "Content-Type: application/json",
        ] { #expect(text.contains("\r\n\(field)\r\n")) }
        let request = try #require(rig.requests.first)
        #expect(request.segments == ["a b", "c"])
        #expect(request.query == [QueryItem("x", "1"), QueryItem("y", nil)])
        #expect(request.body == Array("{}".utf8))
        #expect(request.path == "/a%20b/c")
    }

    @Test func `what the policy refuses is not heard of`() throws {
        let rig = try ControlRig()
        let port = rig.address.port ?? 0
        let local = "Host: 127.0.0.1:\(port)\r\n"
        let token = "Authorization: Bearer \(rig.token.text)\r\n"
        let json = "Content-Type: application/json\r\n"
        for (request, status) in [
            ("GET / HTTP/1.1\r\n\(local)\r\n", 401),
            ("GET / HTTP/1.1\r\nHost: evil.example:\(port)\r\n\(token)\r\n", 421),
            ("GET / HTTP/1.0\r\n\(token)\r\n", 421),
            ("POST / HTTP/1.1\r\n\(local)\(token)\(json)Origin: http://evil.example\r\n\r\n", 403),
            ("POST / HTTP/1.1\r\n\(local)\(token)\r\n", 415),
            ("GET http://127.0.0.1:\(port)/ HTTP/1.1\r\n\(local)\(token)\r\n", 400),
            ("CONNECT 127.0.0.1:\(port) HTTP/1.1\r\n\(local)\(token)\r\n", 400),
            ("GET / HTTP/1.1\r\n\(local)\(local)\(token)\r\n", 400),
            ("GET / HTTP/1.1\r\n\(local)X: \(String(repeating: "x", count: 20_000))\r\n\r\n", 431),
            ("GET /\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\n\r\n", 414),
            ("GET /%zz HTTP/1.1\r\n\(local)\(token)\r\n", 400),
        ] {
            let text = try rig.exchange(request)
            #expect(text.status == status, "\(request.prefix(80))")
        }
        #expect(rig.requests.isEmpty)
        #expect(rig.server?.refusals == 7)
    }

    @Test func `content has a limit, told or not`() throws {
        var limits = ControlLimits()
        limits.bodyBytes = 10
        let rig = try ControlRig(limits: limits)
        #expect(try rig.exchange(rig.head("POST", "/", length: 11)).status == 413)
        let chunked = rig.head(
            "POST",
            "/",
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        )
        let body = "6\r\n123456\r\n5\r\n78901\r\n0\r\n\r\n"
        #expect(try rig.exchange(chunked + body).status == 413)
        #expect(rig.requests.isEmpty)
        #expect(try rig.exchange(rig.head("POST", "/", length: 10) + "1234567890").status == 200)
    }

    @Test func `a Unix socket is its owner's alone and asks for no token`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/control.sock"
        let rig = try ControlRig(on: .unix(path))
        #expect(try FileMode.of(path) == 0o600)
        #expect(try rig.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
        let origin = "GET / HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\n\r\n"
        #expect(try rig.exchange(origin).status == 403)
        rig.server?.stop()
        #expect(try SocketFile.state(at: path) == .absent)
    }

    @Test func `a socket's file that nobody listens on goes away, another one stays`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/control.sock"
        do {
            var left = try ListeningSocket(on: .unix(path))
            left.close()
        }
        #expect(try SocketFile.state(at: path) == .stale)
        let rig = try ControlRig(on: .unix(path))
        #expect(throws: SystemError.self) { try ControlRig(on: .unix(path)) }
        #expect(try rig.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
    }

    @Test(arguments: [1, 2])
    func `clients that send no whole head do not keep others away`(beginsEach: Int) throws {
        var limits = ControlLimits()
        limits.connections = 8
        let rig = try ControlRig(limits: limits)
        for number in 0..<40 {
            let slow = try rig.connect()
            // All have begun a head, or some of them nothing at all.
            if number.isMultiple(of: beginsEach) { slow.send("GET / HTTP/1.1\r\nHost:") }
        }
        for _ in 0..<12 {
            #expect(try rig.exchange(rig.head("GET", "/"), seconds: 5).status == 200)
        }
    }

    // Answers that go on.

    @Test func `a stream goes on until one side ends it`() throws {
        var feeds: [EventFeed] = []
        var gone = 0
        let rig = try ControlRig { _ in
            .stream(ControlAnswer.head(200, "text/event-stream")) { feed in
                feed.onGone = { gone += 1 }
                feed.send(Array("first\n".utf8))
                feeds.append(feed)
            }
        }
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.hasSuffix("6\r\nfirst\n\r\n") }
        feeds[0].send(Array("second\n".utf8))
        rig.run { peer.text.hasSuffix("7\r\nsecond\n\r\n") }
        #expect(rig.server?.openStreams == 1)
        feeds[0].end()
        rig.run { peer.text.hasSuffix("0\r\n\r\n") }
        #expect(rig.server?.openStreams == 0)
        #expect(gone == 1)
        #expect(!feeds[0].isOpen)

        let leaver = try rig.connect()
        leaver.send(rig.head("GET", "/"))
        rig.run { leaver.text.contains("first") }
        leaver.reset()
        rig.run { gone == 2 }
        feeds[1].send(Array("in vain".utf8))
        #expect(rig.server?.openStreams == 0)
    }

    @Test func `a client that does not read its stream is cut off`() throws {
        var limits = ControlLimits()
        limits.streamBytes = 10_000
        var feed: EventFeed?
        var isGone = false
        let rig = try ControlRig(limits: limits) { _ in
            .stream(ControlAnswer.head(200, "text/plain")) {
                feed = $0
                feed?.onGone = { isGone = true }
            }
        }
        let peer = try rig.connect()
        peer.isPaused = true
        peer.send(rig.head("GET", "/"))
        rig.run { feed != nil }
        let piece = [UInt8](repeating: 0x78, count: 5_000)
        for _ in 0..<10_000 where !isGone {
            feed?.send(piece)
            rig.turn()
        }
        #expect(isGone)
        #expect(feed?.waitingBytes ?? 0 <= 10_000)
        peer.isPaused = false
        rig.run { peer.isOver }
        #expect(peer.failure != nil)
    }

    @Test func `streams leave room for requests`() throws {
        var limits = ControlLimits()
        limits.streams = 2
        let rig = try ControlRig(limits: limits) { request in
            guard request.path == "/stream" else { return .json(true) }
            return .stream(ControlAnswer.head(200, "text/plain")) { $0.send([0x78]) }
        }
        for _ in 0..<2 {
            let peer = try rig.connect()
            peer.send(rig.head("GET", "/stream"))
            rig.run { peer.text.contains("x") }
        }
        let third = try rig.exchange(rig.head("GET", "/stream"))
        #expect(third.status == 503)
        #expect(third.contains("\r\nRetry-After: 1\r\n"))
        #expect(try rig.exchange(rig.head("GET", "/")).status == 200)
        #expect(try rig.exchange(rig.head("HEAD", "/stream")).status == 200)
    }

    @Test func `an answer may come later, and nobody waits for a client that has gone`() throws {
        var pending: [PendingAnswer] = []
        var gone = 0
        let rig = try ControlRig { _ in
            .later { answer in
                answer.onGone = { gone += 1 }
                pending.append(answer)
            }
        }
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { pending.count == 1 }
        #expect(pending[0].isAwaited)
        pending[0].answer(.json(.string("late")))
        pending[0].answer(.json(.string("twice")))
        rig.run { peer.text.hasSuffix("\"late\"\n") }
        #expect(!pending[0].isAwaited)
        // The connection is as good as new.
        peer.clear()
        peer.send(rig.head("GET", "/"))
        rig.run { pending.count == 2 }
        peer.close()
        rig.run { gone == 1 }
        #expect(!pending[1].isAwaited)
        pending[1].answer(.json(.null))
        #expect(rig.server?.openStreams == 0)
    }
}
