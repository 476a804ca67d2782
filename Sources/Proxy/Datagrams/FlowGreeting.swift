internal import Basics
internal import Journal
internal import QUICWire

/// What the first datagrams of a QUIC client show, gathered until its ClientHello is whole.
struct FlowGreeting {
    /// What is known so far.
    private(set) var report: QUICReport
    private var reader: QUICHelloReader
    private var datagrams = 0

    /// A ClientHello that is not whole after so many datagrams never will be.
    private static let patience = 8

    /// Nil for packets that begin no connection.
    init?(_ packets: [QUICPacket]) {
        guard let first = packets.first(where: { $0.type == .initial }) ?? packets.first,
            let version = first.version
        else { return nil }
        report = QUICReport(
            version: QUICVersion.text(version),
            destination: HexadecimalText.encode(first.destination),
            source: HexadecimalText.encode(first.source)
        )
        let keys = QUICInitialKeys(
            version: version,
            destination: first.destination,
            with: OpenSSLCryptography()
        )
        reader = QUICHelloReader(keys)
    }

    /// Takes the next datagram of the client.
    ///
    /// - Returns: what there is to tell, once no more will come.
    mutating func take(_ datagram: [UInt8]) -> QUICReport? {
        datagrams += 1
        let packets = QUICPacketReader.packets(in: datagram)
        if let hello = reader.take(datagram, packets, with: OpenSSLCryptography()) {
            report.serverName = hello.serverName
            report.protocols = hello.protocols
            report.idleMilliseconds = hello.idleMilliseconds
            return report
        }
        // After the handshake began there is nothing more to learn.
        let isOver = packets.contains { $0.type == .handshake || $0.type == .oneRTT }
        return isOver || datagrams >= Self.patience ? report : nil
    }
}
