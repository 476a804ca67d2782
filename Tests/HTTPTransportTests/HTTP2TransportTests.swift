import Basics
import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// Client and server that have agreed on HTTP/2.
@Suite struct HTTP2TransportTests {
    private let files: TestCertificates

    init() throws { files = try TestCertificates() }

    private func rig(
        limits: HTTPServerLimits = HTTPServerLimits(),
        onRequest: @escaping (ServerExchange) -> Void
    ) throws -> Rig {
        let tls = try TLSContext.server(files.serverSettings)
        return try Rig(limits: limits, tls: tls, takesHTTP2: true, onRequest: onRequest)
    }

    private func client(
        _ rig: Rig,
        _ change: (inout HTTPClientSettings) -> Void = { _ in }
    ) throws -> HTTPClient {
        var settings = HTTPClientSettings()
        settings.tls = try TLSContext.client(authorities: files.authority)
        settings.offersHTTP2 = true
        change(&settings)
        return try HTTPClient(loop: rig.loop, settings: settings)
    }

    private func request(
        _ method: String,
        _ rig: Rig,
        _ path: String = "",
        body: MessageBody = .none
    ) throws -> ClientRequest {
        let url = try HTTPURL("https://localhost:\(rig.address.port ?? 0)/\(path)")
        return ClientRequest(method, url, body: body)
    }

    @Test func `many requests share a connection, and content crosses in both directions`() throws {
        var received: [String: [UInt8]] = [:]
        let rig = try rig { exchange in
            #expect(exchange.head.version == .http2 && exchange.head.fields["Host"] != nil)
            let reader = Reader(exchange)
            reader.onEnd = { reader in
                received[exchange.head.target] = reader.bytes
                #expect((try? exchange.sendInterim(ResponseHead(103))) == true)
                let body = MessageBody(
                    [.bytes([1]), .generated(length: nil, contentSource(400_000))],
                    trailers: { ["X-Sum": "1"] }
                )
                let fields: HeaderFields = ["Connection": "keep-alive", "X-A": "b"]
                try? exchange.respond(ResponseHead(200, fields: fields), body)
            }
            reader.goOn()
        }
        let client = try client(rig)
        let outcomes = try (1...20).map { number in
            let length = 1_000 * number * number
            let body = MessageBody.generated(length: UInt64(length), contentSource(length))
            return Outcome(client.start(try request("PUT", rig, "\(number)", body: body)))
        }
        rig.run { outcomes.allSatisfy(\.isOver) && rig.reports.count == 20 }
        for (place, outcome) in outcomes.enumerated() {
            #expect(outcome.failure == nil && outcome.bytes == [1] + content(0..<400_000))
            #expect(outcome.trailers?["X-Sum"] == "1" && outcome.interims.count == 1)
            #expect(outcome.response?.fields["Connection"] == nil && outcome.facts?.isHTTP2 == true)
            #expect(outcome.response?.fields["X-A"] == "b" && outcome.exchange.isRequestSent)
            let length = 1_000 * (place + 1) * (place + 1)
            #expect(received["/\(place + 1)"] == content(0..<length))
            #expect(outcome.exchange.requestBytesSent >= length)
        }
        #expect(client.connectionCount == 1 && client.idleConnections == 1)
        #expect(Set(rig.reports.map(\.request)) == Set(1...20))
        #expect(rig.reports.allSatisfy { $0.ending == .complete && $0.sentBytes > 400_000 })
        client.close()
        rig.run { rig.server?.openConnections == 0 }
    }

    @Test func `an exchange that is reset ends its stream alone`() throws {
        var held: [ServerExchange] = []
        var aborts: [AbortReason] = []
        let rig = try rig { exchange in
            held.append(exchange)
            exchange.onAbort = { aborts.append($0) }
        }
        let client = try client(rig)
        let outcomes = try (0..<3).map { _ in Outcome(client.start(try request("GET", rig))) }
        rig.run { held.count == 3 }
        held[0].reset()
        #expect(aborts == [.takenOver])
        rig.run { outcomes.contains { $0.failure != nil } }
        let failed = try #require(outcomes.first { $0.failure != nil })
        #expect(failed.failure?.reason == .streamReset("INTERNAL_ERROR"))
        #expect(failed.failure?.didRequestLeave == true)
        // What the client gives up is a reset of that one, too.
        let rest = outcomes.filter { $0.failure == nil }
        rest[0].exchange.abort()
        rig.run { aborts.count == 2 }
        #expect(aborts.last == .reset)
        for exchange in held where !exchange.isOver {
            try exchange.respond(ResponseHead(200), .text("here"))
        }
        rig.run { rest[1].isOver }
        #expect(rest[1].text == "here" && client.connectionCount == 1)
        client.close()
    }

