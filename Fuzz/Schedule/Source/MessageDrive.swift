import Basics
import Faults
import FuzzSupport
import LinkEngine

/// One connection with two requests and their answers, in front of the gate of a schedule.
struct MessageDrive: ~Copyable {
    private static let requests =
        "PATCH /u/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n01234567890123456789"
        + "GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n"
    private static let answers =
        "HTTP/1.1 104 Upload\r\nLocation: /u/1\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked"
        + "\r\n\r\n4\r\n0123\r\n6;x=1\r\n456789\r\n0\r\nT: 1\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nabcdefghijabcdefghij"

    private var gate: FaultGate
    private var run = RequestRun()
    private var up = Lane()
    private var down = Lane()
    private var log: [String] = []

    private struct Lane {
        var waiting: [UInt8] = []
        var passed: [UInt8] = []
        var isEnded = false
    }

    private init(_ plan: FaultPlan) {
        gate = FaultGate(
            faults: plan.faults(onConnection: 1),
            plan: plan.requests,
            connection: 1
        )
    }

    /// All that happens, when bytes come in slices of this size.
    static func account(of plan: FaultPlan, slice: Int) -> [String] {
        var drive = MessageDrive(plan)
        // A connection asks its gate once before it reads: what acts at offset 0 comes before any byte.
        drive.move()
        drive.send(Array(requests.utf8), .up, slice)
        drive.send(Array(answers.utf8), .down, slice)
        for direction in Direction.allCases {
            drive.gate.end(direction)
            if direction == .up { drive.up.isEnded = true } else { drive.down.isEnded = true }
            drive.move()
        }
        drive.gate.close(run: &drive.run)
        let notes = drive.gate.takeNotes().map { "\($0)" }
        return drive.log.sorted() + notes + [drive.up.passed, drive.down.passed].map { "\($0)" }
    }

    private mutating func send(_ bytes: [UInt8], _ direction: Direction, _ slice: Int) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(slice))
            rest = rest.dropFirst(part.count)
            gate.read(part.span, direction)
            if direction == .up { up.waiting += part } else { down.waiting += part }
            move()
        }
    }

    private mutating func move() {
        // A gate that is asked again and again comes to an end.
        for _ in 0..<10_000 {
            var hasMoved = step(.up)
            hasMoved = step(.down) || hasMoved
            if gate.awaitsDelivery {
                gate.noteAnswerDelivered()
                hasMoved = true
            }
            guard hasMoved else { break }
        }
        log += gate.takeNotes().map { "\($0)" }
    }

    private mutating func step(_ direction: Direction) -> Bool {
        var lane = direction == .up ? up : down
        defer { if direction == .up { up = lane } else { down = lane } }
        let answer = gate.next(
            direction,
            available: lane.waiting.count,
            ended: lane.isEnded,
            run: &run
        )
        switch answer {
        case .pass(let count, _):
            require((1...max(lane.waiting.count, 1)).contains(count), "only waiting bytes pass")
            lane.passed += lane.waiting.prefix(count)
            lane.waiting.removeFirst(count)
        case .drop(let count, _):
            require((1...max(lane.waiting.count, 1)).contains(count), "only waiting bytes go")
            lane.waiting.removeFirst(count)
        case .insert(let bytes, _): lane.passed += bytes
        case .act(let fault):
            if case .corrupt = fault.effect { lane.waiting[0] ^= fault.flippedBits }
            act(fault, lane.passed.count)
        case .endPace, .finish: log.append("\(direction) \(answer) \(lane.passed.count)")
        case .wait: return false
        }
        return true
    }

    private mutating func act(_ fault: ArmedFault, _ position: Int) {
        log.append("\(fault.id) \(position)")
        switch fault.effect {
        case .stall, .late:
            gate.resume(.up)
            gate.resume(.down)
        case .status,
            _ where fault.effect.endsBothDirections:
            // A response that a fault makes shows here only if the connection ends after it.
            for direction in Direction.allCases { gate.close(direction, by: fault.id) }
        default: break
        }
    }
}
