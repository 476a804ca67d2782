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
/// 7541 §2.2). What is swallowed is given back to its sender's windows (RFC 9113 §6.9).
///
/// A stream that a fault holds does not hold the others: its frames are kept here, at most as many as
/// its receiver's window allows, and what they take of the connection's is lent. A stream that a fault has ended is forgotten by both sides' frames.
package final class StreamGates {
    /// What a client sends first (RFC 9113 §3.4).
    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let connection: UInt32
    private let hosts: HostOrdinals
    private let rewrites: RequestRewrites
    private var plan: RequestPlan
    private var prefaceLeft = StreamGates.preface.count
    private var up = StreamLane()
    private var down = StreamLane()
    var streams: [UInt32: GatedStream] = [:]
    /// Streams that a fault has ended: nothing more of them passes.
    var cut: Set<UInt32> = []
    /// The last stream that a fault lets the server take; nil for all.
    var lastTaken: UInt32?
    /// What a fault keeps from the client.
    var withheld = WithheldFrames()
    /// Requests so far.
    private(set) var requests: UInt32 = 0
    var notes: [GateNote] = []
    private var isClosed = false
    /// What servers are told of the path as it is now; nil for nothing.
    package var hints: RequestHints?
    /// What dates in answers are counted from.
    package var now = HTTPDate(secondsSince1970: 0)
    /// The time by which streams are slowed down, on any clock.
    package var nowNanoseconds: UInt64 = 0
    /// Whether a stream was slowed down.
    var hasPaced = false
    /// What resets the connection when another stream is opened, the first that waits for it.
    private var onNext: [ArmedFault] = []

    /// - Parameters:
    ///   - plan: the faults of the run in requests.
    ///   - connection: its ordinal at its listener, from 1.
    ///   - hosts: its ordinals among those to each host that faults name.
    ///   - rewrites: what every request is given.
    package init(
        plan: RequestPlan,
        connection: UInt32,
        hosts: HostOrdinals = [:],
        rewrites: RequestRewrites = RequestRewrites()
    ) {
        self.plan = plan
        self.connection = connection
        self.hosts = hosts
        self.rewrites = rewrites
        up.append(StreamUnit(.plain, prefix: Self.preface.count))
    }

    subscript(direction: Direction) -> StreamLane {
        @inline(__always) _read { if direction == .up { yield up } else { yield down } }
        @inline(__always) _modify { if direction == .up { yield &up } else { yield &down } }
    }

    // MARK: What comes in

    /// Looks at the next bytes of a direction; the client's begin with the preface.
    package func read(_ bytes: Span<UInt8>, _ direction: Direction) {
        guard !self[direction].isOpaque else { return }
        var bytes = bytes
        if direction == .up, prefaceLeft > 0 {
            let count = min(prefaceLeft, bytes.count)
            prefaceLeft -= count
            bytes = bytes.extracting(count...)
        }
        var events: [FrameReader.Event] = []
        self[direction].reader.read(bytes, into: &events)
        for event in events { take(event, bytes, direction) }
    }

    private func take(
        _ event: FrameReader.Event,
        _ bytes: Span<UInt8>,
        _ direction: Direction
    ) {
        switch event {
        case .frame(let header, let payload): take(header, payload, direction)
        case .block(let block, let size): take(block, size, direction)
        case .data(let stream, let prefix, let content, let padding, let endsStream):
            let isLive = streams[stream]?.isLive ?? false
            self[direction].dataStream = stream
            appendContent(stream, (prefix, content, padding), endsStream, isLive, direction)
            take(.content(content), of: stream, isLast: endsStream, direction)
        case .content(let range):
            let content = bytes.extracting(range)
            self[direction].keep(content)
            let stream = self[direction].dataStream
            streams[stream]?.gate.read(content: content, direction)
            stir(stream)
        case .malformed(let words): giveUp(words, direction)
        }
    }

    private func take(_ header: FrameHeader, _ payload: [UInt8], _ direction: Direction) {
        if header.kind == .settings, !header.flags.contains(.acknowledges) {
            readSettings(payload, from: direction)
        }
        let size = FrameHeader.size + header.length
        guard header.stream > 0 else {
            if header.kind == .windowUpdate { noteWindow(header, payload, direction) }
            if withheld.noteRead(header, payload, direction) { notes.append(.knowsGoAway) }
            return self[direction].append(
                StreamUnit(.connection(header, payload: payload), prefix: size)
            )
        }
        let isKnown = [.resetStream, .windowUpdate, .priority].contains(header.kind)
        self[direction].append(
            StreamUnit(isKnown ? .control(header, payload: payload) : .plain, prefix: size)
        )
        if header.kind == .windowUpdate { noteWindow(header, payload, direction) }
        guard header.kind == .resetStream else { return }
        streams[header.stream]?.gate.end(direction)
        // A server that takes no more of a request gives its answer free: no fault further on is reached.
        if direction == .down { streams[header.stream]?.gate.openGates() }
        stir(header.stream)
    }

    /// What a side says of its table and windows rules what it receives (RFC 9113 §6.5.2).
    private func readSettings(_ payload: [UInt8], from direction: Direction) {
        var rest = payload[...]
        while rest.count >= 6 {
            let size = UInt32(networkBytes: rest.dropFirst(2)) ?? 0
            switch Array(rest.prefix(2)) {
            case [0, Setting.headerTable.identifier]:
                self[direction.opposite].decoder.allow(table: size)
                self[direction.opposite].allow(table: size)
            case [0, Setting.initialWindow.identifier]:
                noteInitialWindow(min(size, 0x7FFF_FFFF), from: direction)
            default: break
            }
            rest.removeFirst(6)
        }
    }

    private func take(_ block: FrameReader.Block, _ size: Int, _ direction: Direction) {
        do throws(FieldCompressionError) {
            let fields = try self[direction].decoder.decode(block.fragment)
            let written = direction == .up ? named(fields) : fields
            self[direction].append(StreamUnit(.block(block, written), prefix: size))
            guard block.promised == nil else { return }
            if direction == .up, streams[block.stream] == nil { open(block.stream, fields) }
            take(.block(fields), of: block.stream, isLast: block.endsStream, direction)
        } catch {
            giveUp(error.words, direction)
        }
    }

    /// The fields of a request that name the host that servers are told; trailers stay.
    private func named(_ fields: [BlockField]) -> [BlockField] {
        guard let host = rewrites.host, fields.contains(where: { $0.name == ":path" }) else {
            return fields
        }
        up.writeBlocks()
        var named = fields.filter { $0.name != "host" }
        let authority = BlockField(":authority", host)
        if let place = named.firstIndex(where: { $0.name == ":authority" }) {
            named[place] = authority
        } else {
            named.insert(authority, at: 0)
        }
        return named
    }

    private func open(_ stream: UInt32, _ fields: [BlockField]) {
        guard RequestHead(fields) != nil, !cut.contains(stream) else { return }
        guard stream <= lastTaken ?? .max else {
            cut.insert(stream)
            if withheld.clientKnowsGoAway { notes.append(.lateStream) }
            return
        }
        guard onNext.isEmpty || !streams.isEmpty else {
            cut.insert(stream)
            return self[.down].answers.append(.act(onNext.removeFirst()))
        }
        // Which stream finds the connection idle is then up to timing.
        onNext = onNext.map(\.racy)
        requests += 1
        streams[stream] = GatedStream(
            id: stream,
            request: requests,
            gate: FaultGate(
                stream: requests,
                plan: plan,
                connection: connection,
                hosts: hosts,
                rewrites: rewrites
            ),
            isLive: rewrites.addsHints || plan.concerns(connection: connection, hosts: hosts),
            up: GatedStream.Lane(window: up.initialWindow),
            down: GatedStream.Lane(window: down.initialWindow)
        )
    }

    private enum Part {
        case block([BlockField])
        case content(Int)
    }

    private func take(
        _ part: Part,
        of stream: UInt32,
        isLast: Bool,
        _ direction: Direction
    ) {
        switch part {
        case .block(let fields): streams[stream]?.gate.take(fields, isLast: isLast, direction)
        case .content(let count): streams[stream]?.gate.take(count, isLast: isLast, direction)
        }
        stir(stream)
    }

    /// Notes that the gate of a stream may have more to say than it has said.
    ///
    /// Only such streams are asked when none of their frames is at the front: with many streams under
    /// way, most have nothing to add.
    func stir(_ id: UInt32) {
        guard streams[id]?.isLive == true else { return }
        up.stirred.insert(id)
        down.stirred.insert(id)
    }

    /// Parts of DATA whose sizes do not depend on how they are read.
    private func appendContent(
        _ stream: UInt32,
        _ wire: (prefix: Int, content: Int, padding: Int),
        _ endsStream: Bool,
        _ isLive: Bool,
        _ direction: Direction
    ) {
        let most = FrameWriter.maximumPayload
        self[direction].beginContent(isKept: isLive)
        guard isLive, wire.content > most else {
            let kind = StreamUnit.Kind.data(stream: stream, endsStream: endsStream)
            return self[direction].append(
                StreamUnit(kind, prefix: wire.prefix, content: wire.content, padding: wire.padding)
            )
        }
        var left = wire.content
        while left > 0 {
            let isFirst = left == wire.content
            let isLast = left <= most
            var unit = StreamUnit(
                .data(stream: stream, endsStream: isLast && endsStream),
                prefix: isFirst ? wire.prefix : 0,
                content: min(left, most),
                padding: isLast ? wire.padding : 0
            )
            unit.isAltered = true
            self[direction].append(unit)
            left -= unit.wire.content
        }
    }

    /// Passes everything of a direction as it is from here on.
    private func giveUp(_ words: String, _ direction: Direction) {
        self[direction].isOpaque = true
        notes.append(.opaque(direction, .malformed(.malformed(words))))
        end(direction)
    }

    /// Notes that the sender of a direction has ended.
    package func end(_ direction: Direction) {
        forEachGate { $0.end(direction, isOrderly: false) }
    }

    func forEachGate(_ change: (inout FaultGate) -> Void) {
        for id in streams.keys.sorted() {
            guard let stream = streams[id] else { continue }
            change(&stream.gate)
            stir(id)
        }
    }

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
            guard advance(direction, available, &run) else { return .wait }
        }
    }

    /// What becomes of bytes that are no unit: a part of a frame's header, or what nobody understands.
    private func rest(
        _ direction: Direction,
        _ available: Int,
        _ ended: Bool
    ) -> FaultGate.Answer {
        if available > 0, ended || self[direction].isOpaque {
            return .pass(available, contentOf: nil)
        }
        return available == 0 && ended ? .finish : .wait
    }

    /// Moves the front unit on; false if there are not enough bytes of it.
    private func advance(
        _ direction: Direction,
        _ available: Int,
        _ run: inout RequestRun
    ) -> Bool {
        var unit = self[direction].front
        let count = min(available, unit.left)
        if case .plain = unit.kind { return pass(count, of: &unit, direction) }
        if case .connection(let header, let payload) = unit.kind {
            guard count > 0 else { return false }
            if unit.left == unit.wire.prefix {
                unit.isDropped =
                    withheld.withholds(header, payload, direction)
                    || repays(header, payload, direction)
            }
            return unit.isDropped
                ? discard(count, of: &unit, direction) : pass(count, of: &unit, direction)
        }
        if cut.contains(unit.stream) { return discard(count, of: &unit, direction) }
        guard let stream = streams[unit.stream], stream.isLive else {
            return passQuietly(count, of: &unit, direction, &run)
        }
        guard count == unit.left else { return false }
        if stream.isLate, direction == .down || !unit.hasContent {
            return discard(count, of: &unit, direction)
        }
        self[direction].removeFront()
        if stream[direction].kept.isEmpty || unit.overtakes(direction, stream) {
            let isHeld = !pass(&unit, direction, &run)
            guard isHeld else { return true }
        }
        remove(&unit, direction)
        stream[direction].kept.append(unit)
        stir(unit.stream)
        lend(for: unit.stream, direction)
        return true
    }

    /// Passes what waits behind something that holds no longer, and what faults add where nothing waits;
    /// whether there was any.
    private func release(_ direction: Direction, _ run: inout RequestRun) -> Bool {
        var place = 0
        while let id = self[direction].stirred[place] {
            if releases(id, direction, &run) { return true }
            if streams[id]?[direction].kept.isEmpty == false {
                place += 1
            } else {
                self[direction].stirred.remove(id)
            }
        }
        return false
    }

    private func releases(_ id: UInt32, _ direction: Direction, _ run: inout RequestRun) -> Bool {
        guard let stream = streams[id] else { return false }
        guard !stream[direction].kept.isEmpty else { return add(to: id, direction, &run) }
        var unit = stream[direction].kept.removeFirst()
        let before = (unit.done, self[direction].answers.count)
        let isDone = pass(&unit, direction, &run)
        if !isDone { stream[direction].kept.insert(unit, at: 0) }
        if stream.hasHadItsShare(isHeld: !isDone) {
            cut.insert(id)
            forget(id, &run)
        }
        return isDone || before != (unit.done, self[direction].answers.count)
    }

    /// Sends what faults add to a stream where none of its frames wait.
    private func add(to id: UInt32, _ direction: Direction, _ run: inout RequestRun) -> Bool {
        var gap = StreamUnit(.gap(stream: id), prefix: 0)
        return ask(&gap, direction, &run) == .again
    }

    /// Passes bytes of a unit as they are.
    private func pass(_ count: Int, of unit: inout StreamUnit, _ direction: Direction) -> Bool {
        guard count > 0 else { return false }
        self[direction].answers.append(.pass(count, contentOf: nil))
        take(count, of: &unit, direction)
        return true
    }

    private func take(_ count: Int, of unit: inout StreamUnit, _ direction: Direction) {
        unit.left -= count
        if unit.left > 0 {
            self[direction].front = unit
        } else {
            self[direction].removeFront()
        }
    }

    /// Drops bytes of a stream that is no more.
    private func discard(_ count: Int, of unit: inout StreamUnit, _ direction: Direction) -> Bool {
        guard count > 0 else { return false }
        if case .block = unit.kind { self[direction].writeBlocks() }
        self[direction].answers.append(.drop(count, contentOf: nil))
        take(count, of: &unit, direction)
        if unit.left == 0 { giveBack(unit.flowControlled, direction, stream: nil) }
        return true
    }

    // MARK: What is seen of it

    /// Returns what has been seen and done since the last time, but for the end of content that the
    /// connection is still to pass.
    package func takeNotes() -> [GateNote] {
        guard !notes.isEmpty else { return [] }
        let ahead = isClosed ? [] : notes.filter(isAhead)
        defer { notes = ahead }
        return ahead.isEmpty ? notes : notes.filter { !isAhead($0) }
    }

    private func isAhead(_ note: GateNote) -> Bool {
        guard case .body(let body) = note else { return false }
        return self[body.direction].answers.contains { $0.content == body.request }
    }

    /// Ends what holds a stream back because of this fault.
    package func resume(_ fault: ArmedFault) {
        guard let stream = streams.values.first(where: { $0.request == fault.request }) else {
            return
        }
        stream.gate.resume(fault.direction)
        stir(stream.id)
    }

    /// Goes by another plan from the next stream on.
    package func adopt(_ plan: RequestPlan) { self.plan = plan }

    /// The direction in which an end waits for its receiver to take what is before it.
    package var directionToEnd: Direction? {
        Direction.allCases.first { !self[$0].endings.isEmpty }
    }

    /// Notes that the receiver of a direction has taken all that has passed.
    package func noteTaken(_ direction: Direction) {
        self[direction].urgent = self[direction].endings + self[direction].urgent
        self[direction].endings = []
    }

    package var awaitsDelivery: Bool { streams.values.contains(where: \.awaitsDelivery) }

    package func noteAnswerDelivered() { forEachGate { $0.noteAnswerDelivered() } }

    /// Notes what did not happen and did not end; call it once, when the connection is over.
    package func close(run: inout RequestRun) {
        isClosed = true
        for id in streams.keys.sorted() { forget(id, &run) }
        notes += onNext.map { .unreached($0, .connectionEnded) }
    }

    /// Forgets a stream, with what is left to say of it; what was kept of it is thrown away.
    func forget(_ id: UInt32, _ run: inout RequestRun, cutIn direction: Direction? = nil) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        for side in Direction.allCases { giveBack(stream[side].waiting, side, stream: nil) }
        if let fault = stream.gate.takeResetOnNext(run) { onNext.append(fault) }
        if stream.isLive, !stream.up.hasBegun { cut.insert(id) }
        stream.gate.close(run: &run)
        let direction = stream.isLate ? .up : direction
        for note in stream.gate.takeNotes() {
            notes.append(direction.map { note.cut(in: $0) } ?? note)
        }
    }
}

extension FaultGate.Answer {
    /// The request whose content it moves; nil if it moves none.
    fileprivate var content: UInt32? {
        switch self {
        case .pass(_, let request), .drop(_, let request), .insert(_, let request): request
        case .act, .endPace, .finish, .wait: nil
        }
    }
}
