/// Reads whom a client wants to reach from its first packets: the name and the protocols of its TLS
/// ClientHello (RFC 8446 §4.1.2), which may stretch over several datagrams.
package struct QUICHelloReader: Sendable {
    package struct Hello: Hashable, Sendable {
        /// Of the extension `server_name` (RFC 6066 §3).
        package var serverName: String?
        /// Of the extension ALPN (RFC 7301 §3.1), such as `h3`.
        package var protocols: [String] = []

        package init() {}
    }

    private let keys: QUICInitialKeys
    /// What the CRYPTO frames held, by offset; what is missing is nil.
    private var stream: [UInt8?] = []

    /// A ClientHello has some 300 to 2,000 bytes.
    private static let limit = 16_384

    package init(_ keys: QUICInitialKeys) { self.keys = keys }

    /// Takes a datagram of the client; returns the hello once it is whole.
    package mutating func take(
        _ datagram: [UInt8],
        _ packets: [QUICPacket],
        with cryptography: some QUICCryptography
    ) -> Hello? {
        for packet in packets where packet.type == .initial {
            if let frames = keys.frames(of: packet, in: datagram, with: cryptography) {
                take(frames)
            }
        }
        return hello
    }

    /// Gathers the CRYPTO frames (RFC 9000 §19.6); an Initial has PADDING, PING, ACK and
    /// CONNECTION_CLOSE besides (§17.2.2).
    private mutating func take(_ frames: [UInt8]) {
        var reader = ByteReader(frames, at: 0)
        while let type = reader.variable() {
            switch type {
            case 0, 1: continue
            case 2, 3:
                guard reader.variable() != nil, reader.variable() != nil,
                    let ranges = reader.variable(), reader.variable() != nil
                else { return }
                let numbers = min(ranges, 1_000) * 2 + (type == 3 ? 3 : 0)
                for _ in 0..<numbers where reader.variable() == nil { return }
            case 6:
                guard let offset = reader.variable(), let length = reader.variable(),
                    offset <= UInt64(Self.limit), length <= UInt64(Self.limit),
                    let bytes = reader.take(Int(length))
                else { return }
                keep(bytes, at: Int(offset))
            default: return
            }
        }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>, at offset: Int) {
        let end = min(offset + bytes.count, Self.limit)
        guard offset < end else { return }
        if stream.count < end {
            stream += [UInt8?](repeating: nil, count: end - stream.count)
        }
        for (place, byte) in zip(offset..<end, bytes) { stream[place] = byte }
    }

    /// Nil as long as a part is missing.
    private var hello: Hello? {
        let head = stream.prefix(4).compactMap { $0 }
        guard head.count == 4, head[0] == 1 else { return nil }
        let length = head[1...].reduce(0) { $0 << 8 | Int($1) }
        let body = stream.dropFirst(4).prefix(length)
        let known = body.compactMap { $0 }
        guard body.count == length, known.count == length else { return nil }
        return Self.parse(known)
    }

    private static func parse(_ body: [UInt8]) -> Hello? {
        var reader = ByteReader(body, at: 0)
        // Version and random, session id, cipher suites, compression methods.
        guard reader.take(34) != nil, reader.counted() != nil,
            let suites = reader.integer(bytes: 2), reader.take(Int(suites)) != nil,
            reader.counted() != nil, let total = reader.integer(bytes: 2),
            let extensions = reader.take(Int(total))
        else { return nil }
        var hello = Hello()
        var list = ByteReader(Array(extensions), at: 0)
        while let type = list.integer(bytes: 2), let length = list.integer(bytes: 2),
            let content = list.take(Int(length))
        {
            switch type {
            case 0: hello.serverName = serverName(Array(content))
            case 16: hello.protocols = protocols(Array(content))
            default: break
            }
        }
        return hello
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
