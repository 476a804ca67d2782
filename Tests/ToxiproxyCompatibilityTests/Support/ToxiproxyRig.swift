import Basics
import Foundation
import Journal
import SystemIO
import Proxy
import Testing

@testable import ControlAPI
@testable import ToxiproxyCompatibility

/// An answer as it came over the wire.
struct ToxiproxyReply: Hashable, CustomStringConvertible {
    var status: Int
    var fields: [String: String]
    var body: String

    var description: String { "\(status) \(body)" }
}

/// A registry with its API, an upstream, and whoever talks to them, on one loop.
final class ToxiproxyRig: ReadinessHandler {
    let loop: EventLoop
    let registry: ToxiproxyRegistry
    let api: ToxiproxyAPI
    let server: ToxiproxyServer
    private(set) var records: [JournalRecord] = []
    /// The upstream's ends of connections, in the order of acceptance.
    private(set) var served: [ToxiproxyPeer] = []
    private(set) var clients: [ToxiproxyPeer] = []
    /// What the upstream does with each connection; it sends everything back by default.
    var onServe: (ToxiproxyPeer) -> Void = { peer in
        peer.onReceive = { peer in
            peer.send(peer.received)
            peer.clear()
        }
        peer.onEnd = { $0.end() }
    }
    private(set) var upstream: SocketAddress
    private var listener: ListeningSocket
    private var listenerToken = WatchToken.none
    private var isLate = false

    init(
        seed: UInt64 = 1,
        allowsRemote: Bool = false,
        access: ToxiproxyAccess = ToxiproxyAccess(),
        startedAt: Instant? = nil
    ) throws {
        loop = try EventLoop()
        listener = try ListeningSocket(on: .loopback(port: 0))
        let bound = listener.address
        upstream = try #require(bound)
        let inbox = Inbox()
        registry = ToxiproxyRegistry(
            loop: loop,
            seed: seed,
            allowsRemote: allowsRemote,
            startedAt: startedAt,
            onRecord: { record, _ in inbox.onRecord?(record) }
        )
        api = ToxiproxyAPI(registry: registry)
        api.showsProxyMetrics = true
        server = try ToxiproxyServer(
            loop: loop,
            place: .address(.loopback(port: 0)),
            api: api,
            access: access
        )
        registry.ownAddresses = [server.address]
        listenerToken = try listener.watch(on: loop, handler: self)
        inbox.onRecord = { [weak self] in self?.records.append($0) }
    }

    private final class Inbox { var onRecord: ((JournalRecord) -> Void)? }

    /// Ends everything; call it at the end of a test, or the loop's own check fails.
    func tearDown() {
        for peer in clients + served { peer.close() }
        server.stop()
        registry.stop()
        stopServing()
        loop.finishPendingWork()
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }

    func stopServing() {
        guard listener.isOpen else { return }
        listener.unwatch(listenerToken, on: loop)
        listener.close()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        while let socket = try? listener.accept(), socket.isOpen {
            guard let peer = try? ToxiproxyPeer(loop: loop, socket: socket) else { return }
            served.append(peer)
            onServe(peer)
        }
    }

    // MARK: The loop

    /// Runs the loop until `condition` holds; fails after `seconds`.
    func run(_ what: Comment, seconds: Double = 10, until condition: () -> Bool) throws {
        isLate = false
        let timer = try Timer(loop: loop) { [weak self] in self?.isLate = true }
        timer.start(afterMilliseconds: UInt64(seconds * 1_000))
        defer { timer.close() }
        while !condition() {
            try #require(!isLate, what)
            loop.runOnce()
        }
    }

    func run(milliseconds: UInt64) throws {
        let expiry = Expiry()
        let timer = try Timer(loop: loop) { expiry.isDue = true }
        timer.start(afterMilliseconds: milliseconds)
        defer { timer.close() }
        while !expiry.isDue { loop.runOnce() }
    }

    private final class Expiry { var isDue = false }

    /// One turn of the loop, which something is sure to end.
    func turn() throws {
        let timer = try Timer(loop: loop) {}
        timer.start(afterMilliseconds: 1)
        loop.runOnce()
        timer.close()
    }

    // MARK: The API

    /// Sends a request over a connection of its own and waits for the answer.
    @discardableResult
    func ask(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        fields: [String] = []
    ) throws -> ToxiproxyReply {
        let peer = try ToxiproxyPeer.connect(to: server.address, on: loop)
        defer { peer.close() }
        peer.send(Self.request(method, path, body, fields: fields))
        return try reply(to: method, over: peer)
    }

    static func request(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        fields: [String] = []
    ) -> String {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost:8474\r\n"
        for field in fields { text += field + "\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        return text + "\r\n" + (body ?? "")
    }

    /// Waits for one answer and takes it off what the peer has received.
    func reply(to method: String, over peer: ToxiproxyPeer) throws -> ToxiproxyReply {
        var found: (ToxiproxyReply, Int)?
        try run("\(method) is answered") {
            found = Self.parse(peer.received, isHead: method == "HEAD")
            return found != nil || peer.isOver
        }
        let (reply, length) = try #require(found, "\(peer.text)")
        let rest = Array(peer.received.dropFirst(length))
        peer.clear()
        if !rest.isEmpty { Issue.record("bytes behind an answer: \(rest)") }
        return reply
    }

    private static func parse(_ bytes: [UInt8], isHead: Bool) -> (ToxiproxyReply, Int)? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        if status == 100 {
            let length = text[..<end.upperBound].utf8.count
            return parse(Array(bytes.dropFirst(length)), isHead: isHead).map { ($0, $1 + length) }
        }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[String(parts[0])] = String(parts[1].drop { $0 == " " })
        }
        let length = isHead || status == 204 ? 0 : Int(fields["Content-Length"] ?? "0") ?? 0
        let headLength = text[..<end.upperBound].utf8.count
        guard bytes.count >= headLength + length else { return nil }
        let body = String(decoding: bytes[headLength..<headLength + length], as: UTF8.self)
        return (ToxiproxyReply(status: status, fields: fields, body: body), headLength + length)
    }

    // MARK: Proxies

    /// Makes a proxy in front of the upstream.
    @discardableResult
    func makeProxy(_ name: String = "p", toxics: String? = nil) throws -> NamedProxy {
        let extra = toxics.map { ",\"toxics\":[\($0)]" } ?? ""
        let reply = try ask(
            "POST",
            "/proxies",
            "{\"name\":\"\(name)\",\"listen\":\"127.0.0.1:0\",\"upstream\":\"\(upstream)\"\(extra)}"
        )
        try #require(reply.status == 201, "\(reply)")
        return try registry.proxy(name)
    }

    func addToxic(_ json: String, to name: String = "p") throws {
        let reply = try ask("POST", "/proxies/\(name)/toxics", json)
        try #require(reply.status == 200, "\(reply)")
    }

    func connect(to name: String = "p") throws -> ToxiproxyPeer {
        let address = try #require(try registry.proxy(name).address)
        let peer = try ToxiproxyPeer.connect(to: address, on: loop)
        clients.append(peer)
        return peer
    }

    /// A client whose connection has reached the upstream.
    func connectThrough(
        _ name: String = "p"
    ) throws -> (client: ToxiproxyPeer, server: ToxiproxyPeer) {
        let count = served.count
        let client = try connect(to: name)
        try run("the connection reaches the upstream") { served.count > count }
        return (client, served[count])
    }
}
