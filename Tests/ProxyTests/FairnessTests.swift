import SystemIO
import Testing

@testable import Proxy

/// Connections that move much leave room for those that move little.
@Suite struct FairnessTests {
    private static let downloads = 16

    /// No clock: what counts is what the proxy moves for others until a short message is answered.
    @Test(arguments: FairPath.allCases)
    func `a short message does not wait for downloads`(path: FairPath) throws {
        let rig = try FairRig(path)
        defer { rig.tearDown() }
        for _ in 0..<Self.downloads { try rig.open().server.send(1_000_000_000) }
        let (client, server) = try rig.open()
        try rig.run("downloads are under way") { rig.downloaded > 4_000_000 }
        var most = (inTurn: UInt64(0), inTrip: UInt64(0))
        for _ in 1...5 {
            let before = rig.downloaded
            let awaited = (up: server.receivedCount, down: client.receivedCount)
            client.send(FairPath.piece)
            while server.receivedCount < awaited.up + FairPath.piece { rig.turn(&most.inTurn) }
            server.send(FairPath.piece)
            while client.receivedCount < awaited.down + FairPath.piece { rig.turn(&most.inTurn) }
            most.inTrip = max(most.inTrip, rig.downloaded - before)
        }
        // What those move who do not wait in line, what is moved in line, and what the last one adds. Of
        // those who do not wait, the one that spends the turn's bytes may move more.
        let outOfLine: UInt64 = path.isSpliced ? 65_536 : 16_384
        let last: UInt64 = path.isSpliced ? 2_097_152 : 262_144
        let spender: UInt64 = path.isSpliced ? 524_288 : 0
        #expect(most.inTurn <= UInt64(Self.downloads) * outOfLine + spender + 262_144 + last)
        // Over a link a message also waits in the modelled queue, which moves with the clock.
        #expect(path == .link || most.inTrip <= 16 * last)
    }
}
