import Basics
import Faults
import HTTP2
import HTTPWire

/// A connection with HTTP/2 and `StreamGates` in the middle, in which all that moves is kept.
struct StreamWire {
    let gates: StreamGates
    var run = RequestRun()
    /// Bytes shown and offered at a time.
    let slice: Int
    private var waiting: [Direction: [UInt8]] = [.up: [], .down: []]
    /// All that was sent, and all that was received.
    private(set) var sent: [Direction: [UInt8]] = [.up: [], .down: []]
    private(set) var got: [Direction: [UInt8]] = [.up: [], .down: []]
    private(set) var notes: [GateNote] = []
    private(set) var acted: [ArmedFault] = []
    /// Directions whose senders have ended, and those whose ends have passed.
    private var ended: Set<Direction> = []
    private(set) var finished: Set<Direction> = []
    /// Content that has moved, by direction and request.
    private var moved: [[UInt32: UInt64]] = [[:], [:]]
    /// Ends of content that were told before all of it had moved.
    private(set) var earlyEnds = 0
    private let encoders: [Direction: FieldEncoder] = [.up: FieldEncoder(), .down: FieldEncoder()]

    init(
        _ faults: [String] = [],
        host: String? = nil,
        slice: Int = .max,
        mostLent: Int = 16_777_216
    ) throws {
        let plan = FaultPlan(faults: try faults.map { try Fault(parsing: $0) }, seed: 1)
        gates = StreamGates(
            plan: plan.requests,
            connection: 1,
            rewrites: RequestRewrites(host: host),
            mostLent: mostLent
        )
        gates.now = HTTPDate(secondsSince1970: 784_111_777)
        self.slice = slice
        send(StreamGates.preface, .up)
    }

    // What the two sides send.

