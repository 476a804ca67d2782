import QUICWire
import Testing

struct QUICPacketReaderTests {
    /// A long header with connection ids of 2 and 3 bytes, then what follows, then filler.
    private func long(_ first: UInt8, version: UInt32 = 1, rest: [UInt8]) -> [UInt8] {
        [first] + (0..<4).map { UInt8(truncatingIfNeeded: version >> (24 - 8 * $0)) }
            + [2, 1, 2, 3, 4, 5, 6] + rest
    }

    @Test func `an Initial with a token ends where its length says`() {
        // Token of 1 byte, length 0x4003 = 3 in two bytes, three bytes, and one that is beyond.
        let packet = long(0xC0, rest: [1, 9, 0x40, 3, 7, 7, 7])
        let packets = QUICPacketReader.packets(in: packet + [0x40, 1, 2])
        #expect(packets.map(\.type) == [.initial, .oneRTT])
        #expect(packets[0].range == 0..<packet.count)
        #expect(packets[0].hasToken && !packets[1].hasToken)
        let bare = QUICPacketReader.packets(in: long(0xC0, rest: [0, 1, 7]))
        #expect(bare.map(\.hasToken) == [false])
        #expect(Array(packets[0].destination) == [1, 2])
        #expect(Array(packets[0].source) == [4, 5, 6])
        #expect(packets[1].range == packet.count..<packet.count + 3)
    }

    @Test(
        arguments: [
            (UInt8(0xC0), QUICPacketType.initial, QUICPacketType.retry),
            (0xD0, .zeroRTT, .initial), (0xE0, .handshake, .zeroRTT), (0xF0, .retry, .handshake),
        ]
    )
    func `version 2 numbers the types anew`(
        first: UInt8,
        one: QUICPacketType,
        two: QUICPacketType
    ) {
        let rest: [UInt8] = [0, 2, 0, 0]
        #expect(QUICPacketReader.packets(in: long(first, rest: rest)).first?.type == one)
        let packet = long(first, version: QUICVersion.two, rest: rest)
        #expect(QUICPacketReader.packets(in: packet).first?.type == two)
    }

    @Test func `version negotiation takes the whole datagram`() {
        let packets = QUICPacketReader.packets(in: long(0x80, version: 0, rest: [0, 0, 0, 1]))
        #expect(packets.map(\.type) == [.versionNegotiation])
        #expect(packets[0].range == 0..<16)
    }

    @Test func `the fixed bit of a short header may be missing, but for padding`() {
        #expect(QUICPacketReader.packets(in: [0x00, 1, 2]).map(\.type) == [.oneRTT])
        let padded = long(0xE0, rest: [2, 1, 1]) + [0, 0, 0]
        #expect(QUICPacketReader.packets(in: padded).map(\.type) == [.handshake])
        let coalesced = long(0xE0, rest: [2, 1, 1]) + [0x01, 2, 3]
        #expect(QUICPacketReader.packets(in: coalesced).map(\.type) == [.handshake, .oneRTT])
    }

    @Test func `what cannot be understood is left out`() {
        #expect(QUICPacketReader.packets(in: []).isEmpty)
        #expect(QUICPacketReader.packets(in: long(0xC0, version: 77, rest: [0, 1, 1])).isEmpty)
        // Longer than the datagram.
        #expect(QUICPacketReader.packets(in: long(0xC0, rest: [0, 9, 1])).isEmpty)
        // Cut anywhere, it is no packet.
        let whole = long(0xE0, rest: [2, 1, 1])
        for length in 0..<whole.count {
            #expect(QUICPacketReader.packets(in: Array(whole[..<length])).isEmpty, "\(length)")
        }
    }

    @Test func `a client begins with an Initial of at least 1,200 bytes`() {
        let initial = long(0xC0, rest: [0, 0x44, 0x9E] + [UInt8](repeating: 0, count: 1_182))
        let start = initial + [UInt8](repeating: 0, count: max(0, 1_200 - initial.count))
        #expect(QUICPacketReader.isClientStart(start))
        #expect(!QUICPacketReader.isClientStart(Array(start.prefix(1_199))))
        #expect(!QUICPacketReader.isClientStart([UInt8](repeating: 0x40, count: 1_200)))
    }
}
