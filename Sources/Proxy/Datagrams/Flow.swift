internal import Basics
internal import Faults
internal import Journal
internal import LinkEngine
internal import QUICWire
internal import SystemIO

/// The datagrams of one client, which go to the server through a socket of their own (`FlowUpstream`).
///
/// What comes is counted and judged first (`FlowGate`), then crosses the link, then leaves, which
/// `FlowWay` sees to.
final class Flow {
    /// What a flow uses of the proxy it belongs to.
    struct Context {
        let tools: DatagramTools
        let registry: FaultRegistry
        let link: SharedLink
        /// When the run began, on the loop's clock.
        let startedAt: Instant
        let server: Server

        var reporter: ProxyReporter { tools.reporter }
    }

    /// Where a flow leads.
    struct Server {
        let name: Endpoint
        /// Where it is; nil as long as that is not known.
        let address: () -> SocketAddress?
        /// What the client is sent before the content of each datagram; nothing, but for a relay.
        var envelope: [UInt8] = []
        /// The network of this server; nil for the one of all others.
        var link: SharedLink?

        init(name: Endpoint, at address: @escaping () -> SocketAddress?) {
            self.name = name
            self.address = address
        }
    }

    let id: ConnectionID
    let client: DatagramPeer
    let context: Context
    /// The listener's socket by which the client reaches us, and we it.
    private let front: DatagramPort
    private let upstream: FlowUpstream
    var gate: FlowGate?
    let ways = PerDirection(up: FlowWay(.up), down: FlowWay(.down))
    private var link: LinkDriver?
    /// The number in the link's terms; nil while the flow is on no link.
    private var linkNumber: UInt32?
    private var quic = FlowQUIC()
    private var lastDown: Instant?
    private var lastOutage: Instant?
    private var hasOverflowed = false
    /// Whether silence has had the flow forgotten.
    private var hasForgotten = false
    /// Since when it is held by hand; nil if it is not.
    var held: HeldPlace?
    /// How often it was held.
    var holds = 0
    private(set) var isEnded = false
    /// When a datagram last came, on the loop's clock.
    private(set) var lastUse: Instant

    init(
        _ id: ConnectionID,
        client: DatagramPeer,
        front: DatagramPort,
        faults: FlowFaults,
        _ context: Context
    ) {
        self.id = id
        self.client = client
        self.front = front
        self.context = context
        upstream = FlowUpstream(id, context)
        gate = faults.isEmpty ? nil : FlowGate(faults: faults, isIPv6: client.isIPv6)
        lastUse = context.tools.loop.now
    }

    /// After how much silence a fault has it forgotten; nil for none.
    var forgetting: (id: String, after: Duration)? { gate?.forgetting }

    /// Whether datagrams may pass as they are, in groups.
    private var isPlain: Bool {
        gate == nil && link == nil && ways.up.tally.count > 0 && !context.link.isMetered
            && !(quic.isSeen && context.tools.countsPackets) && context.server.envelope.isEmpty
            && context.tools.settings.recorded == 0 && quic.reading == nil
    }

    func tally(_ direction: Direction) -> FlowEnd.Tally { ways[direction].tally }

    /// For people to look at.
    var row: ProxySnapshot.Connection {
        var row = ProxySnapshot.Connection(
            id: id,
            ordinal: id.ordinal - 1,
            client: client.address,
            state: .open,
            upBytes: ways.up.tally.bytes,
            downBytes: ways.down.tally.bytes
        )
        row.isOnSecondPath = context.link.isSecondPath
        return row
    }

    // MARK: What comes

    /// Takes what the client sent.
    func receivedFromClient(_ batch: DatagramBatch, _ places: Range<Int>) {
        lastUse = context.tools.loop.now
        guard isPlain else {
            for place in places { take(batch, place, .up) }
            return
        }
        pass(batch, places, .up) { openUpstream()?.relay(places) }
    }

    /// Takes the content of a datagram that the client sent.
    func receivedFromClient(_ content: [UInt8], ecn: UInt8) {
        lastUse = context.tools.loop.now
        if !isEnded { take(content, ecn: ecn, .up) }
    }

    /// Counts what passes as it is, and lets it pass.
    private func pass(
        _ batch: DatagramBatch,
        _ places: Range<Int>,
        _ direction: Direction,
        _ relay: () -> DatagramBatch.Untaken?
    ) {
        let count = places.reduce(0) { $0 + UInt64(batch[$1].count) }
        let bytes = places.reduce(0) { $0 + batch[$1].length }
        ways[direction].tally.count += count
        guard let untaken = relay() else { return }
        ways[direction].tally.delivered += count - UInt64(untaken.count)
        ways[direction].tally.bytes += UInt64(bytes - untaken.bytes)
        if let error = untaken.error { notCarried(error, direction) }
    }

