package import SystemIO

/// Where to listen.
package enum ListenPlace: Hashable, Sendable {
    case address(SocketAddress)
    /// 127.0.0.1 and ::1, by a socket each.
    case loopback(port: UInt16)
    /// Every address of the machine, by one socket for both families.
    case everywhere(port: UInt16)

    package var port: UInt16? {
        switch self {
        case .address(let address): address.port
        case .loopback(let port), .everywhere(let port): port
        }
    }
}

extension ListenPlace: CustomStringConvertible {
    /// The address that a listener here shows; port 0 if it takes a free one.
    package var description: String {
        switch self {
        case .address(let address): address.description
        case .loopback(let port): SocketAddress.loopback(port: port).description
        case .everywhere(let port): SocketAddress.ipv6Wildcard(port: port).description
        }
    }
}

/// A socket that is bound and listens, and that no proxy accepts from yet.
///
/// So several can be had before the first one is used.
package final class BoundListener {
    /// With the port that was found; of two addresses the IPv4 one.
    package let address: SocketAddress
    /// Listens at the same port of ::1; nil if one socket is enough.
    package private(set) var twin: BoundListener?
    /// Whether an IPv6 wildcard takes IPv4 connections, too.
    let servesBothFamilies: Bool
    private var socket: ListeningSocket?

    /// - Throws: what the system reports, such as "address already in use".
    package init(
        on address: SocketAddress,
        servesBothFamilies: Bool = false
    ) throws(SystemError) {
        let socket = try ListeningSocket(
            on: address,
            isPrivate: true,
            servesBothFamilies: servesBothFamilies
        )
        self.address = socket.address ?? address
        self.servesBothFamilies = servesBothFamilies
        self.socket = consume socket
    }

    /// Binds whatever it takes to listen at a place; IPv4 alone where the machine has no IPv6.
    ///
    /// - Throws: what the system reports, such as "address already in use".
    package static func bind(at place: ListenPlace) throws(SystemError) -> BoundListener {
        switch place {
        case .address(let address): return try BoundListener(on: address)
        case .loopback(let port): return try bothLoopbacks(port: port)
        case .everywhere(let port):
            do throws(SystemError) {
                return try BoundListener(on: .ipv6Wildcard(port: port), servesBothFamilies: true)
            } catch {
                guard error.lacksAddressFamily else { throw error }
                return try BoundListener(on: .ipv4(0, port: port))
            }
        }
    }

    /// A free port of one family may be taken in the other one; then another one is tried.
    private static func bothLoopbacks(port: UInt16) throws(SystemError) -> BoundListener {
        var failure = SystemError.addressInUse
        for _ in 0..<(port == 0 ? 16 : 1) {
            let listener = try BoundListener(on: .loopback(port: port))
            let found = listener.address.port ?? port
            do throws(SystemError) {
                listener.twin = try BoundListener(on: .ipv6Loopback(port: found))
                return listener
            } catch {
                if error.lacksAddressFamily { return listener }
                failure = error
            }
        }
        throw failure
    }

    /// Where to listen to have the same again.
    package var place: ListenPlace {
        guard let port = address.port else { return .address(address) }
        if twin != nil { return .loopback(port: port) }
        return servesBothFamilies ? .everywhere(port: port) : .address(address)
    }

    /// Every address that it was bound to.
    package var addresses: [SocketAddress] { [address] + (twin.map { [$0.address] } ?? []) }

    /// Gives the address back, if no one has taken the socket.
    package func close() {
        var left = socket.take()
        left?.close()
        twin?.close()
    }

    /// Hands over the socket without its twin's; nil if that was done before.
    package func takeSocket() -> ListeningSocket? { socket.take() }
}
