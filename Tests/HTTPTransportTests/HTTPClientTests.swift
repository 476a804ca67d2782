import Basics
import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// The client against servers that do as the test says.
@Suite struct HTTPClientTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `a request and its response cross, and the connection is used again`() throws {
        let rig = try ClientRig()
        let first = rig.start(try rig.request())
        let peer = try rig.accept()
        rig.run { peer.text.hasSuffix("\r\n\r\n") }
        #expect(peer.text == "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(rig.address.port ?? 0)\r\n\r\n")
        #expect(first.exchange.isRequestSent)
        #expect(first.exchange.requestBytesSent == peer.received.count)
        peer.send(Self.ok)
        rig.run { first.isOver }
        #expect(first.text == "ok" && first.response?.status == 200 && first.trailers == [:])
        #expect(first.facts?.isReused == false && rig.client.idleConnections == 1)
        peer.clear()
        let second = rig.start(try rig.request("PUT", body: .bytes([0x61])))
        rig.run { peer.text.hasSuffix("Content-Length: 1\r\n\r\na") }
        peer.send("HTTP/1.1 204 No Content\r\n\r\n")
        rig.run { second.isOver }
        #expect(second.facts?.isReused == true && rig.client.connectionCount == 1)
    }

    @Test(arguments: [false, true])
    func `content of every framing arrives whole`(singly: Bool) throws {
        let rig = try ClientRig()
        let body = content(0..<(singly ? 300 : 200_000))
        for (fields, prefix, suffix, proven) in [
            ("Content-Length: \(body.count)", "", "", true),
            (
                "Transfer-Encoding: chunked", String(body.count, radix: 16) + "\r\n",
                "\r\n0\r\nA: b\r\n\r\n", true
            ),
            ("X: y", "", "", false),
        ] {
            let outcome = rig.start(try rig.request())
            let peer = try rig.peers.last ?? rig.accept()
            rig.run { peer.text.hasSuffix("\r\n\r\n") }
            peer.clear()
            peer.sendsSingly = singly
            peer.send("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(prefix)")
            peer.send(body)
            peer.send(suffix)
            rig.run { outcome.bytes.count == body.count && peer.unsentBytes == 0 }
            if !proven { peer.finish() }
            rig.run { outcome.isOver }
            #expect(outcome.bytes == body && outcome.exchange.isLengthProven == proven)
            #expect(outcome.trailers == (suffix.isEmpty ? [:] : ["A": "b"]))
        }
        #expect(rig.peers.count == 1 && rig.client.idleConnections == 0)
    }

    @Test func `nothing is received that nobody asks for, and a reset shows all the same`() throws {
        let rig = try ClientRig()
        let outcome = rig.start(try rig.request())
        outcome.reads = false
        let peer = try rig.accept()
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n")
        peer.send([UInt8](repeating: 7, count: 50_000_000))
        rig.run { outcome.response != nil }
        rig.run(milliseconds: 100)
        #expect(peer.unsentBytes > 30_000_000 && outcome.bytes.isEmpty)
        outcome.reads = true
        rig.run { outcome.bytes.count > 1_000_000 }
        outcome.reads = false
        rig.run(milliseconds: 50)
        peer.reset()
        rig.run(milliseconds: 50)
        outcome.reads = true
        rig.run { outcome.isOver }
        #expect(outcome.failure?.reason == .reset && outcome.failure?.hasResponse == true)
    }

    @Test func `interim responses come as they are sent, also while the request is sent`() throws {
        let rig = try ClientRig()
        let request = try rig.request(
            "POST",
            body: .generated(length: nil) { _, _ in .later }
        )
        let outcome = rig.start(request)
        let peer = try rig.accept()
        rig.run { peer.text.contains("chunked") }
        for number in 0..<500 {
            peer.send("HTTP/1.1 104 x\r\nUpload-Offset: \(number)\r\nContent-Length: 9\r\n\r\n")
        }
        rig.run { outcome.interims.count == 500 }
        #expect(outcome.interims.map { $0.fields["Upload-Offset"] } == (0..<500).map { "\($0)" })
        #expect(outcome.response == nil)
        peer.send(Self.ok)
        rig.run { outcome.isOver }
        #expect(outcome.text == "ok")
    }

    @Test func `content that is sent comes from bytes, files and sources, and is counted`() throws {
        let temporary = try TemporaryFolder()
        let folder = try Folder(temporary.path)
        try folder.replace("f", with: content(0..<500_000), durably: false)
        let rig = try ClientRig()
        let body = MessageBody([
            .bytes([1, 2]), .file(try folder.file("f", for: .reading), 10..<400_000),
            .generated(length: 30_000_000, contentSource(30_000_000, step: 50_000)),
        ])
        let outcome = rig.start(try rig.request("PUT", body: body))
        let peer = try rig.accept()
        peer.isPaused = true
        rig.run { outcome.exchange.unacknowledgedBytes > 0 }
        rig.run(milliseconds: 100)
        #expect(!outcome.exchange.isRequestSent)
        peer.isPaused = false
        let expected = [1, 2] + content(10..<400_000) + content(0..<30_000_000)
        rig.run { outcome.exchange.isRequestSent && peer.received.count > expected.count }
        rig.run { peer.received.count == outcome.exchange.requestBytesSent }
        let head = String(decoding: peer.received.prefix(200), as: UTF8.self)
        #expect(head.contains("Content-Length: \(expected.count)\r\n"))
        #expect(Array(peer.received.suffix(expected.count)) == expected)
        #expect(outcome.exchange.unacknowledgedBytes == 0)
    }

    @Test func `an early answer stops the sending and is used, also if a reset follows it`() throws
    {
        for resets in [false, true] {
            let rig = try ClientRig()
            let body = MessageBody.generated(length: 1 << 40, contentSource(1 << 40))
            let outcome = rig.start(try rig.request("PUT", body: body))
            let peer = try rig.accept()
            rig.run { peer.received.count > 100_000 }
            peer.isPaused = true
            outcome.reads = false
            peer.send("HTTP/1.1 413 No\r\nContent-Length: 5\r\n\r\nearly")
            rig.run { outcome.response?.status == 413 }
            let sent = outcome.exchange.requestBytesSent
            rig.run(milliseconds: 30)
            #expect(outcome.exchange.requestBytesSent == sent && !outcome.exchange.isRequestSent)
            if resets { peer.close() }
            rig.run(milliseconds: 30)
            outcome.reads = true
            rig.run { outcome.isOver }
            #expect(outcome.text == "early" && rig.client.idleConnections == 0)
        }
    }

    /// How a server says that it wants no more, and the failure that follows from a reset behind it.
    private static let refusals: [(String, ClientFailure.Reason?)] = [
        ("HTTP/1.1 413 No\r\nContent-Length: 5\r\n\r\nearly", nil),
        // Whole or not: only a FIN would tell.
        ("HTTP/1.1 413 No\r\n\r\nearly", .reset),
        ("HTTP/1.1 413 No\r\nContent-Length: 9\r\n\r\nearly", .reset),
        ("", .reset),
    ]

    @Test(arguments: refusals.indices)
    func `an answer that came before a send failed is read`(index: Int) throws {
        let (answer, expected) = Self.refusals[index]
        let rig = try ClientRig()
        var peer: RawPeer?
        var handed = 0
        // While the client is sending, the server answers and resets: the send is told, the read is
        // not.
        let body = MessageBody.generated(length: 1 << 40) { buffer, room in
            handed += room.count
            if handed > 1 << 20, let ending = peer {
                peer = nil
                ending.send(answer)
                ending.reset()
            }
            return .stored(room.count)
        }
        let outcome = rig.start(try rig.request("PUT", body: body))
        peer = try rig.accept()
        rig.run { outcome.isOver }
        #expect(outcome.failure?.reason == expected)
        #expect(outcome.response?.status == (answer.isEmpty ? nil : 413))
        #expect(answer.isEmpty || outcome.text == "early")
    }

    @Test func `content waits for the server's word, but not for ever`() throws {
        let rig = try ClientRig { $0.continueTime = .milliseconds(200) }
        var request = try rig.request("PUT", body: .bytes([0x61, 0x62]))
        request.expectsContinue = true
        let first = rig.start(request)
        let peer = try rig.accept()
        rig.run { peer.text.hasSuffix("Expect: 100-continue\r\n\r\n") }
        peer.send("HTTP/1.1 100 Continue\r\n\r\n")
        rig.run { peer.text.hasSuffix("\r\n\r\nab") }
        peer.send(Self.ok)
        rig.run { first.isOver }
        #expect(first.interims.map(\.status) == [100])
        peer.clear()
        let second = rig.start(request)
        rig.run { peer.text.hasSuffix("\r\n\r\n") }
        rig.run { peer.text.hasSuffix("\r\n\r\nab") }
        peer.send(Self.ok)
        rig.run { second.isOver }
        peer.clear()
        let third = rig.start(request)
        rig.run { peer.text.hasSuffix("\r\n\r\n") }
        peer.send("HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n")
        rig.run { third.isOver }
        rig.run(milliseconds: 250)
        #expect(third.response?.status == 417 && peer.text.hasSuffix("\r\n\r\n"))
    }

    @Test func `a host by name, by IPv6 address and by path is reached`() throws {
        let temporary = try TemporaryFolder()
        let rig = try ClientRig()
        let server = try HTTPServer(loop: rig.loop) {
            try? $0.respond(ResponseHead(200), .text($0.head.fields["Host"] ?? ""))
        }
        let ipv6 = try #require(SocketAddress(numericHost: "::1", port: 0))
        let ports = [try server.listen(on: .loopback(port: 0)), try server.listen(on: ipv6)]
            .compactMap(\.port)
        let path = "\(temporary.path)/s"
        try server.listen(on: .unix(path))
        for (text, path) in [
            ("http://localhost:\(ports[0])/", nil), ("http://[::1]:\(ports[1])/", nil),
            ("http://example.org/", path),
        ] {
            let url = try HTTPURL(text)
            var request = ClientRequest("GET", url)
            request.endpoint = ClientEndpoint(url, unixPath: path)
            let outcome = rig.start(request)
            rig.run { outcome.isOver }
            #expect(outcome.failure == nil && outcome.text == url.hostField)
        }
        server.stop()
    }

    @Test func `an aborted request is heard of no more, whatever it was doing`() throws {
        let rig = try ClientRig()
        let name = rig.start(ClientRequest("GET", try HTTPURL("http://localhost:9/")))
        name.exchange.abort()
        let looked = rig.start(ClientRequest("GET", try HTTPURL("http://localhost:9/")))
        rig.loop.runOnce()
        looked.exchange.abort()
        let body = MessageBody.generated(length: 1 << 40, contentSource(1 << 40))
        let sending = rig.start(try rig.request("PUT", body: body))
        let peer = try rig.accept()
        rig.run { peer.received.count > 1_000 }
        sending.exchange.abort()
        rig.run { peer.isOver }
        #expect(peer.failure == .connectionReset && sending.exchange.requestBytesSent > 1_000)
        #expect([name, looked, sending].allSatisfy { !$0.isOver && $0.exchange.isOver })
    }

    @Test func `large responses are not collected`() throws {
        let rig = try ClientRig()
        var results: [CollectedBody] = []
        for count in [2, 3] {
            let exchange = rig.client.start(try rig.request())
            exchange.onResponse = { _ in
                exchange.collect(limit: 2) { results.append($0) }
            }
            let peer = try rig.accept()
            peer.send(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n123"
            )
            rig.run { exchange.isOver && results.count == count - 1 }
        }
        #expect(results == [.complete([0x31, 0x32], trailers: [:]), .tooLarge])
    }
}
