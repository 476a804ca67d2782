import Testing

@testable import SystemIO

/// Two ends of a connection on loopback.
struct SocketPair: ~Copyable {
    var client: Socket
    var server: Socket

    static func make() throws -> SocketPair {
        let listener = try ListeningSocket(on: .loopback(port: 0))
        let bound = listener.address
        let address = try #require(bound)
        var pair = SocketPair(client: try Socket(like: address), server: Socket())
        _ = try pair.client.connect(to: address)
        for _ in 0..<1_000 where !pair.server.isOpen { pair.server = try listener.accept() }
        let isOpen = pair.server.isOpen
        try #require(isOpen)
        return pair
    }
}

/// Notes the reports of a socket.
final class Reports: ReadinessHandler {
    private(set) var all: [Readiness] = []
    func ready(_ readiness: Readiness, tag: UInt32) { all.append(readiness) }
    func clear() { all.removeAll() }
}
