internal import Basics

/// One end of a virtual TCP connection: it sends one stream and receives the other.
///
/// It is a machine without I/O: calls append to `out` the packets that leave now, and answer what
/// arrived for the application. `deadline` says when `expire` is due.
struct Endpoint {
    /// What the end is to the packets that reach it.
    enum Life {
        case open
        /// The application reset the connection: whatever still comes is answered with a reset.
        case aborted
        /// The other end reset the connection, or it was given up: nothing is answered.
        case gone
    }

    /// Packets that leave; one is reused for all calls.
    struct Output {
        fileprivate(set) var packets = Scratch<Outgoing>()
        /// SACK blocks of all packets on their way.
        var sacks = SACKPool()
        /// How many of the packets are complete: the sender gives them without acknowledgement.
        fileprivate var completeCount = 0

        fileprivate mutating func appendComplete(_ packet: Packet) {
            packets.append(Outgoing(packet: packet))
            completeCount += 1
        }

        mutating func removeAll() {
            packets.removeAll()
            completeCount = 0
        }
    }

    /// Whether the end still takes part.
    private(set) var life = Life.open
    var handshake: Handshake
    var receiver: TCPReceiver
    var sender: TCPSender

    init(settings: TCPSettings, state: Handshake.State) {
        handshake = Handshake(behaviour: settings.behaviour, state: state)
        sender = TCPSender(settings: settings)
        receiver = TCPReceiver(behaviour: settings.behaviour)
    }

    /// When `expire` is due.
    var deadline: Instant {
        isClosed
            ? .never : min(handshake.deadline, min(sender.deadline, receiver.acknowledgeAt))
    }

    var isClosed: Bool { life != .open }

    /// Takes no part any more.
    mutating func close() { life = .gone }

    /// Resets the connection; a server that knows of no client yet has nobody to tell.
    mutating func abort(at now: Instant, into out: inout Output) {
        life = .aborted
        if handshake.state != .listening { emitReset(at: now, into: &out) }
    }

    /// Sends the SYN.
    mutating func connect(at now: Instant, into out: inout Output) {
        handshake.begin(.synSent, at: now)
        emit(.syn, at: now, into: &out)
    }

    /// Is open from the start, without a handshake.
    mutating func openAtOnce(at now: Instant) {
        _ = handshake.establish(at: now)
        sender.windowEdge = receiver.window.initialEdge
        receiver.begin(at: now)
    }

    /// Sends what the application gave and the windows allow.
    mutating func pump(at now: Instant, into out: inout Output) {
        guard handshake.state == .established, !isClosed else { return }
        sender.sendNew(at: now, into: &out.packets)
        complete(&out)
    }

    /// Takes one packet from the link; its SACK blocks stay in the pool.
    mutating func receive(
        _ packet: Packet,
        at now: Instant,
        into out: inout Output
    ) -> TCPReceiver.Arrival {
        guard life == .open else {
            if life == .aborted { emitReset(at: now, into: &out) }
            return TCPReceiver.Arrival()
        }
        switch packet.kind {
        case .syn: receiveSYN(packet, at: now, into: &out)
        case .synAck: receiveSYNACK(packet, at: now, into: &out)
        case .ack, .data, .fin, .probe, .reset:
            return receiveSegment(packet, at: now, into: &out)
        case .datagram: break
        }
        return TCPReceiver.Arrival()
    }

    private mutating func receiveSYN(_ packet: Packet, at now: Instant, into out: inout Output) {
        receiver.noteControlPacket(sentAt: packet.sentAt)
        if handshake.state == .listening { handshake.begin(.synReceived, at: now) }
        guard handshake.state == .synReceived else { return }
        emit(.synAck, at: now, into: &out)
    }

    private mutating func receiveSYNACK(
        _ packet: Packet,
        at now: Instant,
        into out: inout Output
    ) {
        receiver.noteControlPacket(sentAt: packet.sentAt)
        if handshake.state == .synSent { establish(packet, at: now) }
        emit(.ack, at: now, into: &out)
        pump(at: now, into: &out)
    }