    /// Takes each datagram of a place, where the kernel may have put several together.
    ///
    /// What is left once a fault has abandoned the server's port is lost, as is what comes there later:
    /// how much comes at once depends on timing.
    private func take(
        _ batch: DatagramBatch,
        _ place: Int,
        _ direction: Direction,
        from port: DatagramPort? = nil
    ) {
        let arrival = batch[place]
        for number in 0..<arrival.count where !isEnded && (port == nil || port === upstream.port) {
            take(batch.bytes(at: place, datagram: number), ecn: arrival.ecn, direction)
        }
    }

    private func take(_ bytes: [UInt8], ecn: UInt8, _ direction: Direction) {
        ways[direction].tally.count += 1
        let number = ways[direction].tally.count
        if direction == .up, let report = quic.look(at: bytes, number, of: id, context) {
            context.reporter.report(.quic(id, report))
        }
        let came = now
        // What the server sent came by the port that was there before any fault acts on it; what the client
        // sent leaves by the one that is there afterwards, or by a later one if the link holds it.
        let pathBefore = upstream.rebindings
        // Nothing that passes waits for what is read.
        defer {
            let path = direction == .down ? pathBefore : upstream.rebindings
            quic.reading?.take(bytes, direction, number: number, path: path, at: came)
        }
        var datagram = PassingDatagram(bytes: bytes, ecn: ecn, number: number, came: came)
        let packets = quic.packets(in: bytes)
        for packet in packets {
            ways[direction].tally.packets[packet.type.rawValue, default: 0] += 1
        }
        if isTold(number) { datagram.types = packets.map(\.type.rawValue) }
        if direction == .down { quic.sent(bytes.count) }
        if var gate {
            datagram.verdict = gate.judge(
                direction,
                length: bytes.count,
                packets: packets,
                at: came
            )
            self.gate = gate
            apply(&datagram)
            guard !datagram.verdict.isDropped else {
                tell(datagram, direction, .fault)
                return forgetIfAsked(datagram)
            }
        }
        if let link, let linkNumber {
            ways[direction].onLink[number] = datagram
            link.sendDatagram(
                number - 1,
                payload: bytes.count,
                on: Stream(connection: linkNumber, direction: direction)
            )
        } else {
            pass(datagram, direction)
        }
        forgetIfAsked(datagram)
    }

    /// Since the run began.
    var now: Instant { .start + (context.tools.loop.now - context.startedAt) }

    /// What happens to a datagram, and around it, before it enters the link.
    private func apply(_ datagram: inout PassingDatagram) {
        for fired in datagram.verdict.fired { context.reporter.fired(fired, on: id) }
        if let rebinding = datagram.verdict.rebinding { rebind(rebinding) }
        for change in datagram.verdict.changes where change.place < datagram.bytes.count {
            datagram.bytes[change.place] ^= change.flips
        }
        switch datagram.verdict.mark {
        // Only what says that it can ECN may be told of congestion (RFC 3168 §5).
        case .experienced where datagram.ecn != 0: datagram.ecn = 3
        case .cleared: datagram.ecn = 0
        case .experienced, nil: break
        }
    }

    private func forgetIfAsked(_ datagram: PassingDatagram) {
        if datagram.verdict.isForgotten { forget() }
    }

    // MARK: What leaves

    private func pass(_ datagram: PassingDatagram, _ direction: Direction) {
        guard !ways[direction].pass(datagram, of: self) else { return }
        tell(datagram, direction, .overflow)
        overflow()
    }

    private func overflow() {
        guard !hasOverflowed else { return }
        hasOverflowed = true
        let most = context.tools.settings.mostHeld
        context.reporter.report(
            .note(id, text: "\(most) datagrams are held back; further ones are lost")
        )
    }

    /// Sends a datagram to its receiver, and tells what became of it.
    func leave(_ datagram: PassingDatagram, _ direction: Direction) {
        guard !isEnded else { return }
        guard isAfforded(datagram.bytes.count, direction) else {
            return tell(datagram, direction, .budget)
        }
        guard let untaken = send(datagram, direction) else {
            return tell(datagram, direction, .system)
        }
        if let error = untaken.error { notCarried(error, direction) }
        guard untaken.count == 0 else { return tell(datagram, direction, .system) }
        tell(datagram, direction, .delivered)
        quic.reading?.delivered(direction, at: now)
        ways[direction].tally.delivered += 1
        ways[direction].tally.bytes += UInt64(datagram.bytes.count)
    }

    /// Returns what the kernel did not take; nil without a socket to send through.
    private func send(
        _ datagram: PassingDatagram,
        _ direction: Direction
    ) -> DatagramBatch.Untaken? {
        switch direction {
        case .up:
            quic.receives(datagram.bytes)
            return openUpstream()?.send(datagram.bytes, ecn: datagram.ecn)
        case .down:
            lastDown = now
            let bytes = context.server.envelope + datagram.bytes
            return frontForContent.send(bytes, ecn: datagram.ecn, to: client)
        }
    }

