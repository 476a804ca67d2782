import Basics
import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

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
        for head in ["H", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n"] {
            let cut = try failure { peer in
                peer.send(head)
                peer.finish()
            }
            #expect(cut?.reason == .truncatedHead && cut?.hasResponse == false)
        }
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
            // A connection whose answer comes before the request is not kept.
            rig.run { peer.text.hasSuffix("\r\n\r\n") }
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            rig.run { first.isOver }
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
            rig.run { peer.text.hasSuffix("\r\n\r\n") }
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
        let begin = rig.loop.now
        rig.run { outcome.isOver }
        #expect(outcome.failure?.reason == .connectTimeout)
        #expect(rig.loop.now - begin >= .milliseconds(300))
        for filler in fillers { filler.close() }
    }

    /// What moves a little, again and again, and is silent in the end.
    enum SlowProgress: CaseIterable {
        case head, interims, content, sending, acknowledgements
    }

    @Test(arguments: SlowProgress.allCases)
    func `slow progress of any kind is waited for, and silence is not`(
        kind: SlowProgress
    ) throws {
        // Until the machine runs smoothly once.
        for _ in 0..<20 where try waits(for: kind) { return }
        Issue.record("the machine was never free for two seconds")
    }

    /// - Returns: false if the machine stood still meanwhile.
    private func waits(for kind: SlowProgress) throws -> Bool {
        let limit: UInt64 = 400
        let folder = try TemporaryFolder()
        let rig = try ClientRig(
            on: kind == .acknowledgements ? .unix("\(folder.path)/s") : .loopback(port: 0)
        ) { $0.progressTime = .milliseconds(Int64(limit)) }
        let count: UInt64 = kind == .sending ? 1 << 40 : 60_000
        // Each piece is a send of its own, so that a Unix socket counts each when it is read.
        let source = contentSource(Int(count), step: kind == .sending ? .max : 4_000)
        let isUpload = kind == .sending || kind == .acknowledgements
        let outcome = rig.start(
            try isUpload
                ? rig.request("PUT", body: .generated(length: count, source)) : rig.request()
        )
        let peer = try rig.accept()
        peer.isPaused = isUpload
        if kind == .acknowledgements { rig.run { outcome.exchange.isRequestSent } }
        if kind == .head { peer.send("HTTP/1.1 200 OK\r\nX: ") }
        if kind == .content { peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n") }
        let isSmooth = rig.pace(12, step: 100, within: limit) { _ in
            switch kind {
            case .head, .content: peer.send("x")
            case .interims: peer.send("HTTP/1.1 103 x\r\n\r\n")
            case .acknowledgements: peer.read(atMost: 4_000)
            case .sending:
                peer.isPaused = false
                peer.isPaused = true
                peer.clear()
            }
        }
        if isSmooth { #expect(!outcome.isOver, "\(kind)") }
        rig.run { outcome.isOver }
        #expect(outcome.failure?.reason == .idleTimeout)
        return isSmooth
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
