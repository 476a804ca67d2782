package import Basics
internal import HTTP2

// How much of the windows is used, and lent (RFC 9113 §6.9).
extension StreamGates {
    // MARK: What the receivers say

    /// Notes an update of a receiver, which counts from when it is read.
    func noteWindow(_ header: FrameHeader, _ payload: [UInt8], _ direction: Direction) {
        let count = Self.increment(payload)
        if header.stream == 0 {
            self[direction.opposite].window.room += count
        } else {
            streams[header.stream]?[direction.opposite].window.room += count
        }
    }

    /// Notes the size with which windows of a receiver's streams begin (RFC 9113 §6.9.2).
    func noteInitialWindow(_ size: UInt32, from direction: Direction) {
        let receiving = direction.opposite
        let change = Int(size) - self[receiving].initialWindow
        self[receiving].initialWindow = Int(size)
        // The sender hears of it after what a fault has announced.
        self[receiving].announcedWindow = nil
        for id in streams.keys { streams[id]?[receiving].window.room += change }
    }

    private static func increment(_ payload: [UInt8]) -> Int {
        Int((UInt32(networkBytes: payload) ?? 0) & 0x7FFF_FFFF)
    }

    /// Whether a control frame is withheld, by the rules or because it repays a loan.
    ///
    /// Call it once for each frame, before its first byte passes.
    func withholds(_ header: FrameHeader, _ payload: [UInt8], _ direction: Direction) -> Bool {
        controlRules.withholds(header, payload, direction) || repays(header, payload, direction)
    }

    /// Takes an update of a receiver for what was lent to its sender; false if all of it passes.
    private func repays(_ header: FrameHeader, _ payload: [UInt8], _ direction: Direction) -> Bool {
        guard header.kind == .windowUpdate else { return false }
        let count = Self.increment(payload)
        let rest = repay(count, direction.opposite, header.stream)
        guard rest < count else { return false }
        if rest > 0 {
            self[direction].urgent += FrameWriter.windowUpdate(UInt32(rest), stream: header.stream)
        }
        lend(direction.opposite)
        return true
    }

    /// What is left of a count for the sender once its loan is repaid.
    private func repay(_ count: Int, _ direction: Direction, _ stream: UInt32) -> Int {
        if stream == 0 {
            guard self[direction].window.lent > 0 else { return count }
            return self[direction].window.repay(count, waiting: lendable(direction))
        }
        let waiting = streams[stream]?[direction].kept.waiting ?? 0
        return streams[stream]?[direction].window.repay(count, waiting: waiting) ?? count
    }

    // MARK: What waits here

    /// Recounts what of a stream is lent for.
    func recount(_ stream: GatedStream, _ direction: Direction) {
        let covered = stream[direction].lendable
        self[direction].covered += covered - stream[direction].covered
        stream[direction].covered = covered
    }

    /// Notes that content of a unit waits no longer.
    func leave(_ count: Int, of unit: StreamUnit, _ direction: Direction) {
        unit.sent += count
        guard unit.isKept, count != 0, let stream = streams[unit.stream] else { return }
        stream[direction].kept.leave(count)
        recount(stream, direction)
    }

    /// Bytes that faults hold in all streams, up to `mostLent`.
    private func lendable(_ direction: Direction) -> Int {
        min(self[direction].covered, mostLent)
    }

    /// Gives a sender window for what waits: of the connection, and for a message that is kept until it
    /// is whole, of the stream as well.
    func lend(for stream: GatedStream, _ direction: Direction) {
        if !stream[direction].isShort, stream.isBuffering(direction),
            mayAnnounce(direction, stream.id)
        {
            let lane = self[direction]
            let surplus = lane.announcedWindow.map { $0 - lane.initialWindow } ?? 0
            let waiting = stream[direction].kept.waiting
            let count = stream[direction].window.lend(upTo: waiting, surplus: surplus)
            announce(count, direction, stream.id)
        }
        lend(direction)
    }

    private func lend(_ direction: Direction) {
        guard mayAnnounce(direction, 0) else { return }
        announce(self[direction].window.lend(upTo: lendable(direction)), direction, 0)
    }

    /// Whether a sender may be given window: no fault keeps that from it.
    private func mayAnnounce(_ direction: Direction, _ stream: UInt32) -> Bool {
        direction == .down || !controlRules.stopsWindow(of: stream)
    }

    private func announce(_ count: Int, _ direction: Direction, _ stream: UInt32) {
        guard count > 0, mayAnnounce(direction, stream) else { return }
        self[direction.opposite].urgent += FrameWriter.windowUpdate(UInt32(count), stream: stream)
    }

