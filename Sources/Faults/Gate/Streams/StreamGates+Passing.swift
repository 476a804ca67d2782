internal import Basics
internal import HTTP2
internal import HTTPWire

// How the units of a stream pass its gate.
extension StreamGates {
    /// Passes bytes of a stream on which nothing acts, as they come.
    func passQuietly(
        _ count: Int,
        of unit: StreamUnit,
        _ direction: Direction,
        _ run: inout RequestRun
    ) -> Bool {
        guard count > 0, !exceedsWindow(unit, direction) else { return false }
        switch unit.kind {
        case .plain, .connection, .gap, .control, .block:
            guard count == unit.left else { return false }
            noteQuietly(unit.size, of: unit, direction, &run)
            write(unit, direction)
        case .data:
            let start = unit.wire.prefix + unit.wire.content + unit.wire.padding - unit.left
            let content = start..<start + count
            let place = unit.wire.prefix..<unit.wire.prefix + unit.wire.content
            let part = content.clamped(to: place)
            noteQuietly(part.count, of: unit, direction, &run)
            let request = streams[unit.stream]?.request
            let before = max(0, min(place.lowerBound, content.upperBound) - start)
            append(.pass(before, contentOf: nil), direction)
            append(.pass(part.count, contentOf: request), direction)
            append(.pass(count - before - part.count, contentOf: nil), direction)
        }
        unit.left -= count
        guard unit.left == 0 else { return true }
        self[direction].removeFront()
        spend(unit.flowControlled, direction, unit.stream)
        if unit.endsStream || unit.resetsStream { noteEnd(of: unit, direction, &run) }
        return true
    }

    private func append(_ answer: FaultGate.Answer, _ direction: Direction) {
        if case .pass(0, _) = answer { return }
        self[direction].answers.append(answer)
    }

    private func noteQuietly(
        _ count: Int,
        of unit: StreamUnit,
        _ direction: Direction,
        _ run: inout RequestRun
    ) {
        guard let stream = streams[unit.stream] else { return }
        var left = count
        while left > 0 {
            let answer = stream.gate.next(direction, available: left, ended: false, run: &run)
            guard case .pass(let passed, _) = answer else { break }
            left -= passed
        }
        notes += stream.gate.takeNotes()
    }

    private func noteEnd(
        of unit: StreamUnit,
        _ direction: Direction,
        _ run: inout RequestRun
    ) {
        let id = unit.stream
        if !unit.resetsStream {
            _ = streams[id]?.gate.next(direction, available: 0, ended: true, run: &run)
            notes += streams[id]?.gate.takeNotes() ?? []
            streams[id]?[direction].hasEnded = true
        }
        if unit.resetsStream || streams[id]?.isOver == true { forget(id, &run) }
    }

    /// Passes a whole unit that nothing changes; its fields are written anew where others were.
    private func write(_ unit: StreamUnit, _ direction: Direction) {
        if case .block(let block, let fields) = unit.kind, let encoder = self[direction].encoder {
            var block = block
            block.fragment = encoder.encode(fields)
            self[direction].answers.append(.insert(FrameWriter.block(block), contentOf: nil))
            self[direction].answers.append(.drop(unit.left, contentOf: nil))
        } else {
            self[direction].answers.append(.pass(unit.left, contentOf: nil))
        }
    }

    // MARK: Where something may act

    /// Lets a whole unit pass its stream's gate, as far as that allows; false if something holds it.
    func pass(
        _ unit: StreamUnit,
        _ direction: Direction,
        _ run: inout RequestRun
    ) -> Bool {
        if case .control(let header, let payload) = unit.kind {
            passControl(header, payload, unit, direction, &run)
            return true
        }
        guard mayOpen(unit, direction) else { return false }
        while streams[unit.stream] != nil {
            switch ask(unit, direction, &run) {
            case .again: continue
            case .end:
                complete(unit, direction)
                streams[unit.stream]?[direction].hasEnded = true
                if streams[unit.stream]?.isOver == true { forget(unit.stream, &run) }
                return true
            case .nothing:
                if unit.done == unit.size, !unit.endsStream {
                    complete(unit, direction)
                    return true
                }
                sendContent(of: unit, direction)
                return false
            }
        }
        // A fault has ended the stream: what is left of it is for nobody.
        if !unit.isKept { giveBack(unit.unsent, direction, stream: nil) }
        remove(unit, direction)
        return true
    }

    /// Whether a head may pass that opens a stream: not before one of a lower number that waits, which
    /// the server would take for closed (RFC 9113 §5.1.1).
    private func mayOpen(_ unit: StreamUnit, _ direction: Direction) -> Bool {
        guard case .block = unit.kind, direction == .up, streams[unit.stream]?.up.hasBegun == false
        else { return true }
        return !streams.values.contains {
            $0.id < unit.stream && !$0.up.hasBegun && !$0.up.kept.isEmpty
        }
    }