    /// The socket towards the client, which fragments what this flow may have fragmented.
    ///
    /// A QUIC packet must not be (RFC 9000 §14): its sender looks for the longest that passes.
    private var frontForContent: DatagramPort {
        front.setFragmented(!quic.isSeen)
        return front
    }

    /// Spends the byte budget, or says that it is spent.
    private func isAfforded(_ count: Int, _ direction: Direction) -> Bool {
        guard context.link.isMetered else { return true }
        guard context.link.affordsDatagram(count) else { return false }
        context.link.spendBudget(count, direction)
        return true
    }

    // MARK: The socket towards the server

    private func openUpstream() -> DatagramPort? {
        upstream.open(for: self, isFragmented: !quic.isSeen)
    }

    private func rebind(_ what: Effect.Rebinding) {
        quic.changedAddress()
        upstream.rebind(what, for: self, isFragmented: !quic.isSeen)
    }

    /// Lets the server see another address from now on, as after a handover.
    func moveAddress() {
        if upstream.port != nil { rebind(.address) }
    }

    /// Forgets the socket towards the server, as a NAT does.
    func forget() { upstream.abandon() }

    /// Forgets it after silence, once for each silence.
    func forgetAfterSilence() {
        guard let fault = forgetting, upstream.port != nil else { return }
        hasForgotten = true
        let fired = FlowGate.Fired(
            id: fault.id,
            address: Anchor.silence(fault.after).canonicalText,
            effect: Effect.forget.canonicalText
        )
        context.reporter.fired(fired, on: id)
        forget()
    }

    /// The network did not carry a datagram, which is told once.
    private func notCarried(_ error: SystemError, _ direction: Direction) {
        guard error == .messageTooLong else {
            // A client that cannot be reached is one that is gone.
            if direction == .up { upstream.report(error) }
            return
        }
        guard !ways[direction].hasReportedLength else { return }
        ways[direction].hasReportedLength = true
        let end = direction == .up ? "server" : "client"
        context.reporter.report(
            .note(id, text: "some datagrams are too long for the path to the \(end), and are lost")
        )
    }

    // MARK: The link

    var isOnLink: Bool { link != nil }

    /// Puts the flow on a link.
    func adopt(_ link: LinkDriver, as number: UInt32) {
        self.link = link
        linkNumber = link.openFlow(number, sink: self)
    }

    // MARK: The end

    /// Closes everything, and tells what became of the datagrams.
    func end(_ cause: FlowEnd.Cause) {
        guard !isEnded else { return }
        isEnded = true
        tellWaiting()
        if let linkNumber { link?.remove(linkNumber) }
        for direction in Direction.allCases { ways[direction].stop(context.tools.timers) }
        upstream.close()
        var unreached = gate?.silentFaults ?? []
        if let forgetting, !hasForgotten { unreached.append(forgetting.id) }
        for fault in unreached { context.reporter.unreached(fault, on: id) }
        if let report = quic.unfinishedReport { context.reporter.report(.quic(id, report)) }
        if let reading = quic.reading {
            ways.up.tally.unopened = reading.finish(.up)
            ways.down.tally.unopened = reading.finish(.down)
        }
        var report = FlowEnd(flow: id, cause: cause, down: ways.down.tally, up: ways.up.tally)
        // Without a journal datagrams pass in groups that are not looked at.
        if context.tools.countsPackets, let account = quic.closest {
            report.unvalidated = .init(received: account.received, sent: account.sent)
        }
        report.lastDownAt = lastDown
        report.lastOutageAt = lastOutage
        context.reporter.report(.flowEnd(report))
    }
}

extension Flow: DatagramPortOwner {
    func received(_ batch: DatagramBatch, count: Int, on port: DatagramPort) {
        lastUse = context.tools.loop.now
        guard isPlain else {
            for place in 0..<count { take(batch, place, .down, from: port) }
            return
        }
        lastDown = now
        pass(batch, 0..<count, .down) { frontForContent.relay(0..<count, to: client) }
    }

    /// The network says that nobody listens there, or the like; a proxy cannot pass that on.
    func failed(_ error: SystemError, on port: DatagramPort) { notCarried(error, .up) }
}

extension Flow: LinkSink {
    func receive(_ event: LinkEvent.Kind) -> Bool {
        switch event {
        case .arrived(let stream, let number):
            if let datagram = ways[stream.direction].onLink.removeValue(forKey: number + 1) {
                pass(datagram, stream.direction)
            }
        case .lost(let stream, let number, let fate):
            if fate == .outage { lastOutage = now }
            if let datagram = ways[stream.direction].onLink.removeValue(forKey: number + 1) {
                tell(datagram, stream.direction, .link)
            }
            ways[stream.direction].tally.lost.append(number + 1)
        case .deliver, .finished, .aborted, .writable, .timedOut: break
        }
        return false
    }

    func linkSettled() {}
}
