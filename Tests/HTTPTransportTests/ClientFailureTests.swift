import HTTPTransport
import HTTPWire
import Libuv
import Testing

/// What the client says of each way to fail.
@Suite struct ClientFailureTests {
    /// What a request comes to if the server does so once it has the request.
    private func failure(
        of request: (ClientRig) throws -> ClientRequest = { try $0.request() },
        _ change: (inout HTTPClientSettings) -> Void = { _ in },
        by act: (RawPeer) -> Void
    ) throws -> ClientFailure? {
        let rig = try ClientRig(change)
        let outcome = rig.start(try request(rig))
        let peer = try rig.accept()
        rig.run { peer.received.count > 0 }
        act(peer)
        rig.run { outcome.isOver }
        #expect(outcome.exchange.isOver)
        return outcome.failure
    }

    @Test func `an end without an answer, a reset and a cut answer are told apart`() throws {
        #expect(try failure { $0.finish() }?.reason == .closedBeforeResponse)
        #expect(try failure { $0.reset() }?.reason == .reset)
        let interim = "HTTP/1.1 104 x\r\n\r\n"
        let afterInterim = try failure { peer in
            peer.send(interim)
            peer.finish()
        }
        #expect(afterInterim?.reason == .closedBeforeResponse)
        for (answer, count) in [
            ("Content-Length: 10\r\n\r\n12345", 5),
            ("Transfer-Encoding: chunked\r\n\r\n5\r\n12345", 5),
            ("Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n", 5),
        ] {
            let cut = try failure { peer in
                peer.send("HTTP/1.1 200 OK\r\n\(answer)")
                peer.finish()
            }
            #expect(cut?.reason == .truncatedBody && cut?.hasResponse == true, "\(answer) \(count)")
        }
        #expect(try failure { $0.finish() }?.didRequestLeave == true)
    }

    @Test func `interim responses without end are malformed, not progress`() throws {
        let failure = try failure { peer in
            for _ in 0..<110 {
                peer.send(String(repeating: "HTTP/1.1 103 x\r\n\r\n", count: 100))
            }
        }
        guard case .malformed = failure?.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test(arguments: [
        "nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n",
    ])
    func `what is no response is malformed`(answer: String) throws {
        let failure = try failure { $0.send(answer) }
        guard case .malformed = failure?.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `a kept connection that has ended is told from a failed one`() throws {
        for resets in [false, true] {
            let rig = try ClientRig()
            let first = rig.start(try rig.request())
            let peer = try rig.accept()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            rig.run { first.isOver && peer.received.count > 0 }
            peer.clear()
            let second = rig.start(try rig.request("POST", body: .bytes([1])))
            rig.run { peer.received.count > 0 }
            if resets { peer.reset() } else { peer.finish() }
            rig.run { second.isOver }
            #expect(second.failure?.reason == .staleReuse && second.failure?.isReused == true)
            #expect(second.failure?.didRequestLeave == true)
        }
    }

    @Test func `a kept connection that the server ends is not used again`() throws {
        let rig = try ClientRig()
        for number in 1...3 {
            let outcome = rig.start(try rig.request())
            let peer = try rig.accept()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            if number == 2 { peer.send("HTTP/1.1 408 unasked\r\n\r\n") }
            rig.run { outcome.isOver }
            if number == 1 { peer.finish() }
            rig.run { rig.client.idleConnections == (number == 3 ? 1 : 0) }
        }
        #expect(rig.client.connectionCount == 3)
        rig.client.closeIdle()
        #expect(rig.client.idleConnections == 0)
    }

    @Test func `nobody listens, nobody is there, no such name`() throws {
        let rig = try ClientRig()
        let outcomes = try [
            "http://127.0.0.1:1/", "http://no-such-host.invalid/", "http://127.0.0.1/",
        ].map { text in
            var request = ClientRequest("GET", try HTTPURL(text))
            if text.hasSuffix("0.0.1/") { request.endpoint.unixPath = "/nonexistent/socket" }
            return rig.start(request)
        }
        rig.run { outcomes.allSatisfy(\.isOver) }
        #expect(outcomes[0].failure?.reason == .refused)
        guard case .resolve = outcomes[1].failure?.reason else {
            Issue.record("\(String(describing: outcomes[1].failure))")
            return
        }
        #expect(outcomes[2].failure?.reason == .unreachable(.noSuchFile))
        #expect(outcomes.allSatisfy { $0.failure?.didRequestLeave == false })
        #expect(outcomes.allSatisfy { $0.failure?.description.isEmpty == false })
    }

    @Test func `a server whose backlog is full is given up in time`() throws {
        let rig = try ClientRig { $0.connectTime = .milliseconds(300) }
        let listener = try ListeningSocket(on: .loopback(port: 0), backlog: 0)
        let bound = listener.address
        let address = try #require(bound)
        var fillers: [RawPeer] = []
        for _ in 0..<3 { fillers.append(try RawPeer.connect(to: address, on: rig.loop)) }
        rig.run(milliseconds: 20)
        let url = try HTTPURL("http://127.0.0.1:\(address.port ?? 0)/")
        let outcome = rig.start(ClientRequest("GET", url))
        let begin = rig.loop.nowNanoseconds
        rig.run { outcome.isOver }
        #expect(outcome.failure?.reason == .connectTimeout)
        #expect(rig.loop.nowNanoseconds - begin >= 300_000_000)
        for filler in fillers { filler.close() }
    }

    @Test func `silence ends a request, slow progress does not`() throws {
        let rig = try ClientRig { $0.progressTime = .milliseconds(400) }
        let outcome = rig.start(try rig.request())
        let peer = try rig.accept()
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        for _ in 0..<8 {
            rig.run(milliseconds: 100)
            peer.send("x")
        }
        #expect(!outcome.isOver)
        rig.run { outcome.isOver }
        #expect(outcome.failure?.reason == .idleTimeout && outcome.bytes.count == 8)

        let body = MessageBody.generated(length: 1 << 40, contentSource(1 << 40))
        let sending = rig.start(try rig.request("PUT", body: body))
        let slow = try rig.accept()
        slow.isPaused = true
        for _ in 0..<10 {
            rig.run(milliseconds: 100)
            slow.isPaused = false
            slow.isPaused = true
            slow.clear()
        }
        #expect(!sending.isOver)
        rig.run { sending.isOver }
        #expect(sending.failure?.reason == .idleTimeout)
    }

    @Test func `a source that fails, and a head that cannot be written, are the client's own`()
        throws
    {
        let short = MessageBody.generated(length: 10, contentSource(5))
        let failed = try failure(of: { try $0.request("PUT", body: short) }) { _ in }
        #expect(failed?.reason == .sourceFailed)
        let rig = try ClientRig()
        var request = try rig.request()
        request.head.fields.add("X", "a\r\nb")
        let outcome = rig.start(request)
        rig.run { outcome.isOver }
        #expect(outcome.failure?.reason == .unwritable(.fieldValue("X")))
        #expect(outcome.failure?.didRequestLeave == false)
    }
}
