internal import CLibuv
internal import CLibrary

/// Room for the datagrams that one call takes from a socket, or gives to one.
///
/// One is enough for a whole program: what it holds is gone with the next `receive`.
@safe
package final class DatagramBatch {
    /// How many datagrams fit in.
    package static let capacity = 64
    /// The longest datagram, of IPv6: 65,535 bytes less the header of UDP.
    ///
    /// IPv4 takes 20 bytes less.
    package static let maximumPayload = 65_527

    /// The most bytes that a place holds.
    package static let slotBytes = 65_536
    /// What the kernel takes at most as segments of one call.
    private static let trainBytes = 65_507
    /// Datagrams that the kernel takes as segments of one call (`UDP_MAX_SEGMENTS`).
    private static let segmentLimit = 64

    private let messages: UnsafeMutablePointer<DatagramMessage>
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

        /// How many datagrams these are.
        package var count: Int {
            segmentLength > 0 ? max(1, (length + segmentLength - 1) / segmentLength) : 1
        }
    }

    private var dropped: UInt32?
    /// Places, from the first, that are not as `receive` needs them.
    private var used = capacity

    /// Datagrams that the kernel did not take.
    package struct Untaken: Hashable, Sendable {
        package fileprivate(set) var count = 0
        /// What they hold together.
        package fileprivate(set) var bytes = 0
        /// How many of them for want of room.
        package fileprivate(set) var forRoom = 0
        /// Why the last of the others was not taken; nil for none.
        package fileprivate(set) var error: SystemError?

        fileprivate mutating func add(_ error: SystemError, bytes: Int) {
            count += 1
            self.bytes += bytes
            switch error.code {
            case EAGAIN, ENOBUFS: forRoom += 1
            default: self.error = error
            }
        }
    }

    /// What a message to send holds.
    private struct Outgoing {
        var count = 0
        /// Bytes of each datagram but the last; 0 for one alone.
        var segment = 0
        /// The ECN field of each.
        var ecn: UInt8 = 0
    }

    private var outgoing = [Outgoing](repeating: Outgoing(), count: capacity)
    /// Whether the kernel takes segments, as far as is known.
    private var joins = DatagramCalls.takesSegments

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
            unsafe messages[slot] = DatagramMessage()
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

    /// A copy of a datagram, by its number among those that came put together.
    package func bytes(at place: Int, datagram number: Int = 0) -> [UInt8] {
        let arrival = arrivals[place]
        precondition((0..<arrival.count).contains(number), "so many datagrams came together")
        let start = number * arrival.segmentLength
        let length =
            arrival.count == 1
            ? arrival.length : min(arrival.segmentLength, arrival.length - start)
        let begin = unsafe payloads + place * Self.slotBytes + start
        return unsafe Array(UnsafeRawBufferPointer(start: begin, count: length))
    }

    /// Takes the datagrams that wait.
    ///
    /// - Parameters:
    ///   - socket: where they wait.
    ///   - most: the largest number of places to fill; each may hold several datagrams of one size.
    /// - Returns: how many came, from place 0 on; 0 if none wait.
    /// - Throws: an error that waits on the socket, such as "connection refused" from the network.
    package func receive(
        from socket: borrowing DatagramSocket,
        atMost most: Int = capacity
    ) throws(SystemError) -> Int {
        for slot in 0..<used { prepareToReceive(slot) }
        used = 0
        let count = unsafe DatagramCalls.receive(
            socket.descriptor,
            messages,
            count: min(most, Self.capacity)
        )
        guard count >= 0 else {
            let error = SystemError.last
            if error.code == EAGAIN || error.code == EINTR { return 0 }
            throw error
        }
        dropped = nil
        used = Int(count)
        for slot in 0..<used { note(slot) }
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
            msg_controllen: .init(LINKCOND_CONTROL_SPACE),
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

    /// Sends what came at these places as it is, ECN bits too.
    ///
    /// Neighbours of one size leave as one call's segments (`UDP_SEGMENT`), which the kernel, or the
    /// network card, takes apart again.
    ///
    /// - Parameters:
    ///   - places: of the latest `receive`.
    ///   - socket: through which they leave.
    ///   - peer: where to; nil for the socket's only peer.
    /// - Returns: what the kernel did not take, since its buffer is full or one is longer than the path
    ///   allows.
    package func relay(
        _ places: Range<Int>,
        through socket: borrowing DatagramSocket,
        to peer: DatagramPeer? = nil
    ) -> Untaken {
        guard let first = places.first else { return Untaken() }
        used = max(used, places.upperBound)
        let name = unsafe peer == nil ? nil : names + first
        let length = unsafe write(peer, to: name)
        var message = first
        var place = first
        while place < places.upperBound {
            let count = groupLength(from: place, upTo: places.upperBound)
            let arrival = arrivals[place]
            for slot in place..<place + count {
                unsafe vectors[slot].iov_len = arrivals[slot].length
            }
            let segment = count > 1 ? arrival.length : arrival.count > 1 ? arrival.segmentLength : 0
            unsafe prepareToSend(
                message,
                vectors: place..<place + count,
                to: name,
                length,
                ecn: arrival.ecn,
                segment: segment,
                isIPv6: socket.isIPv6
            )
            outgoing[message] = Outgoing(
                count: count > 1 ? count : arrival.count,
                segment: segment,
                ecn: arrival.ecn
            )
            message += 1
            place += count
        }
        return flush(first..<message, through: socket)
    }

    /// How many places from this one on may leave as segments of one size; the last may be shorter.
    private func groupLength(from start: Int, upTo end: Int) -> Int {
        let first = arrivals[start]
        guard joins, first.count == 1, first.length > 0 else { return 1 }
        var bytes = first.length
        var next = start + 1
        while next < end, next - start < Self.segmentLimit {
            let arrival = arrivals[next]
            bytes += arrival.length
            guard arrival.count == 1, arrival.ecn == first.ecn, arrival.length > 0,
                arrival.length <= first.length, bytes <= Self.trainBytes
            else { break }
            next += 1
            if arrival.length < first.length { break }
        }
        return next - start
    }

    /// Sends one datagram, or several of one size.
    ///
    /// - Parameters:
    ///   - bytes: what it holds; more than `maximumPayload` is not taken.
    ///   - ecn: of the IP header, 0 to 3.
    ///   - socket: through which it leaves.
    ///   - peer: where to; nil for the socket's only peer.
    ///   - segment: bytes of each datagram, of which the last may be shorter; 0 for a single one.
    /// - Returns: what the kernel did not take.
    @discardableResult
    package func send(
        _ bytes: [UInt8],
        ecn: UInt8,
        through socket: borrowing DatagramSocket,
        to peer: DatagramPeer? = nil,
        segment: Int = 0
    ) -> Untaken {
        guard bytes.count <= Self.maximumPayload else {
            return Untaken(count: 1, bytes: bytes.count, error: .messageTooLong)
        }
        used = max(used, 1)
        unsafe bytes.withUnsafeBytes {
            guard let start = $0.baseAddress else { return }
            unsafe payloads.copyMemory(from: start, byteCount: $0.count)
        }
        let name = unsafe peer == nil ? nil : names
        let length = unsafe write(peer, to: name)
        unsafe vectors[0].iov_len = bytes.count
        unsafe prepareToSend(
            0,
            vectors: 0..<1,
            to: name,
            length,
            ecn: ecn,
            segment: segment,
            isIPv6: socket.isIPv6
        )
        outgoing[0] = Outgoing(
            count: segment > 0 ? (bytes.count + segment - 1) / segment : 1,
            segment: segment,
            ecn: ecn
        )
        return flush(0..<1, through: socket)
    }

    private func write(
        _ peer: DatagramPeer?,
        to name: UnsafeMutablePointer<sockaddr_storage>?
    ) -> socklen_t {
        guard let peer, let name = unsafe name else { return 0 }
        return unsafe peer.write(to: name)
    }

    private func prepareToSend(
        _ message: Int,
        vectors range: Range<Int>,
        to name: UnsafeMutablePointer<sockaddr_storage>?,
        _ nameLength: socklen_t,
        ecn: UInt8,
        segment: Int,
        isIPv6: Bool
    ) {
        unsafe messages[message].msg_hdr = msghdr(
            msg_name: name,
            msg_namelen: nameLength,
            msg_iov: vectors + range.lowerBound,
            msg_iovlen: .init(range.count),
            msg_control: nil,
            msg_controllen: 0,
            msg_flags: 0
        )
        guard ecn != 0 || segment != 0 else { return }
        unsafe linkcond_write_control(
            &messages[message].msg_hdr,
            controls + message * Int(LINKCOND_CONTROL_SPACE),
            isIPv6 ? 1 : 0,
            CUnsignedInt(ecn),
            CUnsignedInt(segment)
        )
    }

    private func flush(
        _ range: Range<Int>,
        through socket: borrowing DatagramSocket
    ) -> Untaken {
        var next = range.lowerBound
        var untaken = Untaken()
        while next < range.upperBound {
            if !DatagramCalls.takesSegments, outgoing[next].segment > 0 {
                sendApart(next, socket, &untaken)
                next += 1
                continue
            }
            let count = unsafe DatagramCalls.send(
                socket.descriptor,
                messages + next,
                count: range.upperBound - next
            )
            if count > 0 {
                next += Int(count)
                continue
            }
            let error = SystemError.last
            switch error.code {
            // An error of an earlier datagram that the network sent back says nothing of this one.
            case ECONNREFUSED, EINTR: continue
            case EAGAIN, ENOBUFS:
                let left = outgoing[next..<range.upperBound].reduce(0) { $0 + $1.count }
                untaken.count += left
                untaken.forRoom += left
                untaken.bytes += (next..<range.upperBound).reduce(0) { $0 + length(ofMessage: $1) }
                return untaken
            case _ where outgoing[next].segment > 0:
                // One that is too long for the path says nothing of others.
                if error != .messageTooLong { joins = false }
                sendApart(next, socket, &untaken)
                next += 1
            default:
                untaken.add(error, bytes: length(ofMessage: next))
                next += 1
            }
        }
        return untaken
    }

    private func length(ofMessage message: Int) -> Int {
        let header = unsafe messages[message].msg_hdr
        return unsafe (0..<Int(header.msg_iovlen)).reduce(0) {
            unsafe $0 + header.msg_iov[$1].iov_len
        }
    }

    /// Sends one by one what the kernel does not take as segments.
    private func sendApart(
        _ message: Int,
        _ socket: borrowing DatagramSocket,
        _ untaken: inout Untaken
    ) {
        let segment = outgoing[message].segment
        var header = unsafe messages[message].msg_hdr
        unsafe linkcond_write_control(
            &header,
            controls + message * Int(LINKCOND_CONTROL_SPACE),
            socket.isIPv6 ? 1 : 0,
            CUnsignedInt(outgoing[message].ecn),
            0
        )
        let vectors = unsafe UnsafeBufferPointer(
            start: header.msg_iov,
            count: Int(header.msg_iovlen)
        )
        for place in vectors.indices {
            let vector = unsafe vectors[place]
            for start in unsafe stride(from: 0, to: vector.iov_len, by: segment) {
                var piece = unsafe iovec(
                    iov_base: vector.iov_base + start,
                    iov_len: min(segment, vector.iov_len - start)
                )
                let sent = unsafe withUnsafeMutablePointer(to: &piece) { piece in
                    unsafe header.msg_iov = piece
                    unsafe header.msg_iovlen = 1
                    return unsafe Self.send(&header, through: socket)
                }
                if !sent { unsafe untaken.add(.last, bytes: piece.iov_len) }
            }
        }
    }

    /// Sends one datagram, whatever the network has sent back for earlier ones.
    private static func send(
        _ header: inout msghdr,
        through socket: borrowing DatagramSocket
    ) -> Bool {
        while unsafe sendmsg(socket.descriptor, &header, SocketCalls.sending) < 0 {
            guard [ECONNREFUSED, EINTR].contains(errno) else { return false }
        }
        return true
    }
}
