internal import SystemIO

/// What stands before the content of each datagram between a client and a SOCKS relay (RFC 1928 §7).
package struct RelayHeader: Hashable {
    package let destination: Destination
    /// Bytes before the content.
    package let length: Int

    /// Reads the header of a datagram; nil for a fragment, which a relay may drop, and for what is none.
    package init?(_ datagram: [UInt8]) {
        guard datagram.count > 3, datagram[..<3] == [0, 0, 0],
            let address = try? SOCKSAddress(datagram, at: 3),
            let destination = address.destination
        else { return nil }
        self.destination = destination
        length = address.end
    }

    /// The header of what a server sends.
    static func bytes(from server: SocketAddress) -> [UInt8] {
        [0, 0, 0] + SOCKSAddress.bytes(of: server)
    }
}
