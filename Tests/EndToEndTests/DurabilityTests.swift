import Foundation
import HTTPWire
import Origin
import SystemIO
import Testing
import TestSupport

/// A byte that was acknowledged is there after SIGKILL, and is there once.
///
/// LINKCOND_TEST_SCALE multiplies the number of kills.
@Suite struct DurabilityTests {
    private static let kills: Int = {
        let scale = ProcessInfo.processInfo.environment["LINKCOND_TEST_SCALE"].flatMap(Int.init)
        return 10 * max(1, scale ?? 1)
    }()

    private let content = KnownContent(seed: 11)
    private let size: UInt64 = 24 << 20

    @Test(arguments: ["fsync", "write"])
    func `no acknowledged byte is lost or doubled by SIGKILL`(commit: String) throws {
        var random = SeededRandom(seed: commit == "fsync" ? 1 : 2)
        var kills = 0
        while kills < Self.kills / 2 {
            kills += try upload(commit, &random, mostKills: Self.kills / 2 - kills)
        }
        #expect(kills == Self.kills / 2)
    }

    /// One upload over as many lives of the origin as it takes; says how often it was killed.
    private func upload(
        _ commit: String,
        _ random: inout SeededRandom,
        mostKills: Int
    ) throws -> Int {
        let workspace = Workspace()
        let version = [3, 5, 6, 8][Int(random.next() % 4)]
        var place: String?
        var kills = 0
        var promised: UInt64 = 0
        while true {
            let origin = try RunningProxy(
                ["origin", workspace.path, "--commit", commit, "--quiet"],
                in: workspace
            )
            let port = try #require(
                origin.address.split(separator: ":").last.flatMap { UInt16($0) }
            )
            var life = try OriginLife(port: port, version: version, place: place)
            if place != nil {
                let offset = try life.offset()
                // What was promised is there, and nothing that was never sent.
                #expect(offset >= promised && offset <= size)
                promised = offset
            }
            let wantsKill = kills < mostKills && kills < 4
            let stop = wantsKill ? promised + random.next() % (size - promised + 1) : UInt64.max
            let isComplete = try life.send(content, from: promised, size: size, until: stop) {
                origin.program.signal(SIGKILL)
            }
            place = life.place ?? place
            promised = max(promised, life.acknowledged)
            if isComplete {
                _ = try origin.end()
                break
            }
            _ = try origin.program.wait()
            kills += 1
        }
        try check(workspace, place: place, version: version)
        return kills
    }

    /// What is kept is what was sent, once, also for an origin that starts afterwards.
    private func check(_ workspace: Workspace, place: String?, version: Int) throws {
        let kept = workspace.bytes("files/durable")
        #expect(kept.count == Int(size))
        #expect(SHA256.digest(kept) == SHA256.digest(content.bytes(0..<size)))
        let origin = try RunningProxy(["origin", workspace.path, "--quiet"], in: workspace)
        let port = try #require(origin.address.split(separator: ":").last.flatMap { UInt16($0) })
        var life = try OriginLife(port: port, version: version, place: place)
        #expect(try life.offset() == size)
        #expect(FileSystem.names(in: "\(workspace.path)/files") == ["durable"])
        _ = try origin.end()
    }
}
