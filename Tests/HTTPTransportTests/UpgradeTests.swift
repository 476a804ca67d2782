import Basics
import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// Exchanges that leave HTTP by a 101.
@Suite struct UpgradeTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"

    /// Sends back what comes, in capital letters, until the client has ended its side.
    private final class Echo {
        let exchange: ServerExchange
        private let buffer = TransferBuffer(capacity: 16)
        private var waiting: [UInt8] = []
        private var isOver = false

        init(_ exchange: ServerExchange) { self.exchange = exchange }

        func start() throws {
            try exchange.upgrade(ResponseHead(101, fields: ["Upgrade": "x"])) { [self] in
                make($0, $1)
            }
            read()
        }

        func end() {
            isOver = true
            exchange.resume()
        }

        private func read() {
            exchange.read(into: buffer, limit: 16) { [self] piece in
                guard case .bytes(let range) = piece else { return end() }
                waiting += Array(
                    String(decoding: buffer.bytes(range), as: UTF8.self).uppercased().utf8
                )
                read()
                exchange.resume()
            }
        }

        private func make(_ buffer: TransferBuffer, _ room: Range<Int>) -> GeneratedBytes {
            guard !waiting.isEmpty else { return isOver ? .end : .later }
            let part = Array(waiting.prefix(room.count))
            buffer.store(part, at: room.lowerBound)
            waiting.removeFirst(part.count)
            return .stored(part.count)
        }
    }

    private final class Echoes {
        var all: [Echo] = []
    }

    private func rig() throws -> (Rig, Echoes) {
        let echoes = Echoes()
        let rig = try Rig { exchange in
            let echo = Echo(exchange)
            echoes.all.append(echo)
            try? echo.start()
        }
        return (rig, echoes)
    }

    @Test(arguments: [false, true])
    func `bytes go both ways, also those that came with the request`(singly: Bool) throws {
        let (rig, _) = try rig()
        let peer = try rig.connect()
        peer.sendsSingly = singly
        peer.send(Self.request + "GET / HTTP/1.1 and more than sixteen bytes")
        rig.run { peer.text == Self.answer + "GET / HTTP/1.1 AND MORE THAN SIXTEEN BYTES" }
        peer.send("\r\n\r\nend")
        peer.finishAfterwards()
        rig.run { peer.hasEnded && !rig.reports.isEmpty }
        #expect(peer.text.hasSuffix("\r\n\r\nEND"))
        #expect(rig.reports.map(\.status) == [101] && rig.reports[0].ending == .complete)
        #expect(rig.reports[0].receivedContentBytes == 49)
        #expect(rig.reports[0].sentBytes == peer.received.count)
    }

    @Test func `a client that leaves is noticed`() throws {
        let (rig, echoes) = try rig()
        let peer = try rig.connect()
        peer.send(Self.request)
        rig.run { peer.text == Self.answer }
        var reasons: [AbortReason] = []
        echoes.all[0].exchange.onAbort = { reasons.append($0) }
        peer.reset()
        rig.run { rig.reports.count == 1 }
        #expect(reasons == [.reset])
    }

    @Test func `a server that ends waits no longer than its handler takes`() throws {
        let (rig, echoes) = try rig()
        let peer = try rig.connect()
        peer.send(Self.request)
        rig.run { peer.text == Self.answer }
        let echo = echoes.all[0]
        echo.exchange.onFinish = { [weak echo] in echo?.end() }
        var isFinished = false
        peer.closesAtEnd = true
        rig.server?.finish { isFinished = true }
        rig.run { isFinished && peer.hasEnded }
        #expect(rig.reports.map(\.ending) == [.complete])
    }

    @Test func `a server that stops resets what is open`() throws {
        let (rig, _) = try rig()
        let peer = try rig.connect()
        peer.send(Self.request)
        rig.run { peer.text == Self.answer }
        rig.server?.stop()
        #expect(rig.reports.map(\.ending) == [.aborted(.serverStopped)])
        rig.run { peer.isOver }
        #expect(peer.failure == .connectionReset)
    }

    @Test func `no time limit applies while neither side sends`() throws {
        var limits = HTTPServerLimits()
        limits.bodyProgressTime = .milliseconds(1)
        limits.idleTime = .milliseconds(1)
        limits.sendProgressTime = .milliseconds(1)
        let echoes = Echoes()
        let rig = try Rig(limits: limits) { exchange in
            let echo = Echo(exchange)
            echoes.all.append(echo)
            try? echo.start()
        }
        let peer = try rig.connect()
        peer.send(Self.request)
        rig.run { peer.text == Self.answer }
        rig.run(milliseconds: 50)
        peer.send("a")
        rig.run { peer.text == Self.answer + "A" }
        #expect(rig.reports.isEmpty)
    }
}
