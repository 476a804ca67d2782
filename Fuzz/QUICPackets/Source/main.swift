// Invariant: whatever a datagram holds, its packets stand one behind another within it; and a gate that
// reads them changes no byte outside the datagram, and none of a version.

import Basics
import Faults
import FuzzSupport
import QUICWire

let plan = FaultPlan(
    faults: [
        "u1/initial:up=corrupt", "u1/1rtt:up=corrupt(9)", "u1:up?50%=corrupt,burst=2",
        "u1/handshake:up#2=drop", "u1:up#9=mtu(1000)",
    ].map { text in
        guard let fault = try? Fault(parsing: text) else { fatalError(text) }
        return fault
    },
    seed: 7
)

fuzz { bytes in
    guard bytes.count <= 65_507 else { return }
    let packets = QUICPacketReader.packets(in: bytes)
    var end = 0
    for packet in packets {
        require(packet.range.lowerBound == end, "packets stand one behind another")
        require(!packet.range.isEmpty, "a packet has bytes")
        end = packet.range.upperBound
        require(end <= bytes.count, "a packet is in its datagram")
        require(packet.destination.count <= 255 && packet.source.count <= 255, "ids have a length")
    }
    _ = QUICPacketReader.isClientStart(bytes)
    var gate = FlowGate(faults: plan.faults(onFlow: 1), isIPv6: bytes.count.isMultiple(of: 2))
    for _ in 0..<3 {
        let verdict = gate.judge(.up, length: bytes.count, packets: packets, at: .start)
        for change in verdict.changes {
            require(change.place < bytes.count, "a change is in the datagram")
            require(change.flips.nonzeroBitCount == 1, "a change is one bit")
        }
    }
}
