// Invariant: whatever a datagram holds, its packets stand one behind another within it; and a gate that
// reads them changes no byte outside the datagram, and none of a version. Whatever a packet holds once it is
// opened, its frames are bounded; and whatever a key log holds, a connection is read or waits, each packet
// once.

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

private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

/// Takes every packet for one that was sealed with the right keys.
private struct PlainCryptography: QUICCryptography {
    func authenticationCode(of data: [UInt8], key: [UInt8], _ hash: QUICHash) -> [UInt8] {
        zeros(hash == .sha256 ? 32 : 48)
    }
    func mask(of sample: [UInt8], key: [UInt8], _ cipher: QUICCipher) -> [UInt8] { zeros(5) }
    func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        header: [UInt8],
        _ cipher: QUICCipher
    ) -> [UInt8]? {
        sealed.count < 16 ? nil : sealed.dropLast(16)
    }
}

/// The secrets of a client whose random is 32 zeros or 32 of the byte 1.
private let secrets: String = ["00", "01"].flatMap { byte in
    [
        "CLIENT_EARLY_TRAFFIC_SECRET", "CLIENT_HANDSHAKE_TRAFFIC_SECRET",
        "SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0",
    ].map { label in
        let (random, secret) = (
            String(repeating: byte, count: 32), String(repeating: "02", count: 32)
        )
        return "\(label) \(random) \(secret)\n"
    }
}.joined()

/// Takes the input for datagrams of up to 255 bytes of both ends, and for a key log.
private func read(_ bytes: [UInt8]) {
    var (conversation, log) = (QUICConversation<Int>(), QUICKeyLog())
    log.append(bytes)
    require(log.count * 100 <= bytes.count, "a secret takes a line")
    let cryptography = PlainCryptography()
    var (place, number, sent, opened) = (0, 0, 0, 0)
    while place < bytes.count {
        let end = min(place + 1 + Int(bytes[place]), bytes.count)
        let datagram = Array(bytes[place + 1..<max(end, place + 1)])
        place = max(end, place + 1)
        sent += QUICPacketReader.packets(in: datagram).count
        for packet in conversation.take(
            datagram,
            isFromClient: number.isMultiple(of: 2),
            number,
            log,
            with: cryptography
        ) {
            require(packet.note <= number, "a packet is of a datagram that came")
            require(packet.frames.count <= 512, "frames are bounded")
            opened += 1
        }
        number += 1
        if number == 3 { log.append(secrets.utf8) }
    }
    opened += conversation.retry(log, with: cryptography).count
    conversation.finish()
    let unopened =
        conversation.unopened(fromClient: true) + conversation.unopened(fromClient: false)
    require(opened + Int(unopened) <= sent, "a packet is opened once")
}

fuzz { bytes in
    guard bytes.count <= 65_507 else { return }
    read(bytes)
    let frames = QUICFrameReader.frames(in: bytes)
    require(frames.count <= 512, "frames are bounded")
    require(!frames.dropLast().contains(.cut), "nothing follows what is cut")
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
