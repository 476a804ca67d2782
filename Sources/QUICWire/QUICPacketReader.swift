/// Takes the packets of a datagram apart, coalesced ones too (RFC 9000 §12.2).
package enum QUICPacketReader {
    /// Whether a client could begin a connection with this datagram: a long header of a version that is
    /// known, and its length a possible one (RFC 9000 §14.1).
    package static func isClientStart(_ datagram: [UInt8]) -> Bool {
        guard datagram.count >= 1_200 else { return false }
        return packets(in: datagram).first.map { $0.type == .initial || $0.type == .zeroRTT }
            ?? false
    }

    /// The packets of a datagram of a QUIC connection, in their order.
    ///
    /// What follows the last packet that can be understood is left out; nothing can be empty.
    package static func packets(in datagram: [UInt8]) -> [QUICPacket] {
        var packets: [QUICPacket] = []
        var start = 0
        while start < datagram.count, packets.count < 16 {
            guard let packet = packet(in: datagram, at: start) else { break }
            packets.append(packet)
            start = packet.range.upperBound
        }
        return packets
    }

    private static func packet(in datagram: [UInt8], at start: Int) -> QUICPacket? {
        guard datagram[start] & 0x80 != 0 else { return shortHeader(datagram, at: start) }
        var reader = ByteReader(datagram, at: start + 1)
        guard let version = reader.integer(bytes: 4).map({ UInt32(truncatingIfNeeded: $0) }),
            let destination = reader.counted(), let source = reader.counted()
        else { return nil }
        var hasToken = false
        var numberStart: Int?
        func packet(_ type: QUICPacketType, upTo end: Int) -> QUICPacket {
            QUICPacket(
                type: type,
                version: version,
                destination: destination,
                source: source,
                hasToken: hasToken,
                numberStart: numberStart,
                range: start..<end
            )
        }
        if version == 0 { return packet(.versionNegotiation, upTo: datagram.count) }
        guard QUICVersion.isKnown(version), destination.count <= 20, source.count <= 20 else {
            return nil
        }
        let type = longType(datagram[start], version)
        if type == .retry { return packet(.retry, upTo: datagram.count) }
        if type == .initial {
            guard let token = reader.variable(), reader.skip(token) else { return nil }
            hasToken = token > 0
        }
        guard let length = reader.variable(), length <= UInt64(datagram.count - reader.position)
        else { return nil }
        numberStart = reader.position
        return packet(type, upTo: reader.position + Int(length))
    }

    /// A short header says nothing of its length: it is the last one (RFC 9000 §12.2).
    ///
    /// Peers may agree to send the fixed bit as they like (RFC 9287); after another packet zeros are
    /// padding.
    private static func shortHeader(_ datagram: [UInt8], at start: Int) -> QUICPacket? {
        guard
            start == 0 || datagram[start] & 0x40 != 0
                || datagram[start...].contains(where: { $0 != 0 })
        else { return nil }
        return QUICPacket(
            type: .oneRTT,
            version: nil,
            destination: [],
            source: [],
            range: start..<datagram.count
        )
    }

    /// Version 2 numbers the types anew (RFC 9369 §3.2).
    private static func longType(_ first: UInt8, _ version: UInt32) -> QUICPacketType {
        let types: [QUICPacketType] =
            version == QUICVersion.two
            ? [.retry, .initial, .zeroRTT, .handshake] : [.initial, .zeroRTT, .handshake, .retry]
        return types[Int(first >> 4 & 3)]
    }
}
