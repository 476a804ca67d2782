package import Basics
internal import HTTP2
package import HTTPWire

/// The gates of a connection with HTTP/2: one for each stream, between frames that pass as they came.
///
/// ```
/// read(bytes) ──▶ FrameReader ──▶ FieldDecoder ──▶ the stream's FaultGate, told by its StreamTap
///                     └▶ StreamUnit, in the order of the wire
/// next(direction) ──▶ the front unit asks its stream's gate
///                     └▶ Answer: its bytes pass, or are dropped and others inserted
/// ```
///
/// It is used as a `FaultGate` is: shown all bytes, then asked about those that wait. Frames pass byte
/// for byte (RFC 9113 §4.1) until a fault changes one. From the first field block on that is not passed as
/// it came, all blocks of that direction are written anew, since each depends on those before it (RFC
/// 7541 §2.2). What is dropped is given back to its sender's windows (RFC 9113 §6.9).
///
/// A stream that a fault holds does not hold the others: its frames are kept here, at most as many as
/// its receiver's window allows, and what they take of the connection's is lent. A stream that a fault
/// has ended is forgotten by both sides' frames.
package final class StreamGates {
    /// What a client sends first (RFC 9113 §3.4).
    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    let connection: UInt32
    let hosts: HostOrdinals
    let rewrites: RequestRewrites
    /// The most that is lent in a direction: what all held streams together may keep here.
    let mostLent: Int
    var plan: RequestPlan
    var prefaceLeft = StreamGates.preface.count
    let up = StreamLane()
    let down = StreamLane()
    var streams: [UInt32: GatedStream] = [:]
    /// Streams that a fault has ended: nothing more of them passes.
    var cut: Set<UInt32> = []
    /// The last stream that a fault lets the server take; nil for all.
    var lastTaken: UInt32?
    var controlRules = ControlFrameRules()
    /// Requests so far.
    var requests: UInt32 = 0
    var notes: [GateNote] = []
    var isClosed = false
    /// What servers are told of the path as it is now; nil for nothing.
    package var hints: RequestHints?
    /// What dates in answers are counted from.
    package var now = HTTPDate(secondsSince1970: 0)
    /// The time by which streams are slowed down, on any clock.
    package var time = Instant.start
    /// Whether a stream was slowed down.
    var hasPaced = false
    /// What resets the connection when another stream is opened, the first that waits for it.
    var onNext: [ArmedFault] = []

    /// - Parameters:
    ///   - plan: the faults of the run in requests.
    ///   - connection: its ordinal at its listener, from 1.
    ///   - hosts: its ordinals among those to each host that faults name.
    ///   - rewrites: what every request is given.
    ///   - mostLent: the most that is lent in a direction, in bytes.
    package init(
        plan: RequestPlan,
        connection: UInt32,
        hosts: HostOrdinals = [:],
        rewrites: RequestRewrites = RequestRewrites(),
        mostLent: Int = 16_777_216
    ) {
        self.plan = plan
        self.mostLent = mostLent
        self.connection = connection
        self.hosts = hosts
        self.rewrites = rewrites
        up.append(StreamUnit(.plain, prefix: Self.preface.count))
    }

    subscript(direction: Direction) -> StreamLane { direction == .up ? up : down }

    // MARK: What goes out

    /// What to do with the waiting bytes of a direction, as `FaultGate.next` says.
    package func next(
        _ direction: Direction,
        available: Int,
        ended: Bool,
        run: inout RequestRun
    ) -> FaultGate.Answer {
        while true {
            if let answer = self[direction].takeAnswer(available) { return answer }
            if self[direction].takesFrames(direction) {
                if !self[direction].endings.isEmpty { return .wait }
                if let answer = self[direction].takeUrgent() { return answer }
                if release(direction, &run) { continue }
            }
            guard !self[direction].isEmpty else { return rest(direction, available, ended) }
            guard advance(direction, available, &run) else {
                return ended ? rest(direction, available, ended) : .wait
            }
        }
    }

    /// What becomes of bytes that are no whole unit: a part of a frame, or what is not understood.
    private func rest(
        _ direction: Direction,
        _ available: Int,
        _ ended: Bool
    ) -> FaultGate.Answer {
        if available > 0, self[direction].isOpaque { return .pass(available, contentOf: nil) }
        guard ended, !awaitsKept(direction), !awaitsWindow(direction) else { return .wait }
        guard available > 0 else { return .finish }
        return actsOnFront(direction)
            ? .drop(available, contentOf: nil) : .pass(available, contentOf: nil)
    }

    /// Whether the front unit waits for a receiver that may still make room for it.
    private func awaitsWindow(_ direction: Direction) -> Bool {
        guard !self[direction].isEmpty else { return false }
        return !actsOnFront(direction) && exceedsWindow(self[direction].front, direction)
    }

    /// Whether the front unit is of a stream on which something acts or has acted.
    private func actsOnFront(_ direction: Direction) -> Bool {
        guard !self[direction].isEmpty else { return false }
        let stream = self[direction].front.stream
        return cut.contains(stream) || streams[stream]?.isLive == true
    }

    /// Moves the front unit on; false if there are not enough bytes of it.
    private func advance(
        _ direction: Direction,
        _ available: Int,
        _ run: inout RequestRun
    ) -> Bool {
        let unit = self[direction].front
        let count = min(available, unit.left)
        if case .plain = unit.kind { return pass(count, of: unit, direction) }
        if case .connection(let header, let payload) = unit.kind {
            guard count > 0 else { return false }
            if unit.left == unit.wire.prefix {
                unit.isDropped = withholds(header, payload, direction)
            }
            return unit.isDropped
                ? discard(count, of: unit, direction) : pass(count, of: unit, direction)
        }
        if cut.contains(unit.stream) { return discard(count, of: unit, direction) }
        guard let stream = streams[unit.stream], stream.isLive else {
            return passQuietly(count, of: unit, direction, &run)
        }
        guard count == unit.left else { return false }
        if stream.isLate, direction == .down || !unit.hasContent {
            return discard(count, of: unit, direction)
        }
        self[direction].removeFront()
        if stream[direction].kept.isEmpty || unit.overtakes(direction, stream) {
            let isHeld = !pass(unit, direction, &run)
            guard isHeld else {
                endLate(stream, isHeld: false, &run)
                return true
            }
        }
        remove(unit, direction)
        stream[direction].kept.append(unit)
        recount(stream, direction)
        stir(unit.stream)
        lend(for: stream, direction)
        return true
    }

    /// Forgets a stream whose server has what was to reach it late.
    private func endLate(_ stream: GatedStream, isHeld: Bool, _ run: inout RequestRun) {
        guard stream.hasHadItsShare(isHeld: isHeld) else { return }
        cut.insert(stream.id)
        forget(stream.id, &run)
    }

    /// Passes what waits behind something that holds no longer, and what faults add where nothing waits;
    /// whether there was any.
    private func release(_ direction: Direction, _ run: inout RequestRun) -> Bool {
        var place = 0
        while let id = self[direction].stirred[place] {
            if releases(id, direction, &run) { return true }
            if streams[id]?[direction].isEmpty == false {
                place += 1
            } else {
                self[direction].stirred.remove(id)
            }
        }
        return false
    }

    private func releases(_ id: UInt32, _ direction: Direction, _ run: inout RequestRun) -> Bool {
        guard let stream = streams[id] else { return false }
        guard !stream[direction].kept.isEmpty else {
            return stream.gate.addsNothing && stream[direction].added.isEmpty
                ? false : add(to: id, direction, &run)
        }
        let unit = stream[direction].kept.front
        let before = (unit.done, self[direction].answers.count)
        let isDone = pass(unit, direction, &run)
        if isDone { stream[direction].kept.removeFirst() }
        endLate(stream, isHeld: !isDone, &run)
        return isDone || before != (unit.done, self[direction].answers.count)
    }

    /// Sends what faults add to a stream where none of its frames wait.
    private func add(to id: UInt32, _ direction: Direction, _ run: inout RequestRun) -> Bool {
        let gap = StreamUnit(.gap(stream: id), prefix: 0)
        let known = self[direction].answers.count
        return ask(gap, direction, &run) == .again || self[direction].answers.count > known
    }

    /// Passes bytes of a unit as they are.
    private func pass(_ count: Int, of unit: StreamUnit, _ direction: Direction) -> Bool {
        guard count > 0 else { return false }
        self[direction].answers.append(.pass(count, contentOf: nil))
        take(count, of: unit, direction)
        return true
    }

    private func take(_ count: Int, of unit: StreamUnit, _ direction: Direction) {
        unit.left -= count
        if unit.left == 0 { self[direction].removeFront() }
    }

    /// Drops bytes of a stream that is no more.
    private func discard(_ count: Int, of unit: StreamUnit, _ direction: Direction) -> Bool {
        guard count > 0 else { return false }
        if case .block = unit.kind { self[direction].writeBlocks() }
        self[direction].answers.append(.drop(count, contentOf: nil))
        take(count, of: unit, direction)
        if unit.left == 0 { giveBack(unit.flowControlled, direction, stream: nil) }
        return true
    }
}
