import Basics
import SystemIO
import Testing

@testable import Proxy

@Suite struct UpstreamTests {
    private let first = SocketAddress.loopback(port: 1)
    private let second = SocketAddress.loopback(port: 2)

    /// An upstream whose name means what `answers` holds.
    private final class Names {
        var answers: [Result<[SocketAddress], SystemError>]
        init(_ answers: [Result<[SocketAddress], SystemError>]) { self.answers = answers }

        func upstream() -> Upstream {
            Upstream(.tcp(host: "moving.test", port: 80)) { [self] _, _, _, done in
                done(answers.removeFirst())
            }
        }
    }

    @Test func `a name that moves is followed once its answer is old`() throws {
        let loop = try EventLoop()
        let upstream = Names([.success([first]), .success([second])]).upstream()
        #expect(!upstream.isFresh(at: loop.now))
        let before = loop.now
        upstream.lookUp(on: loop) { #expect($0 == nil) }
        let after = loop.now
        #expect(upstream.addresses == [first])
        #expect(upstream.isFresh(at: before + upstream.lifetime - .nanoseconds(1)))
        #expect(!upstream.isFresh(at: after + upstream.lifetime))
        upstream.lookUp(on: loop) { #expect($0 == nil) }
        #expect(upstream.addresses == [second])
        loop.finishClosing()
    }

    @Test func `a lookup that fails leaves the old addresses in use`() throws {
        let loop = try EventLoop()
        let upstream = Names([.success([first]), .failure(.timedOut)]).upstream()
        upstream.lookUp(on: loop) { #expect($0 == nil) }
        upstream.lookUp(on: loop) { #expect($0 == nil) }
        #expect(upstream.addresses == [first])
        #expect(upstream.isFresh(at: loop.now))
        loop.finishClosing()
    }

    @Test func `a lookup that never succeeded is repeated, and its reason handed on`() throws {
        let loop = try EventLoop()
        let upstream = Names([.failure(.timedOut)]).upstream()
        var reason: SystemError?
        upstream.lookUp(on: loop) { reason = $0 }
        #expect(reason == .timedOut)
        #expect(!upstream.isFresh(at: loop.now))
        loop.finishClosing()
    }

    @Test func `each connection goes where the name leads then`() throws {
        let rig = try Rig {
            $0.findsUpstreamsLate = true
            $0.routes[0].upstream = .tcp(host: "moving.test", port: 80)
        }
        defer { rig.tearDown() }
        let upstream = rig.proxy.acceptor.upstream(of: 0)
        upstream.lifetime = .zero
        let old = try #require(rig.upstreamAddress)
        upstream.resolve = { _, _, _, done in done(.success([old])) }
        let (_, first) = try rig.connectThrough()
        rig.stopServing()
        let other = SocketAddress.loopback(port: 0)
        try rig.serveAgain(at: other)
        let new = try #require(rig.servingAddress)
        upstream.resolve = { _, _, _, done in done(.success([new])) }
        let (_, second) = try rig.connectThrough()
        #expect(first.localPort == old.port && second.localPort == new.port)
    }

    @Test func `an address needs no lookup`() throws {
        let upstream = Upstream(Endpoint(first))
        #expect(upstream.isFresh(at: .never) && upstream.addresses == [first])
    }
}
