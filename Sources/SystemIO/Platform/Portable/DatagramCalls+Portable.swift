internal import CLibrary
internal import CLibuv

typealias DatagramMessage = linkcond_message

/// Calls that move datagrams, one at a time.
enum DatagramCalls {
    /// Whether the kernel cuts what it is given into segments.
    static let takesSegments = false

    /// How many messages came; below 0 on an error.
    static func receive(
        _ descriptor: CInt,
        _ messages: UnsafeMutablePointer<DatagramMessage>,
        count: Int
    ) -> CInt {
        for number in 0..<count {
            let length = unsafe recvmsg(descriptor, &messages[number].msg_hdr, 0)
            // The system reports an error before any waiting datagram, so the first call sees it.
            // An error that arrives later is dropped: the next datagram causes another one.
            guard length >= 0 else { return number > 0 ? CInt(number) : -1 }
            unsafe messages[number].msg_len = UInt32(length)
        }
        return CInt(count)
    }

    /// How many messages were taken, from the first on; below 0 on an error of the first.
    static func send(
        _ descriptor: CInt,
        _ messages: UnsafeMutablePointer<DatagramMessage>,
        count: Int
    ) -> CInt {
        for number in 0..<count {
            let sent = unsafe sendmsg(descriptor, &messages[number].msg_hdr, SocketCalls.sending)
            guard sent >= 0 else { return number > 0 ? CInt(number) : -1 }
        }
        return CInt(count)
    }

    /// There is nothing more to ask for.
    static func askForMore(_ socket: borrowing Socket) {}

    /// Not known.
    static func dropped(by descriptor: CInt) -> UInt32? { nil }

    /// Says whether a datagram that is longer than the path allows leaves in fragments.
    ///
    /// For IPv4, POSIX has no such option: except on macOS, the system decides.
    static func setFragmented(_ isFragmented: Bool, isIPv6: Bool, _ socket: borrowing Socket) {
        if isIPv6 {
            socket.set(CInt(IPPROTO_IPV6), LINKCOND_IPV6_DONTFRAG, isFragmented ? 0 : 1)
        }
        #if canImport(Darwin)
            if !isIPv6 { socket.set(CInt(IPPROTO_IP), IP_DONTFRAG, isFragmented ? 0 : 1) }
        #endif
    }
}
