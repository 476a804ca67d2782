import Basics
import Faults
import FuzzSupport
import HTTP2

/// One connection with HTTP/2 in front of its gate.
struct StreamDrive: ~Copyable {
    private var gate: ConnectionGate
    private var run = RequestRun()
    private let slice: Int
    /// Whether some of what comes is no frame, which the end lets through in part.
    private var isRaw = false
    private var waiting: [Direction: [UInt8]] = [.up: [], .down: []]
    private(set) var got: [Direction: [UInt8]] = [.up: [], .down: []]
    private var stalls: [ArmedFault] = []
    private var isOver = false
    /// Whether both sides have ended, and in which directions that has passed.
    private var hasEnded = false
    private var finished: Set<Direction> = []
    /// What was inside its streams.
    private(set) var messages: Set<MessagesNote> = []

    init(_ fault: String?, slice: Int) {
        let faults = (fault.flatMap { try? Fault(parsing: $0) }).map { [$0] } ?? []
        let plan = FaultPlan(faults: faults, seed: 1)
        gate = ConnectionGate(
            faults: plan.faults(onConnection: 1),
            plan: plan.requests,
            connection: 1
        )
        self.slice = slice
    }

    /// The same connection after all that the two sides send.
    consuming func after(_ script: Script) -> StreamDrive {
        var drive = self
        drive.isRaw = script.isRaw
        for step in script.steps { drive.send(step.bytes, step.direction) }
        for fault in drive.stalls { drive.gate.resume(fault) }
        drive.move()
        var now = Instant.start
        while let time = drive.gate.wakesAt {
            now = max(now, time)
            drive.gate.tell(time: now)
            guard drive.move() else { break }
        }
        drive.finish()
        drive.gate.close(run: &drive.run)
        for case .messages(let note) in drive.gate.takeNotes() { drive.messages.insert(note) }
        return drive
    }

    /// Ends both sides; whatever is held by then does not keep that.
    private mutating func finish() {
        hasEnded = true
        for direction in Direction.allCases { gate.end(direction) }
        move()
        // An end decides what comes late.
        for fault in stalls { gate.resume(fault) }
        gate.openGates()
        move()
        // A fault at a byte within a field block waits for the block.
        let isObstructed = Direction.allCases.contains { gate.unobstructed($0) != nil }
        require(isOver || isObstructed || finished.count == 2, "the end of a connection passes")
    }

    private mutating func send(_ bytes: [UInt8], _ direction: Direction) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(slice))
            rest = rest.dropFirst(part.count)
            gate.read(part.span, direction)
            waiting[direction, default: []] += part
            move()
        }
    }

    /// Moves what can be moved; whether there was anything.
    @discardableResult
    private mutating func move() -> Bool {
        // A gate that is asked again and again comes to an end.
        for round in 0..<10_000 {
            var hasMoved = step(.up)
            hasMoved = step(.down) || hasMoved
            if gate.awaitsDelivery {
                gate.noteAnswerDelivered()
                hasMoved = true
            }
            if let direction = gate.directionToEnd {
                gate.noteTaken(direction)
                hasMoved = true
            }
            guard hasMoved, !isOver else { return round > 0 }
        }
        require(false, "a gate comes to an end")
        return true
    }

    private mutating func step(_ direction: Direction) -> Bool {
        let queue = waiting[direction] ?? []
        guard !finished.contains(direction) else { return false }
        switch gate.next(direction, available: queue.count, ended: hasEnded, run: &run) {
        case .pass(let count, _):
            require((1...max(queue.count, 1)).contains(count), "only waiting bytes pass")
            got[direction, default: []] += queue.prefix(count)
            waiting[direction] = Array(queue.dropFirst(count))
        case .drop(let count, _):
            require((1...max(queue.count, 1)).contains(count), "only waiting bytes go")
            waiting[direction] = Array(queue.dropFirst(count))
        case .insert(let bytes, _): got[direction, default: []] += bytes
        case .act(let fault):
            switch fault.effect {
            case .stall, .late: stalls.append(fault)
            default: break
            }
            if fault.request == nil { isOver = true }
        case .finish: finished.insert(direction)
        case .endPace: break
        case .wait: return false
        }
        return true
    }

    /// What the receivers make of it: heads and content by stream, not how DATA was cut.
    var received: [String] {
        Direction.allCases.map { direction in
            var bytes = got[direction] ?? []
            if direction == .up { bytes.removeFirst(min(bytes.count, StreamGates.preface.count)) }
            var reader = FrameReader()
            var events: [FrameReader.Event] = []
            reader.read(bytes.span, into: &events)
            require(isOver || isRaw || reader.isBetweenFrames, "receivers get whole frames")
            return words(events, bytes)
        }
    }

    private func words(_ events: [FrameReader.Event], _ bytes: [UInt8]) -> String {
        let decoder = FieldDecoder()
        var streams: [UInt32: String] = [:]
        var current: UInt32 = 0
        for event in events {
            switch event {
            case .frame(let header, _) where header.kind == .resetStream:
                streams[header.stream, default: ""] += " reset"
            case .frame: break
            case .block(let block, _):
                let fields = try? decoder.decode(block.fragment)
                require(fields != nil, "receivers understand every field block")
                let text = (fields ?? []).map { "\($0.name)=\($0.value)" }.joined(separator: " ")
                streams[block.stream, default: ""] += " \(text)\(block.endsStream ? " end" : "") "
            case .data(let stream, _, _, _, let endsStream):
                current = stream
                if endsStream { streams[stream, default: ""] += "|" }
            case .content(let range):
                streams[current, default: ""] += String(decoding: bytes[range], as: UTF8.self)
            case .malformed: return "malformed"
            }
        }
        // An end may come with the last content or behind it.
        return streams.sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value.filter { $0 != "|" })" }.joined(separator: "\n")
    }
}
