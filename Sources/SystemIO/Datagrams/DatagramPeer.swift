internal import CLibuv
internal import CLibrary

/// The address of a datagram's sender or receiver, without memory of its own.
package struct DatagramPeer: Hashable, Sendable {
    // The sixteen bytes of an IPv6 address; of an IPv4 address the last four.
    private let high: UInt64
    private let low: UInt64
    private let scope: UInt32
    package let port: UInt16
    package let isIPv6: Bool

    /// Nil for the address of a Unix socket.
    package init?(_ address: SocketAddress) {
        switch address {
        case .ipv4(let address, let port):
            self.init(high: 0, low: UInt64(address), scope: 0, port: port, isIPv6: false)
        case .ipv6(let bytes, let port, let scope):
            self.init(
                high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
                low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) },
                scope: scope,
                port: port,
                isIPv6: true
            )
        case .unix: return nil
        }
    }

    private init(high: UInt64, low: UInt64, scope: UInt32, port: UInt16, isIPv6: Bool) {
        self.high = high
        self.low = low
        self.scope = scope
        self.port = port
        self.isIPv6 = isIPv6
    }

    package var address: SocketAddress {
        guard isIPv6 else { return .ipv4(UInt32(truncatingIfNeeded: low), port: port) }
        let bytes = [high, low].flatMap { part in
            (0..<8).map { UInt8(truncatingIfNeeded: part >> (56 - 8 * $0)) }
        }
        return .ipv6(bytes, port: port, scope: scope)
    }

    /// From what a system call filled in; nil for another family.
    init?(_ storage: UnsafePointer<sockaddr_storage>) {
        let raw = unsafe UnsafeRawPointer(storage)
        switch unsafe CInt(storage.pointee.ss_family) {
        case AF_INET:
            let system = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            self.init(
                high: 0,
                low: UInt64(UInt32(bigEndian: system.sin_addr.s_addr)),
                scope: 0,
                port: UInt16(bigEndian: system.sin_port),
                isIPv6: false
            )
        case AF_INET6:
            let system = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
            let place = unsafe raw + 8
            self.init(
                high: UInt64(bigEndian: unsafe place.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: unsafe (place + 8).loadUnaligned(as: UInt64.self)),
                scope: system.sin6_scope_id,
                port: UInt16(bigEndian: system.sin6_port),
                isIPv6: true
            )
        default: return nil
        }
    }

    /// Writes it in the form that system calls take; returns its length.
    func write(to storage: UnsafeMutablePointer<sockaddr_storage>) -> socklen_t {
        let raw = UnsafeMutableRawPointer(storage)
        guard isIPv6 else {
            var system = sockaddr_in()
            system.sin_family = sa_family_t(AF_INET)
            system.sin_port = port.bigEndian
            system.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
            unsafe raw.storeBytes(of: system, as: sockaddr_in.self)
            return socklen_t(MemoryLayout<sockaddr_in>.size)
        }
        var system = sockaddr_in6()
        system.sin6_family = sa_family_t(AF_INET6)
        system.sin6_port = port.bigEndian
        system.sin6_scope_id = scope
        unsafe raw.storeBytes(of: system, as: sockaddr_in6.self)
        unsafe (raw + 8).storeBytes(of: high.bigEndian, as: UInt64.self)
        unsafe (raw + 16).storeBytes(of: low.bigEndian, as: UInt64.self)
        return socklen_t(MemoryLayout<sockaddr_in6>.size)
    }
}
