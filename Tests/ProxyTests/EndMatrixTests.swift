import Basics
import Journal
import LinkEngine
import SystemIO
import Testing

@testable import Proxy

/// What each side sees of the other one's end, whatever stands between them.
@Suite struct EndMatrixTests {
    enum Ending: CaseIterable { case clientFIN, upstreamFIN, bothFIN, clientRST, upstreamRST }

    enum Form: CaseIterable {
        /// Nothing in the way.
        case direct
        /// Behind fault gates.
        case gated
        /// The other side does not read.
        case paused
        /// The same, and the proxy has taken all that it takes.
        case full
        /// Over a link that is slow.
        case shaped

        var isHeld: Bool { self == .paused || self == .full }
        var faults: [String] { self == .direct || self == .shaped ? [] : ["c1:up+1000000000=rst"] }
        var link: LinkSettings { self == .shaped ? .slow(bitsPerSecond: 20_000_000) : .init() }
        /// What the side that ends sends before; held back, it fills every buffer.
        var bytes: Int { self == .full ? 30_000_000 : 50_000 }
    }

    @Test(arguments: Ending.allCases, Form.allCases)
    func `an end is passed on as what it is, behind the bytes before it`(
        ending: Ending,
        form: Form
    ) throws {
        let rig = try Rig(link: form.link, faults: form.faults)
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        let isByClient = ending == .clientFIN || ending == .clientRST || ending == .bothFIN
        let (from, to) = isByClient ? (client, server) : (server, client)
        to.isPaused = form.isHeld
        switch ending {
        case .bothFIN: try endBoth(rig, from, to, form)
        case .clientFIN, .upstreamFIN: try end(rig, from, to, form)
        case .clientRST, .upstreamRST: try reset(rig, from, to, form)
        }
        let end = try #require(rig.ends.first)
        // An end behind bytes for which there is no room is not the first one to be seen.
        if ending == .bothFIN, form == .full { return }
        #expect(end.by == (isByClient ? .client : .upstream))
    }

    /// A FIN ends one direction after its last byte; the other one lives.
    private func end(_ rig: Rig, _ from: TestPeer, _ to: TestPeer, _ form: Form) throws {
        from.send(form.bytes, then: .finish)
        try hold(rig, from, to, form)
        try rig.run("the end arrives") { to.hasEnded }
        #expect(to.receivedCount == form.bytes)
        #expect(!from.isOver)
        to.send(300_000, then: .finish)
        try rig.run("the other direction lives") { from.hasEnded }
        #expect(from.receivedCount == 300_000)
        try rig.runUntilIdle(1)
        #expect(rig.ends.first?.how == .fin)
        #expect(rig.ends.first?.up.isExact == true && rig.ends.first?.down.isExact == true)
    }

    private func endBoth(_ rig: Rig, _ from: TestPeer, _ to: TestPeer, _ form: Form) throws {
        from.send(form.bytes, then: .finish)
        // Not in the same turn: who was first is told.
        try rig.run("the first end is under way") { form == .full || from.hasSentAll }
        try rig.run(milliseconds: 20)
        to.send(1_000, then: .finish)
        try hold(rig, from, to, form)
        try rig.run("both ends arrive") { to.hasEnded && from.hasEnded }
        #expect(to.receivedCount == form.bytes && from.receivedCount == 1_000)
        try rig.runUntilIdle(1)
        #expect(rig.ends.first?.how == .fin)
    }

    /// Whoever does not read learns of nothing before the bytes in front of it.
    private func hold(_ rig: Rig, _ from: TestPeer, _ to: TestPeer, _ form: Form) throws {
        guard form.isHeld else { return }
        try rig.run(milliseconds: 100)
        #expect(from.hasSentAll == (form == .paused))
        #expect(to.receivedCount == 0 && !to.isOver)
        to.isPaused = false
    }

    /// A reset ends both directions at once; bytes before it may be lost, none is wrong.
    private func reset(_ rig: Rig, _ from: TestPeer, _ to: TestPeer, _ form: Form) throws {
        from.send(form.bytes)
        to.send(form.bytes)
        try rig.run(milliseconds: 100)
        let start = rig.loop.now
        from.reset()
        try rig.run("the proxy knows") { rig.proxy.openConnections == 0 }
        #expect(rig.loop.now - start < .milliseconds(250))
        to.isPaused = false
        try rig.run("the other side is told") { to.isOver }
        #expect(to.failure == .connectionReset)
        #expect(rig.loop.now - start < .milliseconds(250))
        let content = Content.of(to === rig.clients.first ? 2 : 1)
        #expect(to.digest.value == content.digest(to.receivedCount))
        try rig.runUntilIdle(1)
        #expect(rig.ends.first?.how == .rst)
    }
}