    private mutating func establish(_ packet: Packet, at now: Instant) {
        if let measured = handshake.establish(at: now) { sender.sampleHandshake(measured) }
        sender.windowEdge = packet.acknowledgement.windowEdge
        receiver.begin(at: now)
    }

    /// First the acknowledgement, then the data, then what both allow to be sent; that order is
    /// Linux's.
    private mutating func receiveSegment(
        _ packet: Packet,
        at now: Instant,
        into out: inout Output
    ) -> TCPReceiver.Arrival {
        if handshake.state == .synReceived { establish(packet, at: now) }
        guard handshake.state == .established else { return TCPReceiver.Arrival() }
        sender.acknowledge(
            packet.acknowledgement,
            sacks: out.sacks,
            at: now,
            into: &out.packets
        )
        var arrival = TCPReceiver.Arrival()
        switch packet.kind {
        case .data, .fin:
            arrival = receiver.receive(
                packet,
                roundTrip: sender.roundTrip.smoothed,
                at: now
            )
        case .ack: receiver.noteControlPacket(sentAt: packet.sentAt)
        case .probe: receiver.acknowledgeSoon(at: now)
        default: break
        }
        sender.sendNew(at: now, into: &out.packets)
        complete(&out)
        if receiver.acknowledgeAt <= now { emit(.ack, at: now, into: &out) }
        return arrival
    }

    /// Acts on what is due; false if the connection was given up.
    mutating func expire(at now: Instant, into out: inout Output) -> Bool {
        guard !isClosed else { return true }
        if handshake.deadline <= now {
            guard handshake.expire(at: now) else {
                // A server that hears nothing more keeps listening; the client gives up.
                if handshake.state == .synSent { return false }
                handshake.state = .listening
                return true
            }
            emit(handshake.state == .synSent ? .syn : .synAck, at: now, into: &out)
        }
        var wantsWindowProbe = false
        guard
            sender.expire(
                at: now,
                into: &out.packets,
                wantsWindowProbe: &wantsWindowProbe
            )
        else { return false }
        complete(&out)
        if wantsWindowProbe { emit(.probe, at: now, into: &out) }
        if receiver.acknowledgeAt <= now { emit(.ack, at: now, into: &out) }
        return true
    }

    /// Says how much the real receiver has left untaken of what was delivered so far.
    mutating func noteBacklog(_ bytes: Int) { receiver.noteBacklog(bytes) }

    /// Announces a window that has opened by two segments.
    mutating func openWindow(at now: Instant, into out: inout Output) {
        guard receiver.wouldOpenWindow, handshake.state == .established, !isClosed else { return }
        emit(.ack, at: now, into: &out)
    }

    private mutating func emit(_ kind: Packet.Kind, at now: Instant, into out: inout Output) {
        var packet = Packet(kind: kind)
        packet.sentAt = now
        acknowledge(in: &packet, sacks: &out.sacks)
        out.appendComplete(packet)
    }

    /// A reset answers what a connection that is no more is sent (RFC 9293 §3.10.7.1).
    private func emitReset(at now: Instant, into out: inout Output) {
        var packet = Packet(kind: .reset)
        packet.sentAt = now
        out.appendComplete(packet)
    }

    /// Puts the receiver's acknowledgement on the packets that do not have it yet.
    private mutating func complete(_ out: inout Output) {
        while out.completeCount < out.packets.count {
            acknowledge(in: &out.packets[out.completeCount].packet, sacks: &out.sacks)
            out.completeCount += 1
        }
    }

    private mutating func acknowledge(in packet: inout Packet, sacks: inout SACKPool) {
        packet.acknowledgement = receiver.makeAcknowledgement(sacks: &sacks)
        let slot = packet.acknowledgement.sackSlot
        if slot >= 0, packet.kind == .ack {
            packet.wireBytes += UInt16(WireSize.sackOption(blocks: sacks[slot].count))
        }
    }
}
