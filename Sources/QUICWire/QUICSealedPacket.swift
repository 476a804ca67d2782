/// A packet of a datagram by itself, as its sender protected it.
struct QUICSealedPacket {
    let type: QUICPacketType
    let version: UInt32?
    let destination: [UInt8]
    let sourceLength: Int
    let isFromClient: Bool
    let bytes: [UInt8]
    /// Nil for a short header, which does not say how long the connection id is.
    private let numberStart: Int?

    /// Nil for a packet that nothing protects.
    init?(_ packet: QUICPacket, of datagram: [UInt8], isFromClient: Bool) {
        guard packet.type == .oneRTT || packet.numberStart != nil else { return nil }
        type = packet.type
        version = packet.version
        destination = Array(packet.destination)
        sourceLength = packet.source.count
        self.isFromClient = isFromClient
        bytes = Array(datagram[packet.range])
        numberStart = packet.numberStart.map { $0 - packet.range.lowerBound }
    }

    /// Opens a packet with a long header; nil if the keys do not fit.
    func open(
        with keys: QUICPacketKeys,
        after largest: UInt64?,
        with cryptography: some QUICCryptography
    ) -> (number: UInt64, content: [UInt8])? {
        guard let numberStart,
            let header = keys.header(of: bytes, numberAt: numberStart, with: cryptography)
        else { return nil }
        let number = header.number(after: largest)
        return keys.frames(of: bytes, header, number: number, with: cryptography).map {
            (number, $0)
        }
    }
}

/// The keys of an end's 1-RTT packets, which the ends exchange from time to time (RFC 9001 §6).
struct QUICKeyGenerations {
    private var current: QUICPacketKeys
    private var previous: QUICPacketKeys?
    private var next: QUICPacketKeys?
    private var phase = false

    init(_ first: QUICPacketKeys) { current = first }

    /// Opens a packet with a short header; nil if no keys fit.
    mutating func open(
        _ packet: [UInt8],
        numberAt start: Int,
        after largest: UInt64?,
        with cryptography: some QUICCryptography
    ) -> (number: UInt64, content: [UInt8])? {
        guard let header = current.header(of: packet, numberAt: start, with: cryptography) else {
            return nil
        }
        let number = header.number(after: largest)
        func content(_ keys: QUICPacketKeys) -> [UInt8]? {
            keys.frames(of: packet, header, number: number, with: cryptography)
        }
        guard header.keyPhase != phase else { return content(current).map { (number, $0) } }
        let following = next ?? current.next(with: cryptography)
        next = following
        if let content = content(following) {
            (previous, current, next, phase) = (current, following, nil, !phase)
            return (number, content)
        }
        return previous.flatMap(content).map { (number, $0) }
    }
}

/// Each numbers its packets by itself (RFC 9000 §12.3).
enum QUICNumberSpace: Hashable {
    case initial, handshake, application
}

extension QUICPacketType {
    var numberSpace: QUICNumberSpace {
        switch self {
        case .initial: .initial
        case .handshake: .handshake
        case .zeroRTT, .oneRTT, .retry, .versionNegotiation: .application
        }
    }
}
