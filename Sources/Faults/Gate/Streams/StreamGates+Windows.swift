internal import Basics
internal import HTTP2

// How much of the windows is used, and lent (RFC 9113 §6.9).
extension StreamGates {
    /// The most that is lent in a direction: what all held streams together may keep here.
    private static let mostLent = 16_777_216

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
        for id in streams.keys { streams[id]?[receiving].window.room += change }
    }

    private static func increment(_ payload: [UInt8]) -> Int {
        Int((UInt32(networkBytes: payload) ?? 0) & 0x7FFF_FFFF)
    }

    /// Takes an update of a receiver for what was lent to its sender; false if all of it passes.
    func repays(_ header: FrameHeader, _ payload: [UInt8], _ direction: Direction) -> Bool {
        guard header.kind == .windowUpdate else { return false }
        let count = Self.increment(payload)
        let rest = repay(count, direction.opposite, header.stream)
        guard rest < count else { return false }
        if rest > 0 {
            self[direction].urgent += FrameWriter.windowUpdate(UInt32(rest), stream: header.stream)
        }
        return true
    }

    /// What of a count is for the sender of a direction, and not for a loan of it.
    private func repay(_ count: Int, _ direction: Direction, _ stream: UInt32) -> Int {
        if stream == 0 {
            guard self[direction].window.lent > 0 else { return count }
            return self[direction].window.repay(count, waiting: lendable(direction))
        }
        let waiting = streams[stream]?[direction].waiting ?? 0
        return streams[stream]?[direction].window.repay(count, waiting: waiting) ?? count
    }

    // MARK: What waits here

    /// What faults hold of all streams, as far as it is lent for.
    private func lendable(_ direction: Direction) -> Int {
        // What waits for the receiver alone is the receiver's to make room for.
        let held = streams.values.reduce(0) { sum, stream in
            stream[direction].isShort ? sum : sum + stream[direction].waiting
        }
        return min(held, Self.mostLent)
    }

    /// Gives a sender window for what waits: of the connection, and for a message that is kept until it
    /// is whole, of the stream as well.
    func lend(for stream: UInt32, _ direction: Direction) {
        guard let lane = streams[stream]?[direction], !lane.isShort else { return }
        if streams[stream]?.isBuffering(direction) == true {
            let count = streams[stream]?[direction].window.lend(upTo: lane.waiting) ?? 0
            announce(count, direction, stream)
        }
        guard !withheld.stopsConnection || direction == .down else { return }
        announce(self[direction].window.lend(upTo: lendable(direction)), direction, 0)
    }

    private func announce(_ count: Int, _ direction: Direction, _ stream: UInt32) {
        guard count > 0 else { return }
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

    /// How much of a unit its stream's gate may be offered now.
    func offered(_ unit: inout StreamUnit, _ direction: Direction) -> Int {
        let left = unit.size - unit.done
        guard case .data = unit.kind, left > 0, let stream = streams[unit.stream] else {
            return left
        }
        let limit = min(self[direction].window.limit, stream[direction].window.limit)
        let unsent = unit.done - unit.sent
        // Sent anew, it needs no room for padding.
        if unit.flowControlled - unit.sent > limit { unit.isAltered = true }
        let room = max(0, limit - unsent)
        stream[direction].isShort = room < left
        let allowed = stream[direction].pace?.allowance(left, nowNanoseconds: nowNanoseconds)
        return min(left, room, allowed ?? left)
    }

    // MARK: What waits for what

    /// When more of a stream may pass that is slowed down; nil if none waits for that.
    package var wakeNanoseconds: UInt64? {
        guard hasPaced else { return nil }
        return streams.values.flatMap { stream in
            Direction.allCases.compactMap { direction in
                let left = stream[direction].kept.first.map { $0.size - $0.done } ?? 0
                return left > 0 ? stream[direction].pace?.nextTime(left) : nil
            }
        }.min()
    }

    /// Whether messages are kept until they are whole, and no more is lent to their senders.
    private var isFull: Bool {
        Direction.allCases.contains { direction in
            self[direction].window.lent >= Self.mostLent
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
        forEachGate { gate in
            gate.openGates()
            guard isFull else { return }
            for direction in Direction.allCases { gate.stopBuffering(direction) }
        }
    }
}
