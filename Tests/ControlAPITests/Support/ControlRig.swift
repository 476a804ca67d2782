import Basics
import ControlAPI
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// A loop with a control server on it, and clients that send it bytes.
final class ControlRig {
    let loop: EventLoop
    let alarms: TimerQueue
    let token = AccessToken()
    private(set) var server: ControlServer?
    private(set) var requests: [ControlRequest] = []
    private var peers: [RawPeer] = []

    init(
        on address: SocketAddress = .loopback(port: 0),
        limits: ControlLimits = ControlLimits(),
        answer: @escaping (ControlRequest) -> ControlAnswer = { _ in .json(.string("yes")) }
    ) throws {
        loop = try EventLoop()
        alarms = try TimerQueue(loop: loop)
        let policy = AccessPolicy(token: address.isUnix ? nil : token)
        let server = try ControlServer(
            loop: loop,
            address: address,
            policy: policy,
            limits: limits
        ) { [weak self] request in
            self?.requests.append(request)
            return answer(request)
        }
        self.server = server
    }

    deinit {
        server?.stop()
        for peer in peers { peer.close() }
        alarms.close()
    }

    var address: SocketAddress { server?.address ?? .loopback(port: 0) }

    func connect() throws -> RawPeer {
        let peer = try RawPeer.connect(to: address, on: loop)
        peers.append(peer)
        return peer
    }

    /// The head of a request with all that is asked for.
    func head(
        _ method: String,
        _ target: String,
        _ further: String = "",
        length: Int? = nil
    ) -> String {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(address.port ?? 0)\r\n"
        text += "Authorization: Bearer \(token.text)\r\n" + further
        if let length { text += "Content-Type: application/json\r\nContent-Length: \(length)\r\n" }
        return text + "\r\n"
    }

    /// Sends bytes over a connection of their own and waits for a whole answer.
    func exchange(_ text: String, seconds: UInt64 = 20) throws -> String {
        let peer = try connect()
        peer.send(text)
        run(until: { peer.text.contains("\r\n\r\n") || peer.isOver }, seconds: seconds)
        run(until: { peer.isOver || Self.isWhole(peer.text) }, seconds: seconds)
        return peer.text
    }

    static func isWhole(_ text: String) -> Bool {
        let parts = text.split(
            separator: "\r\n\r\n",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2 else { return false }
        let length = parts[0].split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        let count = length.flatMap { Int($0.dropFirst(16)) } ?? 0
        return parts[1].utf8.count >= count
    }

    /// Lets everything happen that is due.
    func turn() {
        var isOver = false
        _ = alarms.set(after: .zero) { isOver = true }
        while !isOver { loop.runOnce() }
    }

    func run(
        until condition: () -> Bool,
        seconds: UInt64 = 20,
        _ location: SourceLocation = #_sourceLocation
    ) {
        loop.run(until: condition, seconds: Double(seconds), location)
    }
}

extension String {
    /// The status of an answer.
    var status: Int? {
        let words = split(separator: " ", maxSplits: 2)
        return words.count > 1 ? Int(words[1]) : nil
    }
}
