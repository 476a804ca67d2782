internal import CLibrary

/// Who listens on this machine, found out by a connect, which a server notices.
package enum ListeningPorts {
    /// Whether somebody listens on a TCP port, where connects to 127.0.0.1 arrive, or takes datagrams
    /// there.
    package static func contain(_ port: Int, datagrams: Bool = false) -> Bool {
        let address = SocketAddress.loopback(port: UInt16(clamping: port))
        return datagrams ? takesDatagrams(address) : acceptsConnections(address)
    }

    /// A process that listens and should not.
    package struct Stranger: Hashable, Sendable {
        package let number: Int
        /// Its short name, as `ps` has it.
        package let name: String
    }

    /// Nobody that is known: POSIX does not tell which process has a socket.
    package static func stranger(
        on port: Int,
        group: Int,
        mark: String?,
        datagrams: Bool = false
    ) -> Stranger? { nil }

    private static let patienceMilliseconds: CInt = 100

    private static func acceptsConnections(_ address: SocketAddress) -> Bool {
        guard let socket = try? Socket(like: address),
            let progress = try? socket.connect(to: address)
        else { return false }
        if progress == .connected { return true }
        var request = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&request, 1, patienceMilliseconds) > 0 && socket.takeError() == nil
    }

    /// A probe would reach the server as one more datagram; so its port is tried for a moment.
    private static func takesDatagrams(_ address: SocketAddress) -> Bool {
        do throws(SystemError) {
            _ = try DatagramSocket(on: address)
            return false
        } catch {
            return error == .addressInUse
        }
    }
}
