import Basics
import LinkEngine
import TestSupport
import Testing

@testable import Proxy
@testable import SystemIO

/// What waits for receivers that do not read, or read slowly.
@Suite struct SlowReaderTests {
    private let delayed = Self.settings(delay: .milliseconds(20))
    private let distant = Self.settings(delay: .milliseconds(100))

    private static func settings(delay: Basics.Duration) -> LinkSettings {
        var settings = LinkSettings()
        for direction in Basics.Direction.allCases { settings[direction].delay = delay }
        return settings
    }

    /// Runs until nothing has moved for ten round trips.
    ///
    /// They are run in short slices, each at least one turn of the loop: time in which a busy machine holds
    /// the loop up, and in which nothing can move, counts as one of them.
    private func settle(_ rig: Rig, _ peers: [TestPeer]) throws {
        let slice = UInt64(10)
        var moved = -1
        var quiet = 0
        while quiet < 400 / slice {
            try rig.run(milliseconds: slice)
            let now = peers.map(\.sentCount).reduce(0, +)
            quiet = now == moved ? quiet + 1 : 0
            moved = now
        }
    }

    /// The first of several measurements that is small enough, or the last one.
    ///
    /// While a busy machine holds the loop up, what is delivered counts as read, since a receiver can be
    /// asked only afterwards: that makes windows grow, never shrink.
    private func first(below bound: Int, _ measure: () throws -> Int) rethrows -> Int {
        for _ in 0..<7 {
            let bytes = try measure()
            if bytes < bound { return bytes }
        }
        return try measure()
    }

    /// Linux: its receiver's window stays at 82 kB, and its sender buffers for the 57 segments of it.
    @Test(.onLinux("the window of a socket"), arguments: Basics.Direction.allCases)
    func `a receiver that never reads costs what Linux would keep`(
        direction: Basics.Direction
    ) throws {
        let kept = try first(below: 700_000) { try keptForIdleReceiver(direction) }
        #expect(kept < 700_000)
    }

    /// What waits for a receiver that never reads.
    ///
    /// There is no least size of that alone: on a busy machine its kernel may have all that its window
    /// holds.
    private func keptForIdleReceiver(_ direction: Basics.Direction) throws -> Int {
        let rig = try Rig(link: delayed)
        defer { rig.tearDown() }
        let pair = try rig.connectThrough()
        let (from, to) =
            direction == .up ? (pair.client, pair.server) : (pair.server, pair.client)
        to.isPaused = true
        from.send(40_000_000)
        // However long a busy machine takes for that; then it may stay so, or grow too far.
        try rig.run("window and buffer fill", seconds: 60) {
            let delivered = rig.proxy.snapshot().connections.map { $0.upBytes + $0.downBytes }
            return rig.loop.chunks.usedBytes + Int(delivered.reduce(0, +)) > 150_000
        }
        try settle(rig, [from])
        #expect(to.receivedCount == 0)
        let kept = rig.loop.chunks.usedBytes
        to.isPaused = false
        try rig.run("everything arrives", seconds: 60) { to.receivedCount == 40_000_000 }
        #expect(rig.loop.chunks.usedBytes == 0)
        return kept
    }

    /// The window follows the application, not its kernel.
    @Test(.onLinux("the window of a socket"))
    func `the window of a slow reader does not grow to its largest`() throws {
        // 1.7 MB if what its kernel takes counts as read.
        let kept = try first(below: 1_000_000) { try keptForSlowReader() }
        #expect(kept < 1_000_000)
    }

    /// What waits for a client that reads 500 bytes each 10 ms, after three seconds.
    private func keptForSlowReader() throws -> Int {
        let rig = try Rig(link: distant)
        defer { rig.tearDown() }
        let pair = try rig.connectThrough()
        let client = pair.client
        client.onReceive = { peer, _ in peer.isPaused = true }
        pair.server.send(40_000_000)
        // Less in a round trip than the ten segments that a window begins with.
        client.readSize = 500
        for _ in 0..<300 {
            client.isPaused = false
            try rig.run(milliseconds: 10)
        }
        client.readSize = .max
        #expect(client.receivedCount > 100_000)
        let kept = rig.loop.chunks.usedBytes
        client.onReceive = nil
        client.isPaused = false
        try rig.run("everything arrives", seconds: 60) { client.receivedCount == 40_000_000 }
        return kept
    }

    @Test func `one that had not read all when it was asked has read nothing since`() {
        let flow = GatedFlow(pool: ChunkPool())
        flow.takeOver(delivered: 12_000, received: 12_000)
        flow.deliveredWhenAsked = 10_000
        #expect(flow.knownUnread == 0)
        flow.unread = 3_000
        #expect(flow.knownUnread == 5_000)
    }

    @Test func `all connections together stay within the bound, and lose nothing`() throws {
        let rig = try Rig(link: delayed)
        defer { rig.tearDown() }
        rig.loop.chunks.limit = 2_000_000
        let pairs = try (0..<24).map { _ in try rig.connectThrough() }
        var most = 0
        for pair in pairs {
            pair.client.isPaused = true
            pair.server.send(2_000_000)
        }
        for _ in 0..<60 {
            try rig.run(milliseconds: 10)
            most = max(most, rig.loop.chunks.usedBytes)
        }
        #expect(most > 1_000_000)
        // Each stream has its least share, and what one read adds.
        #expect(most <= 2_000_000 + 24 * (ChunkPool.leastShare + 4_096) + 262_144)
        for pair in pairs { pair.client.isPaused = false }
        try rig.run("everything arrives", seconds: 60) {
            pairs.allSatisfy { $0.client.receivedCount == 2_000_000 }
        }
        let expected = Content.of(2).digest(2_000_000)
        #expect(pairs.allSatisfy { $0.client.digest.value == expected })
    }
}