    enum Step {
        case again
        /// The message has passed to its end.
        case end
        /// Nothing more passes now.
        case nothing
    }

    /// Asks the gate of a unit's stream once, and does what it says.
    func ask(
        _ unit: StreamUnit,
        _ direction: Direction,
        _ run: inout RequestRun
    ) -> Step {
        guard let stream = streams[unit.stream], addContent(at: unit, stream, direction) else {
            return .nothing
        }
        let offer = offer(of: unit, direction)
        let changes = stream.changes
        stream.gate.now = now
        stream.gate.hints = hints
        let isEnd = unit.endsStream && unit.done == unit.size
        let answer = stream.gate.next(direction, available: offer.count, ended: isEnd, run: &run)
        notes += stream.gate.takeNotes()
        noteHold(of: unit, stream, direction, offer, answer)
        if answer != .wait || stream.changes != changes { stir(unit.stream) }
        switch answer {
        case .pass(let count, _):
            unit.done += count
            stream[direction].pace?.spend(count)
        case .drop(let count, _) where unit.passReplaced(count): break
        case .drop(let count, _): drop(count, of: unit, direction)
        case .insert(let bytes, contentOf: .some): unit.replace(with: bytes)
        case .insert(let bytes, _): insert(bytes, at: unit, direction)
        case .endPace: stream[direction].pace = nil
        case .act(let fault): act(fault, at: unit, direction, &run)
        case .finish: return .end
        case .wait: return .nothing
        }
        return .again
    }

    private func passControl(
        _ header: FrameHeader,
        _ payload: [UInt8],
        _ unit: StreamUnit,
        _ direction: Direction,
        _ run: inout RequestRun
    ) {
        if direction == .up, streams[header.stream]?.up.hasBegun == false {
            // Of a stream that the server has not heard of.
            return remove(unit, direction)
        }
        if withholds(header, payload, direction) {
            return remove(unit, direction)
        }
        if unit.left > 0 {
            self[direction].answers.append(.pass(unit.left, contentOf: nil))
        } else {
            let bytes = FrameWriter.frame(header.kind, header.flags, stream: header.stream, payload)
            self[direction].answers.append(.insert(bytes, contentOf: nil))
        }
        unit.left = 0
        if unit.resetsStream { forget(header.stream, &run) }
    }

    private func drop(_ count: Int, of unit: StreamUnit, _ direction: Direction) {
        if case .data = unit.kind {
            sendContent(of: unit, direction)
            leave(count, of: unit, direction)
            giveBack(count, direction, stream: unit.stream)
        } else {
            unit.isDropped = true
        }
        unit.done += count
        unit.isAltered = true
    }

    /// Sends what a fault adds: fields of a head that is passing, the head of an answer, or a message
    /// inside the content.
    private func insert(_ bytes: [UInt8], at unit: StreamUnit, _ direction: Direction) {
        if case .block = unit.kind, unit.done > 0, unit.done < unit.size {
            let fields = HeaderFields(lines: bytes).block
            unit.added += fields
            unit.isAltered = true
        } else if let lane = streams[unit.stream]?[direction], lane.hasHead {
            guard !lane.hasEnded else { return }
            lane.added += bytes
            lane.window.owe(bytes.count)
            self[direction].window.owe(bytes.count)
        } else if let head = ResponseHead(bytes: bytes) {
            send(head, direction, stream: unit.stream)
        }
    }

    /// Sends as much of a message that a fault adds to the content as its receiver has room for.
    ///
    /// - Returns: whether all of it is sent.
    private func addContent(
        at unit: StreamUnit,
        _ stream: GatedStream,
        _ direction: Direction
    ) -> Bool {
        let lane = stream[direction]
        guard !lane.added.isEmpty else { return true }
        sendContent(of: unit, direction)
        while !lane.added.isEmpty {
            let room = min(self[direction].window.room, lane.window.room)
            let part = lane.added.prefix(min(max(0, room), FrameWriter.maximumPayload))
            guard !part.isEmpty else {
                lane.isShort = true
                return false
            }
            lane.added = lane.added.dropFirst(part.count)
            let frame = FrameWriter.data(part, endsStream: false, stream: unit.stream)
            self[direction].answers.append(.insert(frame, contentOf: nil))
            spend(part.count, direction, unit.stream)
        }
        return true
    }

    /// Sends the head of an answer; it is the whole answer if it declares no content.
    private func send(_ head: ResponseHead, _ direction: Direction, stream: UInt32) {
        self[direction].writeBlocks()
        let length = (try? head.fields.contentLength()) ?? nil
        let isWhole = !head.isInterim && length == 0
        var block = FrameReader.Block(stream: stream, endsStream: isWhole, fragment: [])
        block.fragment = self[direction].encoder?.encode(head.block) ?? []
        self[direction].answers.append(.insert(FrameWriter.block(block), contentOf: nil))
        streams[stream]?[direction].hasBegun = true
        if !head.isInterim { streams[stream]?[direction].hasHead = true }
        if isWhole { streams[stream]?[direction].hasEnded = true }
    }

