/// Reads whom a client wants to reach from its first packets: the name and the protocols of its TLS
/// ClientHello (RFC 8446 §4.1.2), which may stretch over several datagrams.
package struct QUICHelloReader: Sendable {
    package struct Hello: Hashable, Sendable {
        /// What tells the connection's secrets from those of others.
        package var random: [UInt8] = []
        /// Of the extension `server_name` (RFC 6066 §3).
        package var serverName: String?
        /// Of the extension ALPN (RFC 7301 §3.1), such as `h3`.
        package var protocols: [String] = []
        /// Without anything for so long the client ends the connection (RFC 9000 §10.1); nil for never.
        package var idleMilliseconds: UInt64?

        package init() {}
    }

    private let keys: QUICInitialKeys
    private var stream = QUICHandshakeStream()

    package init(_ keys: QUICInitialKeys) { self.keys = keys }

    /// Takes a datagram of the client; returns the hello once it is whole.
    package mutating func take(
        _ datagram: [UInt8],
        _ packets: [QUICPacket],
        with cryptography: some QUICCryptography
    ) -> Hello? {
        for packet in packets where packet.type == .initial {
            let bytes = Array(datagram[packet.range])
            guard let start = packet.numberStart,
                let header = keys.client.header(
                    of: bytes,
                    numberAt: start - packet.range.lowerBound,
                    with: cryptography
                ),
                let frames = keys.client.frames(
                    of: bytes,
                    header,
                    number: header.number(after: nil),
                    with: cryptography
                )
            else { continue }
            stream.take(QUICFrameReader.frames(in: frames))
        }
        return Hello(stream)
    }
}

extension QUICHelloReader.Hello {
    /// Nil as long as a part is missing.
    init?(_ stream: QUICHandshakeStream) {
        guard let body = stream.first(ofType: 1) else { return nil }
        var reader = ByteReader(body, at: 0)
        // Version and random, session id, cipher suites, compression methods.
        guard reader.take(2) != nil, let random = reader.take(32), reader.counted() != nil,
            let suites = reader.integer(bytes: 2), reader.take(Int(suites)) != nil,
            reader.counted() != nil, var extensions = QUICExtensions(reader)
        else { return nil }
        self.random = Array(random)
        while let (type, content) = extensions.next() {
            switch type {
            case 0: serverName = Self.serverName(content)
            case 16: protocols = Self.protocols(content)
            case QUICExtensions.transportParameters:
                idleMilliseconds = QUICExtensions.idleMilliseconds(content)
            default: break
            }
        }
    }

    private static func serverName(_ content: [UInt8]) -> String? {
        var reader = ByteReader(content, at: 0)
        // The length of the list, then the type `host_name`.
        guard reader.integer(bytes: 2) != nil, reader.integer(bytes: 1) == 0,
            let length = reader.integer(bytes: 2), let name = reader.take(Int(length))
        else { return nil }
        return String(validating: name, as: UTF8.self)
    }

    private static func protocols(_ content: [UInt8]) -> [String] {
        var reader = ByteReader(content, at: 0)
        guard reader.integer(bytes: 2) != nil else { return [] }
        var names: [String] = []
        while let name = reader.counted(), !name.isEmpty {
            if let text = String(validating: name, as: UTF8.self) { names.append(text) }
        }
        return names
    }
}
