import Basics
import LinkEngine
import Testing

@testable import Proxy
@testable import SystemIO

/// What waits for receivers that do not read, or read slowly.
@Suite struct SlowReaderTests {
    private let delayed: LinkSettings = {
        var settings = LinkSettings()
        for direction in Basics.Direction.allCases { settings[direction].delay = .milliseconds(20) }
        return settings
    }()

    /// Runs until nothing has moved for ten round trips.
    private func settle(_ rig: Rig, _ peers: [TestPeer]) throws {
        var moved = -1
        var now = peers.map(\.sentCount).reduce(0, +)
        while moved != now {
            moved = now
            try rig.run(milliseconds: 400)
            now = peers.map(\.sentCount).reduce(0, +)
        }
    }

    /// Linux: its receiver's window stays at 82 kB, and its sender buffers for the 57 segments of it.
    @Test(arguments: Basics.Direction.allCases)
    func `a receiver that never reads costs what Linux would keep`(
        direction: Basics.Direction
    ) throws {
        let rig = try Rig(link: delayed)
        defer { rig.tearDown() }
        let pair = try rig.connectThrough()
        let (from, to) =
            direction == .up ? (pair.client, pair.server) : (pair.server, pair.client)
        to.isPaused = true
        from.send(40_000_000)
        try settle(rig, [from])
        #expect(to.receivedCount == 0)
        #expect(rig.loop.chunks.usedBytes > 100_000)
        #expect(rig.loop.chunks.usedBytes < 700_000)
        to.isPaused = false
        try rig.run("everything arrives", seconds: 60) { to.receivedCount == 40_000_000 }
        #expect(rig.loop.chunks.usedBytes == 0)
    }

    /// The window follows the application, not its kernel.
    ///
    /// A round trip is long beside the times for which a busy machine holds the loop up: what is
    /// delivered meanwhile counts as read, since the receiver can be asked only afterwards.
    @Test func `the window of a slow reader does not grow to its largest`() throws {
        var distant = LinkSettings()
        for direction in Basics.Direction.allCases {
            distant[direction].delay = .milliseconds(100)
        }
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
        // 6 MB if what its kernel takes counts as read.
        #expect(rig.loop.chunks.usedBytes < 3_500_000)
        client.onReceive = nil
        client.isPaused = false
        try rig.run("everything arrives", seconds: 60) { client.receivedCount == 40_000_000 }
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