    /// Sends content that has passed the gate and waits for more of its frame.
    func sendContent(of unit: StreamUnit, _ direction: Direction, endsStream: Bool = false) {
        guard case .data(let stream, _) = unit.kind, unit.sent < unit.done || endsStream else {
            return
        }
        unit.isAltered = true
        let part = unit.content[unit.sent..<unit.done]
        var frame: [UInt8] = []
        let flags: FrameFlags = endsStream ? .endStream : []
        FrameHeader(.data, flags, stream: stream, length: part.count).append(to: &frame)
        self[direction].answers.append(.insert(frame, contentOf: nil))
        if !part.isEmpty {
            let request = streams[stream]?.request
            self[direction].answers.append(.insert(Array(part), contentOf: request))
            spend(part.count, direction, stream)
            leave(part.count, of: unit, direction)
        }
    }

    /// Sends trailers that have passed the gate, before what ends the stream after them.
    func sendTrailers(of unit: StreamUnit, _ direction: Direction) {
        guard case .block(let block, _) = unit.kind, block.endsStream, unit.done == unit.size,
            streams[block.stream]?[direction].hasHead == true
        else { return }
        complete(unit, direction)
        streams[block.stream]?[direction].hasEnded = true
    }

    /// Ends a unit that has passed its gate to its end.
    private func complete(_ unit: StreamUnit, _ direction: Direction) {
        let isFront = unit.left > 0
        switch unit.kind {
        case .plain, .connection, .gap, .control: break
        case .block(let block, let fields):
            guard !unit.isDropped else { break }
            if unit.isAltered { self[direction].writeBlocks() }
            if !isFront || self[direction].encoder != nil {
                self[direction].writeBlocks()
                var block = block
                block.fragment = self[direction].encoder?.encode(fields + unit.added) ?? []
                self[direction].answers.append(.insert(FrameWriter.block(block), contentOf: nil))
            } else {
                self[direction].answers.append(.pass(unit.left, contentOf: nil))
                unit.left = 0
            }
            noteHead(fields, of: block.stream, direction)
        case .data(let stream, let endsStream):
            guard unit.isAltered || !isFront else {
                passContent(of: unit, direction)
                break
            }
            if streams[stream]?[direction].hasBegun == true {
                sendContent(of: unit, direction, endsStream: endsStream)
            }
            // Padding is not sent on, but was paid for.
            let rest = unit.unsent
            leave(rest, of: unit, direction)
            giveBack(rest, direction, stream: stream)
        }
        if unit.isDropped, unit.endsStream, streams[unit.stream]?[direction].hasHead == true,
            streams[unit.stream]?[direction].hasEnded == false
        {
            self[direction].answers.append(
                .insert(FrameWriter.data([], endsStream: true, stream: unit.stream), contentOf: nil)
            )
        }
        remove(unit, direction)
    }

    private func noteHead(_ fields: [BlockField], of stream: UInt32, _ direction: Direction) {
        streams[stream]?[direction].hasBegun = true
        let isInterim = ResponseHead(fields)?.isInterim ?? false
        if direction == .up || !isInterim { streams[stream]?[direction].hasHead = true }
    }

    private func passContent(of unit: StreamUnit, _ direction: Direction) {
        let request = streams[unit.stream]?.request
        append(.pass(unit.wire.prefix, contentOf: nil), direction)
        append(.pass(unit.wire.content, contentOf: request), direction)
        append(.pass(unit.wire.padding, contentOf: nil), direction)
        spend(unit.flowControlled, direction, unit.stream)
        unit.left = 0
    }

    /// Takes what is left of a unit out of the queue.
    func remove(_ unit: StreamUnit, _ direction: Direction) {
        guard unit.left > 0 else { return }
        if case .block = unit.kind { self[direction].writeBlocks() }
        self[direction].answers.append(.drop(unit.left, contentOf: nil))
        unit.left = 0
    }
}

extension GatedStream {
    /// Whether its server has what was to reach it late: its end, or all before what is held.
    func hasHadItsShare(isHeld: Bool) -> Bool {
        isLate && (up.hasEnded || isHeld && gate.hasPassedLateBytes)
    }
}

extension StreamUnit {
    /// Whether it passes though something of its stream is held: what one direction waits for must not
    /// hold the other, nor must a receiver that does not read keep a reset from itself.
    func overtakes(_ direction: Direction, _ stream: GatedStream) -> Bool {
        guard case .control(let header, _) = kind,
            header.kind == .windowUpdate || resetsStream && stream[direction].isShort
        else { return false }
        return direction == .down || stream.up.hasBegun
    }

    /// Whether it is of a message.
    var hasContent: Bool {
        switch kind {
        case .block, .data: true
        case .plain, .connection, .gap, .control: false
        }
    }

    var resetsStream: Bool {
        if case .control(let header, _) = kind { return header.kind == .resetStream }
        return false
    }
}
