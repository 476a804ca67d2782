internal import CLibuv
internal import Glibc

/// Room for the datagrams that one call takes from a socket, or gives to one.
///
/// One is enough for a whole program: what it holds is gone with the next `receive`.
@safe
package final class DatagramBatch {
    /// How many datagrams fit in.
    package static let capacity = 64
    /// The longest datagram: 65,535 bytes less the headers of IPv4 and UDP.
    package static let maximumPayload = 65_507

    private static let slotBytes = 65_536

    private let messages: UnsafeMutablePointer<mmsghdr>
    private let vectors: UnsafeMutablePointer<iovec>
    private let names: UnsafeMutablePointer<sockaddr_storage>
    private let controls: UnsafeMutableRawPointer
    private let payloads: UnsafeMutableRawPointer
    private var arrivals = [Arrival](repeating: Arrival(), count: capacity)

    /// What is known of a datagram besides its bytes.
    package struct Arrival: Hashable, Sendable {
        package fileprivate(set) var length = 0
        /// Nil where the socket has one peer, or the system named none.
        package fileprivate(set) var sender: DatagramPeer?
        /// The ECN field of its IP header (RFC 3168 §5), 0 to 3.
        package fileprivate(set) var ecn: UInt8 = 0
        /// Of each datagram that the kernel has put together here; 0 for one alone.
        package fileprivate(set) var segmentLength = 0
    }

    private var dropped: UInt32?

    package init() {
        unsafe messages = .allocate(capacity: Self.capacity)
        unsafe vectors = .allocate(capacity: Self.capacity)
        unsafe names = .allocate(capacity: Self.capacity)
        unsafe controls = .allocate(
            byteCount: Self.capacity * Int(LINKCOND_CONTROL_SPACE),
            alignment: 16
        )
        // Untouched pages cost nothing, and most datagrams touch one.
        unsafe payloads = .allocate(byteCount: Self.capacity * Self.slotBytes, alignment: 4_096)
        for slot in 0..<Self.capacity {
            unsafe messages[slot] = mmsghdr()
            unsafe vectors[slot] = iovec(
                iov_base: payloads + slot * Self.slotBytes,
                iov_len: Self.slotBytes
            )
        }
    }

    deinit {
        unsafe messages.deallocate()
        unsafe vectors.deallocate()
        unsafe names.deallocate()
        unsafe controls.deallocate()
        unsafe payloads.deallocate()
    }

    /// What came at a place of the latest `receive`.
    package subscript(place: Int) -> Arrival { arrivals[place] }

    /// How many datagrams the socket of the latest `receive` had dropped by then because its buffer was
    /// full; nil if it did not tell.
    package func takeDropped() -> UInt32? { dropped.take() }

    /// A copy of a datagram, or of one segment of several that came together.
    package func bytes(at place: Int, from start: Int = 0, count: Int? = nil) -> [UInt8] {
        let length = count ?? arrivals[place].length - start
        precondition(start >= 0 && length >= 0 && start + length <= Self.slotBytes)
        let begin = unsafe payloads + place * Self.slotBytes + start
        return unsafe Array(UnsafeRawBufferPointer(start: begin, count: length))
    }

    /// Takes the datagrams that wait.
    ///
    /// - Returns: how many came, from place 0 on; 0 if none wait.
    /// - Throws: an error that waits on the socket, such as "connection refused" from the network.
    package func receive(
        from socket: borrowing DatagramSocket
    ) throws(SystemError) -> Int {
        for slot in 0..<Self.capacity { prepareToReceive(slot) }
        let count = unsafe recvmmsg(
            socket.descriptor,
            messages,
            CUnsignedInt(Self.capacity),
            CInt(MSG_DONTWAIT),
            nil
        )
        guard count >= 0 else {
            let error = SystemError.last
            if error.code == EAGAIN || error.code == EINTR { return 0 }
            throw error
        }
        dropped = nil
        for slot in 0..<Int(count) { note(slot) }
        return Int(count)
    }

    private func prepareToReceive(_ slot: Int) {
        unsafe vectors[slot].iov_len = Self.slotBytes
        unsafe messages[slot].msg_hdr = msghdr(
            msg_name: names + slot,
            msg_namelen: socklen_t(MemoryLayout<sockaddr_storage>.size),
            msg_iov: vectors + slot,
            msg_iovlen: 1,
            msg_control: controls + slot * Int(LINKCOND_CONTROL_SPACE),
            msg_controllen: Int(LINKCOND_CONTROL_SPACE),
            msg_flags: 0
        )
    }

    private func note(_ slot: Int) {
        let control = unsafe linkcond_read_control(&messages[slot].msg_hdr)
        let hasName = unsafe messages[slot].msg_hdr.msg_namelen > 0
        arrivals[slot] = Arrival(
            length: unsafe Int(messages[slot].msg_len),
            sender: hasName ? unsafe DatagramPeer(names + slot) : nil,
            ecn: UInt8(control.ecn),
            segmentLength: Int(control.segment)
        )
        if control.dropped != 0 { dropped = control.dropped }
    }

    // Sending.

    /// Sends what came at these places as it is, ECN bits and segments too.
    ///
    /// - Parameters:
    ///   - places: of the latest `receive`.
    ///   - socket: through which they leave.
    ///   - peer: where to; nil for the socket's only peer.
    /// - Returns: how many the kernel took; fewer than asked for if its buffer is full or it failed.
    package func relay(
        _ places: Range<Int>,
        through socket: borrowing DatagramSocket,
        to peer: DatagramPeer? = nil
    ) -> Int {
        guard let first = places.first else { return 0 }
        let name = unsafe peer == nil ? nil : names + first
        let length = unsafe write(peer, to: name)
        for slot in places {
            let arrival = arrivals[slot]
            unsafe vectors[slot].iov_len = arrival.length
            let segment =
                arrival.segmentLength > 0 && arrival.segmentLength < arrival.length
                ? arrival.segmentLength : 0
            unsafe prepareToSend(
                slot,
                to: name,
                length,
                ecn: arrival.ecn,
                segment: segment,
                isIPv6: socket.isIPv6
            )
        }
        return flush(places, through: socket)
    }

    /// Sends one datagram.
    ///
    /// - Returns: whether the kernel took it.
    package func send(
        _ bytes: [UInt8],
        ecn: UInt8,
        through socket: borrowing DatagramSocket,
        to peer: DatagramPeer? = nil
    ) -> Bool {
        precondition(bytes.count <= Self.maximumPayload)
        unsafe bytes.withUnsafeBytes {
            guard let start = $0.baseAddress else { return }
            unsafe payloads.copyMemory(from: start, byteCount: $0.count)
        }
        let name = unsafe peer == nil ? nil : names
        let length = unsafe write(peer, to: name)
        unsafe vectors[0].iov_len = bytes.count
        unsafe prepareToSend(
            0,
            to: name,
            length,
            ecn: ecn,
            segment: 0,
            isIPv6: socket.isIPv6
        )
        return flush(0..<1, through: socket) == 1
    }

    private func write(
        _ peer: DatagramPeer?,
        to name: UnsafeMutablePointer<sockaddr_storage>?
    ) -> socklen_t {
        guard let peer, let name = unsafe name else { return 0 }
        return unsafe peer.write(to: name)
    }

    private func prepareToSend(
        _ slot: Int,
        to name: UnsafeMutablePointer<sockaddr_storage>?,
        _ nameLength: socklen_t,
        ecn: UInt8,
        segment: Int,
        isIPv6: Bool
    ) {
        unsafe messages[slot].msg_hdr = msghdr(
            msg_name: name,
            msg_namelen: nameLength,
            msg_iov: vectors + slot,
            msg_iovlen: 1,
            msg_control: nil,
            msg_controllen: 0,
            msg_flags: 0
        )
        guard ecn != 0 || segment != 0 else { return }
        unsafe linkcond_write_control(
            &messages[slot].msg_hdr,
            controls + slot * Int(LINKCOND_CONTROL_SPACE),
            isIPv6 ? 1 : 0,
            CUnsignedInt(ecn),
            CUnsignedInt(segment)
        )
    }

    private func flush(
        _ places: Range<Int>,
        through socket: borrowing DatagramSocket
    ) -> Int {
        var sent = 0
        while sent < places.count {
            let count = unsafe sendmmsg(
                socket.descriptor,
                messages + places.lowerBound + sent,
                CUnsignedInt(places.count - sent),
                CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
            )
            if count > 0 {
                sent += Int(count)
                continue
            }
            // An error of an earlier datagram that the network sent back says nothing of this one.
            guard SystemError.last == .connectionRefused else { break }
        }
        return sent
    }
}
