internal import SystemIO

/// Kind, host and port, as every message of SOCKS has them (RFC 1928 §5).
struct SOCKSAddress: Hashable {
    /// A name in small letters, or an address without brackets; nil for what is no name.
    let host: String?
    let port: UInt16
    /// Where it ends in the bytes that it was read from.
    let end: Int

    enum Problem: Error {
        case incomplete
        case unknownKind
    }

    /// The kinds of hosts.
    private static let ipv4: UInt8 = 1
    private static let name: UInt8 = 3
    private static let ipv6: UInt8 = 4

    /// Reads one that begins at a place.
    init(_ bytes: [UInt8], at start: Int) throws(Problem) {
        guard bytes.count > start + 1 else { throw .incomplete }
        let hostStart: Int
        let hostEnd: Int
        switch bytes[start] {
        case Self.ipv4: (hostStart, hostEnd) = (start + 1, start + 5)
        case Self.name: (hostStart, hostEnd) = (start + 2, start + 2 + Int(bytes[start + 1]))
        case Self.ipv6: (hostStart, hostEnd) = (start + 1, start + 17)
        default: throw .unknownKind
        }
        end = hostEnd + 2
        guard bytes.count >= end else { throw .incomplete }
        host = Self.host(bytes[hostStart..<hostEnd], kind: bytes[start])
        port = UInt16(bytes[hostEnd]) << 8 | UInt16(bytes[hostEnd + 1])
    }

    /// A server that can be connected to; nil for none.
    var destination: Destination? {
        guard let host, port > 0 else { return nil }
        return Destination(host: host, port: port)
    }

    private static func host(_ bytes: ArraySlice<UInt8>, kind: UInt8) -> String? {
        switch kind {
        case ipv4: return bytes.map(String.init).joined(separator: ".")
        case ipv6:
            guard case .tcp(let host, _) = Endpoint(.ipv6(Array(bytes), port: 1, scope: 0)) else {
                return nil
            }
            return host
        default:
            guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
            return String(decoding: bytes, as: UTF8.self).lowercased()
        }
    }

    /// A server as it is written: by its address, or by its name, of at most 255 bytes.
    static func bytes(of server: Destination) -> [UInt8] {
        if let address = server.endpoint.numericAddress { return bytes(of: address) }
        let host = server.host.utf8.prefix(255)
        return [name, UInt8(host.count)] + host + bytes(server.port)
    }

    /// An address as it is written; one without meaning for a path.
    static func bytes(of address: SocketAddress) -> [UInt8] {
        let host = address.hostBytes
        switch host.count {
        case 4: return [ipv4] + host + bytes(address.port ?? 0)
        case 16: return [ipv6] + host + bytes(address.port ?? 0)
        default: return [ipv4, 0, 0, 0, 0, 0, 0]
        }
    }

    private static func bytes(_ port: UInt16) -> [UInt8] { [UInt8(port >> 8), UInt8(port & 0xFF)] }
}
