package import Basics
internal import HTTP2
internal import HTTPWire

// What comes in: frames become units, and gates are told what their streams bring.
extension StreamGates {
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
            if controlRules.noteRead(header, payload, direction) { notes.append(.knowsGoAway) }
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
        // A server that refuses the rest releases its answer: later faults are not reached.
        if direction == .down { streams[header.stream]?.gate.openGates() }
        stir(header.stream)
    }

    /// A side's table and window settings apply to what it receives (RFC 9113 §6.5.2).
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
            if controlRules.clientKnowsGoAway { notes.append(.lateStream) }
            return
        }
        guard onNext.isEmpty || !streams.isEmpty else {
            cut.insert(stream)
            return self[.down].answers.append(.act(onNext.removeFirst()))
        }
        // Which stream finds the connection idle is then a race.
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
            let unit = StreamUnit(
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
        forEachGate { $0.end(direction, isOrderly: false) }
    }

    /// Goes by another plan from the next stream on.
    package func adopt(_ plan: RequestPlan) { self.plan = plan }

    /// Notes that the sender of a direction has ended.
    package func end(_ direction: Direction) {
        self[direction].hasEnded = true
        forEachGate { $0.end(direction, isOrderly: false) }
    }

    func forEachGate(_ change: (inout FaultGate) -> Void) {
        for id in streams.keys.sorted() {
            guard let stream = streams[id] else { continue }
            change(&stream.gate)
            stir(id)
        }
    }
}