    mutating func send(_ bytes: [UInt8], _ direction: Direction) {
        sent[direction, default: []] += bytes
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(slice))
            rest = rest.dropFirst(part.count)
            gates.read(part.span, direction)
            waiting[direction, default: []] += part
            drain()
        }
    }

    mutating func request(_ stream: UInt32, _ method: String = "GET", body: Int? = nil) {
        let fields = [
            BlockField(":method", method), BlockField(":scheme", "http"),
            BlockField(":authority", "x"), BlockField(":path", "/big.bin"),
        ]
        block(fields, stream, .up, endsStream: body == nil)
    }

    mutating func answer(_ stream: UInt32, _ status: Int = 200, length: Int? = nil) {
        let fields =
            [BlockField(":status", "\(status)")]
            + (length.map { [BlockField("content-length", "\($0)")] } ?? [])
        block(fields, stream, .down, endsStream: length == 0)
    }

    mutating func block(
        _ fields: [BlockField],
        _ stream: UInt32,
        _ direction: Direction,
        endsStream: Bool
    ) {
        let fragment = encoders[direction]?.encode(fields) ?? []
        let block = FrameReader.Block(stream: stream, endsStream: endsStream, fragment: fragment)
        send(FrameWriter.block(block), direction)
    }

    mutating func data(
        _ stream: UInt32,
        _ text: String,
        _ direction: Direction = .down,
        endsStream: Bool = false
    ) {
        send(FrameWriter.data(text.utf8, endsStream: endsStream, stream: stream), direction)
    }

    mutating func end(_ direction: Direction) {
        ended.insert(direction)
        gates.end(direction)
        drain()
    }

    mutating func close() {
        gates.close(run: &run)
        notes += gates.takeNotes()
    }

    mutating func resume() {
        for fault in acted { gates.resume(fault) }
        drain()
    }

    /// Lets time pass in virtual steps until no stream waits for it; what moved in each step.
    @discardableResult
    mutating func wait(upTo limit: Instant = .never) -> [Instant] {
        var times: [Instant] = []
        while let time = gates.wakesAt, time <= limit {
            gates.time = time
            times.append(time)
            guard drain() else { break }
        }
        return times
    }

    /// What the sender of a direction has been given beyond its first window, less what it has used.
    func credit(_ stream: UInt32, _ direction: Direction) -> Int {
        balance(granted: got[direction.opposite], used: sent[direction], stream, direction)
    }

    /// What the receiver of a direction has room for beyond its first window.
    func room(_ stream: UInt32, _ direction: Direction) -> Int {
        balance(granted: sent[direction.opposite], used: got[direction], stream, direction)
    }

    private func balance(
        granted: [UInt8]?,
        used: [UInt8]?,
        _ stream: UInt32,
        _ direction: Direction
    ) -> Int {
        var sum = 0
        Self.forEachFrame(granted, isClient: direction == .down) { header, payload in
            guard header.kind == .windowUpdate, header.stream == stream else { return }
            sum += Int(UInt32(networkBytes: payload) ?? 0)
        }
        Self.forEachFrame(used, isClient: direction == .up) { header, _ in
            guard header.kind == .data, stream == 0 || header.stream == stream else { return }
            sum -= header.length
        }
        return sum
    }

    private static func forEachFrame(
        _ bytes: [UInt8]?,
        isClient: Bool,
        _ body: (FrameHeader, [UInt8]) -> Void
    ) {
        let bytes = bytes ?? []
        var place = isClient ? StreamGates.preface.count : 0
        while place + FrameHeader.size <= bytes.count {
            let length = bytes[place..<place + 3].reduce(0) { $0 << 8 | Int($1) }
            let end = place + FrameHeader.size + length
            guard end <= bytes.count else { return }
            let header = FrameHeader(
                FrameKind(rawValue: bytes[place + 3]),
                FrameFlags(rawValue: bytes[place + 4]),
                stream: UInt32(networkBytes: bytes[(place + 5)...]) ?? 0,
                length: length
            )
            body(header, Array(bytes[place + FrameHeader.size..<end]))
            place = end
        }
    }

    // What moves.

    /// Moves what can be moved; whether there was anything.
    @discardableResult
    private mutating func drain() -> Bool {
        var rounds = 0
        var hasMoved = true
        while hasMoved {
            rounds += 1
            hasMoved = step(.up)
            hasMoved = step(.down) || hasMoved
            if gates.awaitsDelivery {
                gates.noteAnswerDelivered()
                hasMoved = true
            }
            if let direction = gates.directionToEnd {
                gates.noteTaken(direction)
                hasMoved = true
            }
        }
        notes += gates.takeNotes()
        return rounds > 1
    }

    private mutating func step(_ direction: Direction) -> Bool {
        let queue = waiting[direction] ?? []
        guard !finished.contains(direction) else { return false }
        let answer = gates.next(
            direction,
            available: queue.count,
            ended: ended.contains(direction),
            run: &run
        )
        switch answer {
        case .pass(let count, _):
            got[direction, default: []] += queue.prefix(count)
            waiting[direction] = Array(queue.dropFirst(count))
        case .drop(let count, _): waiting[direction] = Array(queue.dropFirst(count))
        case .insert(let bytes, _): got[direction, default: []] += bytes
        case .act(let fault): acted.append(fault)
        case .finish: finished.insert(direction)
        case .endPace: break
        case .wait: return false
        }
        count(answer, direction)
        return true
    }

    private mutating func count(_ answer: FaultGate.Answer, _ direction: Direction) {
        let side = direction == .up ? 0 : 1
        switch answer {
        case .pass(let count, let request?), .drop(let count, let request?):
            moved[side][request, default: 0] += UInt64(count)
        case .insert(let bytes, let request?):
            moved[side][request, default: 0] += UInt64(bytes.count)
        default: break
        }
        for note in gates.takeNotes() {
            notes.append(note)
            guard case .body(let body) = note else { continue }
            let count = moved[body.direction == .up ? 0 : 1][body.request] ?? 0
            if count < body.bytes { earlyEnds += 1 }
        }
    }

    // What the receivers make of it.

    /// Each frame in a few words, as its receiver reads it.
    func frames(_ direction: Direction) -> [String] {
        var bytes = got[direction] ?? []
        if direction == .up { bytes.removeFirst(StreamGates.preface.count) }
        var reader = FrameReader()
        var events: [FrameReader.Event] = []
        reader.read(bytes.span, into: &events)
        let decoder = FieldDecoder()
        return events.compactMap { event in
            switch event {
            case .frame(let header, let payload):
                return Self.words(header, payload)
            case .block(let block, _):
                let fields = (try? decoder.decode(block.fragment)) ?? [BlockField("?", "?")]
                let texts = fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
                return "\(block.stream) \(texts)\(block.endsStream ? " end" : "")"
            case .data(let stream, _, let content, _, let endsStream):
                return "\(stream) data \(content)\(endsStream ? " end" : "")"
            case .content: return nil
            case .malformed(let words): return words
            }
        }
    }

    private static func words(_ header: FrameHeader, _ payload: [UInt8]) -> String {
        let number = UInt32(networkBytes: payload) ?? 0
        return switch header.kind {
        case .resetStream: "\(header.stream) \(ErrorCode(rawValue: number).name)"
        case .windowUpdate: "\(header.stream) window \(number)"
        default: "\(header.stream) frame \(header.kind.rawValue)"
        }
    }

    /// Content that arrived on a stream.
    func content(_ stream: UInt32, _ direction: Direction = .down) -> String {
        String(decoding: contentBytes(stream, direction), as: UTF8.self)
    }

    func contentBytes(_ stream: UInt32, _ direction: Direction = .down) -> [UInt8] {
        let bytes = got[direction] ?? []
        let start = direction == .up ? StreamGates.preface.count : 0
        var text: [UInt8] = []
        var place = start
        while place + 9 <= bytes.count {
            let length = bytes[place..<place + 3].reduce(0) { $0 << 8 | Int($1) }
            let id = UInt32(networkBytes: bytes[(place + 5)...])
            if bytes[place + 3] == 0, id == stream {
                let isPadded = bytes[place + 4] & 8 != 0
                let content = bytes[place + 9..<place + 9 + length]
                text +=
                    isPadded
                    ? content.dropFirst().dropLast(Int(content[content.startIndex])) : content
            }
            place += 9 + length
        }
        return text
    }

    var fired: [String] {
        notes.compactMap { if case .fired(let fault) = $0 { fault.id } else { nil } }
    }

    var unreached: [String] {
        notes.compactMap { note in
            guard case .unreached(let fault, let reason) = note else { return nil }
            return "\(fault.id): \(reason)"
        }
    }

    var bodies: [BodyNote] {
        notes.compactMap { if case .body(let body) = $0 { body } else { nil } }
    }
}
