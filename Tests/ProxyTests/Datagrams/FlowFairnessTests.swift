import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// Flows that move much leave room for those that move little.
@Suite struct FlowFairnessTests {
    /// Flows to whose clients the server sends more than the proxy moves.
    private final class Scene {
        static let downloads = 16

        let rig: FlowRig
        private let length: Int
        private let together: Int
        private let receivers: [DatagramPeer]
        /// The most that one turn of the loop has moved.
        private(set) var mostInTurn: UInt64 = 0

        init(faults: [String], length: Int, together: Int) throws {
            rig = try FlowRig(faults: faults)
            self.length = length
            self.together = together
            for number in 1...Self.downloads {
                try rig.client().send("more")
                try rig.run("the server knows flow \(number)") { [rig] in
                    rig.server.received.count == number
                }
            }
            receivers = rig.server.received.compactMap(\.sender)
            for _ in 0..<8 { refill() }
        }

        private func refill() {
            let bytes = [UInt8](repeating: 1, count: length * together)
            for _ in 0..<64 / together {
                for receiver in receivers {
                    rig.server.sendTogether(bytes, segment: length, to: receiver)
                }
            }
        }

        /// What the proxy has moved to clients; a small datagram costs as much as one of 1 KiB.
        var downloaded: UInt64 {
            (rig.proxy.snapshot().flows?.down.delivered ?? 0) * UInt64(max(length, 1_024))
        }

        /// Runs the loop until a client has got so many datagrams.
        func run(until client: TestDatagramPeer, has count: Int) {
            while client.received.count < count {
                refill()
                let before = downloaded
                rig.loop.runOnce()
                mostInTurn = max(mostInTurn, downloaded - before)
            }
        }
    }

    /// No clock: what counts is what the proxy moves for others until a datagram is answered.
    @Test(
        arguments: [[], ["u1:up#4000000000=drop"]],
        [(length: 1_200, together: 1), (length: 100, together: 1), (length: 1_200, together: 32)]
    )
    func `a datagram does not wait for those of other flows`(
        faults: [String],
        size: (length: Int, together: Int)
    ) throws {
        let scene = try Scene(faults: faults, length: size.length, together: size.together)
        defer { scene.rig.stop() }
        let client = try scene.rig.client()
        var mostInTrip: UInt64 = 0
        for trip in 1...5 {
            let before = scene.downloaded
            client.send("\(trip)")
            scene.run(until: client, has: trip)
            mostInTrip = max(mostInTrip, scene.downloaded - before)
        }
        // What those move who do not wait in line, what is moved in line, and what the last one adds;
        // each may add what the kernel has put together.
        let outOfLine = UInt64(Scene.downloads * (16_384 + size.length * size.together))
        #expect(scene.mostInTurn <= outOfLine + 2 * 262_144)
        #expect(mostInTrip <= 16 * 262_144)
        #expect(client.texts == ["1", "2", "3", "4", "5"])
    }
}