    /// Gives what was taken out of the windows of a sender back to it.
    func giveBack(_ count: Int, _ direction: Direction, stream: UInt32?) {
        guard count > 0 else { return }
        announce(repay(count, direction, 0), direction, 0)
        if let stream { announce(repay(count, direction, stream), direction, stream) }
    }

    /// Notes what has gone to a receiver.
    func spend(_ count: Int, _ direction: Direction, _ stream: UInt32) {
        self[direction].window.room -= count
        streams[stream]?[direction].window.room -= count
    }

    /// Whether DATA of a stream on which nothing acts waits for its receiver: a loan has made the
    /// sender overrate the window of the connection.
    func exceedsWindow(_ unit: StreamUnit, _ direction: Direction) -> Bool {
        let isWhole = unit.left == unit.wire.prefix + unit.wire.content + unit.wire.padding
        return isWhole && !self[direction.opposite].hasEnded
            && unit.flowControlled > self[direction].window.limit
    }

    /// What of a unit its stream's gate is offered, and what keeps the rest from it.
    struct Offer {
        var count: Int
        /// Whether the windows do.
        var isShort = false
        /// When the pace offers more; nil if it does not keep it.
        var wakesAt: Instant?
    }

    /// How much of a unit its stream's gate may be offered now.
    func offer(of unit: StreamUnit, _ direction: Direction) -> Offer {
        let left = unit.size - unit.done
        guard case .data = unit.kind, left > 0, let stream = streams[unit.stream] else {
            return Offer(count: left)
        }
        let limit = min(self[direction].window.limit, stream[direction].window.limit)
        let pending = unit.done - unit.sent
        // Written again, it needs no room for padding.
        if unit.unsent > limit { unit.isAltered = true }
        let room = min(left, max(0, limit - pending))
        guard stream[direction].pace != nil else {
            return Offer(count: room, isShort: room < left)
        }
        guard room > 0, let count = stream[direction].pace?.allowance(room, now: time)
        else { return Offer(count: 0, isShort: true) }
        let next = count > 0 ? nil : stream[direction].pace?.nextTime(room)
        return Offer(count: count, wakesAt: next)
    }

    /// Notes what holds a stream after its gate was asked.
    ///
    /// Where the gate would let more pass, that is what kept the offer small.
    func noteHold(
        of unit: StreamUnit,
        _ stream: GatedStream,
        _ direction: Direction,
        _ offer: Offer,
        _ answer: FaultGate.Answer
    ) {
        guard answer == .wait else { return }
        let mayBeOffer = offer.count == 0 && (offer.isShort || offer.wakesAt != nil)
        let isOffer = mayBeOffer && !stream.gate.isHolding(direction)
        let wasShort = stream[direction].isShort
        stream[direction].isShort = isOffer && offer.isShort
        stream[direction].wakesAt = isOffer ? offer.wakesAt : nil
        guard unit.isKept else { return }
        recount(stream, direction)
        if wasShort, !stream[direction].isShort { lend(for: stream, direction) }
    }

    // MARK: What waits for what

    /// When more of a stream may pass that is slowed down; nil if none waits for that alone.
    package var wakesAt: Instant? {
        guard hasPaced else { return nil }
        return streams.values.flatMap { stream in
            Direction.allCases.compactMap { direction in
                stream[direction].kept.isEmpty ? nil : stream[direction].wakesAt
            }
        }.min()
    }

    /// Whether messages are kept until they are whole, and no more is lent to their senders.
    private var isFull: Bool {
        Direction.allCases.contains { direction in
            self[direction].window.lent > mostLent - LentWindow.leastLoan
                && streams.values.contains { $0.isBuffering(direction) }
        }
    }

    /// Whether one direction of a stream waits for the other, which may be waiting, too.
    package var isGated: Bool {
        isFull || streams.values.contains(where: \.isGated)
    }

    /// Ends what waits although nothing has moved for too long.
    package func openGates() {
        let isFull = isFull
        for stream in streams.values { stream.isForcedOpen = true }
        forEachGate { gate in
            gate.openGates()
            guard isFull else { return }
            for direction in Direction.allCases { gate.stopBuffering(direction) }
        }
    }

    /// Whether frames that are kept may pass though their sender has ended: its end waits for them.
    func awaitsKept(_ direction: Direction) -> Bool {
        guard self[direction].takesFrames(direction) else { return false }
        let receiverHasEnded = self[direction.opposite].hasEnded
        return streams.values.contains {
            $0.mayStillPass(direction, receiverHasEnded: receiverHasEnded)
        }
    }
}
