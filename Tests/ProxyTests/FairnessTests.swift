import Basics
import LinkEngine
import LinkProfile
import SystemIO
import Testing
import Toxics

@testable import Proxy

/// Connections that move much leave room for those that move little.
@Suite struct FairnessTests {
    enum Path: CaseIterable {
        case plain
        case journal
        case armedFault
        case link
        case toxic
    }

    private static let downloads = 16

    private static func rig(_ path: Path) throws -> Rig {
        let rig = try Rig(
            link: path == .link ? .fast(delayMilliseconds: 0) : LinkSettings(),
            faults: path == .armedFault ? ["c*:down+1000000000000=rst"] : []
        ) { $0.observesRequests = path == .journal }
        if path == .toxic {
            rig.proxy.apply([.on(.down, .latency(milliseconds: 0, jitterMilliseconds: 0))])
        }
        return rig
    }

    /// No clock: what counts is what the proxy moves for others until a short message is answered.
    @Test(arguments: Path.allCases)
    func `a short message does not wait for downloads`(path: Path) throws {
        let rig = try Self.rig(path)
        defer { rig.tearDown() }
        for _ in 0..<Self.downloads {
            let pair = try rig.connectThrough()
            pair.server.send(1_000_000_000)
        }
        let (client, server) = try rig.connectThrough()
        try rig.run("downloads are under way") { rig.downloaded > 4_000_000 }
        var most = (inTurn: UInt64(0), inTrip: UInt64(0))
        for trip in 1...5 {
            let before = rig.downloaded
            client.send(1_000)
            while server.receivedCount < trip * 1_000 { rig.turn(&most.inTurn) }
            server.send(1_000)
            while client.receivedCount < trip * 1_000 { rig.turn(&most.inTurn) }
            most.inTrip = max(most.inTrip, rig.downloaded - before)
        }
        // What those move who do not wait in line, what is moved in line, and what the last one adds.
        let outOfLine: UInt64 = path == .plain ? 524_288 : 16_384
        let last: UInt64 = path == .plain ? 2_097_152 : 262_144
        #expect(most.inTurn <= UInt64(Self.downloads) * outOfLine + 262_144 + last)
        // Over a link a message also waits in the modelled queue, which moves with the clock.
        #expect(path == .link || most.inTrip <= 16 * last)
    }
}

extension Rig {
    fileprivate var downloaded: UInt64 {
        proxy.snapshot().connections.reduce(0) { $0 + $1.downBytes }
    }

    /// One turn of the loop; `most` is the most that one has moved.
    fileprivate func turn(_ most: inout UInt64) {
        let before = downloaded
        loop.runOnce()
        most = max(most, downloaded - before)
    }
}