    @Test func `an early answer stops the content, and the connection continues`() throws {
        let rig = try rig { exchange in
            try? exchange.respond(ResponseHead(403), .text("no"))
        }
        let client = try client(rig)
        for number in 1...3 {
            let body = MessageBody.generated(length: 50_000_000, contentSource(50_000_000))
            let outcome = Outcome(client.start(try request("PUT", rig, body: body)))
            rig.run { outcome.isOver && rig.reports.count == number }
            #expect(outcome.response?.status == 403 && outcome.text == "no")
            #expect(!outcome.exchange.isRequestSent && rig.reports.last?.ending == .complete)
        }
        #expect(client.connectionCount == 1)
        client.close()
    }

    @Test func `content that is not read stops at the windows`() throws {
        var held: [ServerExchange] = []
        var made = 0
        let rig = try rig { exchange in
            held.append(exchange)
            guard exchange.head.method == "GET" else { return }
            let source = contentSource(20_000_000)
            let body = MessageBody.generated(length: 20_000_000) { buffer, room in
                let answer = source(buffer, room)
                if case .stored(let count) = answer { made += count }
                return answer
            }
            try? exchange.respond(ResponseHead(200), body)
        }
        let client = try client(rig)
        var sent = 0
        let source = contentSource(20_000_000)
        let body = MessageBody.generated(length: 20_000_000) { buffer, room in
            let answer = source(buffer, room)
            if case .stored(let count) = answer { sent += count }
            return answer
        }
        let upload = Outcome(client.start(try request("PUT", rig, body: body)))
        let download = Outcome(client.start(try request("GET", rig)))
        download.reads = false
        rig.run { held.count == 2 && download.response != nil && sent > 60_000 }
        rig.run(milliseconds: 100)
        #expect(sent <= 65_535 && made <= 1 << 20)
        download.reads = true
        let put = try #require(held.first { $0.head.method == "PUT" })
        let reader = Reader(put)
        reader.onEnd = { _ in try? put.respond(ResponseHead(204)) }
        reader.goOn()
        rig.run { upload.isOver && download.isOver }
        #expect(download.bytes == content(0..<20_000_000))
        #expect(reader.bytes == content(0..<20_000_000) && upload.response?.status == 204)
        client.close()
    }

    @Test func `responses without content have none`() throws {
        let rig = try rig { exchange in
            let status = Int(exchange.head.target.dropFirst()) ?? 200
            try? exchange.respond(ResponseHead(status), .text("content"))
        }
        let client = try client(rig)
        for (method, status, length) in [
            ("HEAD", 200, "7"), ("GET", 204, nil), ("GET", 304, "7"), ("GET", 200, "7"),
        ] {
            let outcome = Outcome(client.start(try request(method, rig, "\(status)")))
            rig.run { outcome.isOver }
            #expect(outcome.response?.status == status)
            #expect(outcome.response?.fields["Content-Length"] == length, "\(method) \(status)")
            #expect(outcome.text == (method == "GET" && status == 200 ? "content" : ""))
        }
        client.close()
    }

    @Test func `a head that is too large is refused on its stream alone`() throws {
        let rig = try rig { try? $0.respond(ResponseHead(200)) }
        let client = try client(rig)
        var large = try request("GET", rig)
        large.head.fields["X"] = String(repeating: "v", count: 20_000)
        let refused = Outcome(client.start(large))
        rig.run { refused.isOver }
        #expect(refused.response?.status == 431 && rig.reports.first?.ending == .refused)
        let next = Outcome(client.start(try request("GET", rig)))
        rig.run { next.isOver }
        #expect(next.response?.status == 200 && client.connectionCount == 1)
        client.close()
    }

