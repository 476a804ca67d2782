internal import CLibuv
internal import CLibrary

/// Where a socket is bound or connected.
package enum SocketAddress: Hashable, Sendable {
    /// The address in the machine's byte order, 127.0.0.1 being 0x7F00_0001.
    case ipv4(UInt32, port: UInt16)
    /// The sixteen bytes in network order; the scope is an interface's index or 0.
    case ipv6([UInt8], port: UInt16, scope: UInt32)
    /// The path of a socket in the file system.
    case unix(String)

    /// Longest path of a Unix socket, in bytes (the kernel keeps one for the closing zero).
    package static var maximumPathBytes: Int { Int(LINKCOND_PATH_SIZE) - 1 }

    package static func loopback(port: UInt16) -> SocketAddress {
        .ipv4(0x7F00_0001, port: port)
    }

    package static func ipv6Loopback(port: UInt16) -> SocketAddress {
        .ipv6(ipv6Loopback, port: port, scope: 0)
    }

    /// Every address of the machine.
    package static func ipv6Wildcard(port: UInt16) -> SocketAddress {
        .ipv6(Array(repeating: 0, count: 16), port: port, scope: 0)
    }

    /// From a numeric address such as `127.0.0.1`, `::1` or `fe80::1%eth0`; nil for a name.
    package init?(numericHost host: String, port: UInt16) {
        var ipv4 = sockaddr_in()
        if unsafe uv_ip4_addr(host, CInt(port), &ipv4) == 0 {
            self = .ipv4(UInt32(bigEndian: ipv4.sin_addr.s_addr), port: port)
            return
        }
        var ipv6 = sockaddr_in6()
        guard unsafe uv_ip6_addr(host, CInt(port), &ipv6) == 0 else { return nil }
        self = .ipv6(bytes(of: ipv6.sin6_addr), port: port, scope: ipv6.sin6_scope_id)
    }

    package var port: UInt16? {
        switch self {
        case .ipv4(_, let port), .ipv6(_, let port, _): port
        case .unix: nil
        }
    }

    /// The address without its port and without brackets; the path of a Unix socket.
    package var host: String {
        switch self {
        case .ipv4: String(description.prefix { $0 != ":" })
        case .ipv6(let bytes, _, _): ipv6Text(bytes)
        case .unix(let path): path
        }
    }

    package func with(port: UInt16) -> SocketAddress {
        switch self {
        case .ipv4(let address, _): .ipv4(address, port: port)
        case .ipv6(let address, _, let scope): .ipv6(address, port: port, scope: scope)
        case .unix: self
        }
    }

    /// Whether only this machine can reach the address.
    package var isLoopback: Bool {
        switch self {
        case .ipv4(let address, _): address >> 24 == 127
        case .ipv6(let bytes, _, _):
            bytes == Self.ipv6Loopback || bytes.starts(with: Self.mappedPrefix + [127])
        case .unix: true
        }
    }

    /// The same place in its plainest form: an IPv4 address that is written as IPv6 becomes one,
    /// a scope is left out, and the path of a socket file is followed to the file itself.
    package var canonical: SocketAddress {
        switch self {
        case .ipv4: return self
        case .ipv6(let bytes, let port, _):
            guard bytes.starts(with: Self.mappedPrefix) else {
                return .ipv6(bytes, port: port, scope: 0)
            }
            let address = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return .ipv4(address, port: port)
        case .unix(let path):
            guard let real = unsafe realpath(path, nil) else { return self }
            defer { unsafe free(real) }
            return unsafe .unix(String(cString: real))
        }
    }

    /// Whether the address means every address of the machine.
    package var isWildcard: Bool {
        switch self {
        case .ipv4(let address, _): address == 0
        case .ipv6(let bytes, _, _): bytes.allSatisfy { $0 == 0 }
        case .unix: false
        }
    }

    package var isUnix: Bool {
        if case .unix = self { return true }
        return false
    }

    private static let ipv6Loopback: [UInt8] = Array(repeating: 0, count: 15) + [1]
    private static let mappedPrefix: [UInt8] = Array(repeating: 0, count: 10) + [255, 255]

    var family: CInt {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// As people write it: `127.0.0.1:80`, `[::1]:80`, `unix:/run/app.sock`.
    package var description: String {
        switch self {
        case .ipv4(let address, let port):
            "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255):\(port)"
        case .ipv6(let bytes, let port, _): "[\(ipv6Text(bytes))]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

// The forms of the C library.

extension SocketAddress {
    /// Lends the address in the form that system calls take.
    func withSystemAddress<Value>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        switch self {
        case .ipv4(let address, let port):
            var system = sockaddr_in()
            system.sin_family = sa_family_t(AF_INET)
            system.sin_port = port.bigEndian
            system.sin_addr.s_addr = address.bigEndian
            return unsafe lend(&system, body)
        case .ipv6(let bytes, let port, let scope):
            var system = sockaddr_in6()
            system.sin6_family = sa_family_t(AF_INET6)
            system.sin6_port = port.bigEndian
            system.sin6_scope_id = scope
            unsafe withUnsafeMutableBytes(of: &system.sin6_addr) {
                unsafe $0.copyBytes(from: bytes)
            }
            return unsafe lend(&system, body)
        case .unix(let path):
            var system = sockaddr_un()
            system.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &system.sun_path) {
                unsafe $0.copyBytes(from: path.utf8.prefix(Self.maximumPathBytes))
            }
            return unsafe lend(&system, body)
        }
    }

    /// From what a system call filled in; nil for a family that is none of ours.
    init?(_ storage: sockaddr_storage, length: socklen_t) {
        var storage = storage
        let address = unsafe withUnsafeBytes(of: &storage) { raw -> SocketAddress? in
            unsafe Self.decode(raw, length: Int(length))
        }
        guard let address else { return nil }
        self = address
    }

    static func decode(_ raw: UnsafeRawBufferPointer, length: Int) -> SocketAddress? {
        let place = Int(LINKCOND_FAMILY_PLACE)
        guard length >= place + MemoryLayout<sa_family_t>.size else { return nil }
        switch unsafe CInt(raw.loadUnaligned(fromByteOffset: place, as: sa_family_t.self)) {
        case AF_INET:
            let system = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            return .ipv4(
                UInt32(bigEndian: system.sin_addr.s_addr),
                port: UInt16(bigEndian: system.sin_port)
            )
        case AF_INET6:
            let system = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
            return .ipv6(
                bytes(of: system.sin6_addr),
                port: UInt16(bigEndian: system.sin6_port),
                scope: system.sin6_scope_id
            )
        case AF_UNIX:
            let path = unsafe raw[min(Int(LINKCOND_PATH_PLACE), length)..<length].prefix { $0 != 0 }
            return unsafe .unix(String(decoding: path, as: UTF8.self))
        default: return nil
        }
    }
}

private func lend<System, Value>(
    _ system: inout System,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
) -> Value {
    unsafe withUnsafePointer(to: &system) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<System>.size))
        }
    }
}

private func bytes(of address: in6_addr) -> [UInt8] {
    var address = address
    return unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }
}

private func ipv6Text(_ bytes: [UInt8]) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
        let status = unsafe bytes.withUnsafeBytes {
            unsafe uv_inet_ntop(AF_INET6, $0.baseAddress, text.baseAddress, text.count)
        }
        guard status == 0, let start = text.baseAddress else { return "?" }
        return unsafe String(cString: start)
    }
}
