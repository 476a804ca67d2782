internal import CLibrary
internal import CLibuv

typealias DatagramMessage = mmsghdr

/// Calls that move many datagrams at once, and what udp(7) and socket(7) offer besides.
enum DatagramCalls {
    /// Whether the kernel cuts what it is given into segments (`UDP_SEGMENT`).
    static let takesSegments = true

    /// How many messages came; below 0 on an error.
    static func receive(
        _ descriptor: CInt,
        _ messages: UnsafeMutablePointer<DatagramMessage>,
        count: Int
    ) -> CInt {
        unsafe recvmmsg(descriptor, messages, CUnsignedInt(count), CInt(MSG_DONTWAIT), nil)
    }

    /// How many messages were taken, from the first on; below 0 on an error of the first.
    static func send(
        _ descriptor: CInt,
        _ messages: UnsafeMutablePointer<DatagramMessage>,
        count: Int
    ) -> CInt {
        let flags = CInt(MSG_DONTWAIT) | SocketCalls.sending
        return unsafe sendmmsg(descriptor, messages, CUnsignedInt(count), flags)
    }

    /// Asks for a count of what the socket's own buffer dropped, and for datagrams put together.
    static func askForMore(_ socket: borrowing Socket) {
        socket.set(SOL_SOCKET, CInt(LINKCOND_REPORT_DROPS), 1)
        socket.set(CInt(IPPROTO_UDP), CInt(LINKCOND_UDP_GRO), 1)
    }

    /// How many datagrams a socket's full buffer has dropped so far; nil where the kernel does not tell.
    static func dropped(by descriptor: CInt) -> UInt32? {
        var dropped: UInt32 = 0
        return unsafe linkcond_dropped(descriptor, &dropped) == 0 ? dropped : nil
    }

    /// Says whether a datagram that is longer than the path allows leaves in fragments.
    static func setFragmented(_ isFragmented: Bool, isIPv6: Bool, _ socket: borrowing Socket) {
        if isIPv6 {
            let mode = isFragmented ? IPV6_PMTUDISC_WANT : IPV6_PMTUDISC_DO
            socket.set(CInt(IPPROTO_IPV6), IPV6_MTU_DISCOVER, mode)
        } else {
            let mode = isFragmented ? IP_PMTUDISC_WANT : IP_PMTUDISC_DO
            socket.set(CInt(IPPROTO_IP), IP_MTU_DISCOVER, mode)
        }
    }
}