    @Test func `a client that waits for a word gets it when its content is asked for`() throws {
        let rig = try rig { exchange in
            let reader = Reader(exchange)
            reader.onEnd = { try? exchange.respond(ResponseHead(200), .bytes($0.bytes)) }
            reader.goOn()
        }
        let client = try client(rig) { $0.continueTime = .seconds(600) }
        var request = try request("PUT", rig, body: .text("content"))
        request.expectsContinue = true
        let outcome = Outcome(client.start(request))
        rig.run { outcome.isOver }
        #expect(outcome.interims.map(\.status) == [100] && outcome.text == "content")
        client.close()
    }

    @Test func `a server that finishes lets what is under way end`() throws {
        var held: ServerExchange?
        let rig = try rig { held = $0 }
        let client = try client(rig)
        let outcome = Outcome(client.start(try request("GET", rig)))
        rig.run { held != nil }
        var isFinished = false
        rig.server?.finish { isFinished = true }
        rig.run(milliseconds: 20)
        try held?.respond(ResponseHead(200), .text("last"))
        rig.run { outcome.isOver && isFinished }
        #expect(outcome.text == "last" && outcome.failure == nil)
        #expect(rig.reports.map(\.ending) == [.complete])
        // Nothing more goes to the connection that has ended.
        let next = Outcome(client.start(try request("GET", rig)))
        rig.run { next.isOver }
        #expect(next.failure?.reason == .refused)
        client.close()
    }

    @Test func `a connection on which nothing moves is given up`() throws {
        var count = 0
        let rig = try rig { exchange in
            count += 1
            if count > 1 { try? exchange.respond(ResponseHead(200)) }
        }
        let client = try client(rig) { $0.progressTime = .milliseconds(300) }
        let silent = Outcome(client.start(try request("GET", rig)))
        rig.run { silent.isOver }
        #expect(silent.failure?.reason == .idleTimeout)
        let next = Outcome(client.start(try request("GET", rig)))
        rig.run { next.isOver }
        #expect(next.response?.status == 200 && client.connectionCount == 2)
        client.close()
    }

    @Test func `content that makes no progress ends its stream by 408`() throws {
        var limits = HTTPServerLimits()
        limits.bodyProgressTime = .milliseconds(200)
        let rig = try rig(limits: limits) { Reader($0).goOn() }
        let client = try client(rig)
        let body = MessageBody.generated(length: 10) { _, _ in .later }
        let outcome = Outcome(client.start(try request("PUT", rig, body: body)))
        rig.run { outcome.isOver && rig.reports.count == 1 }
        #expect(outcome.response?.status == 408)
        #expect(rig.reports.first?.ending == .aborted(.requestTimeout))
        #expect(rig.server?.openConnections == 1)
        client.close()
    }

    @Test func `a server without HTTP2 is spoken to in HTTP1`() throws {
        let tls = try TLSContext.server(files.serverSettings)
        let rig = try Rig(tls: tls) { try? $0.respond(ResponseHead(200), .text("1")) }
        let client = try client(rig)
        let outcomes = try (0..<5).map { _ in Outcome(client.start(try request("GET", rig))) }
        rig.run { outcomes.allSatisfy(\.isOver) }
        #expect(outcomes.allSatisfy { $0.text == "1" && $0.facts?.isHTTP2 == false })
        client.close()
    }

    @Test func `a request whose connection ends is not complete, and what came is read first`()
        throws
    {
        var held: ServerExchange?
        let rig = try rig { exchange in
            held = exchange
            let source = contentSource(300_000)
            var isLater = false
            let body = MessageBody.generated(length: 500_000) { buffer, room in
                if isLater { return .later }
                let answer = source(buffer, room)
                if answer == .end { isLater = true }
                return answer == .end ? .later : answer
            }
            try? exchange.respond(ResponseHead(200), body)
        }
        let client = try client(rig)
        let outcome = Outcome(client.start(try request("GET", rig)))
        outcome.reads = false
        rig.run { outcome.response != nil }
        rig.run(milliseconds: 50)
        rig.server?.dropConnections()
        rig.run(milliseconds: 50)
        #expect(held?.isOver == true && outcome.failure == nil)
        outcome.reads = true
        rig.run { outcome.isOver }
        #expect(outcome.failure?.reason == .reset && outcome.failure?.hasResponse == true)
        #expect(outcome.bytes == content(0..<300_000))
        client.close()
    }
}
