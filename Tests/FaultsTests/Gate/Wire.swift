import Basics
import Faults
import HTTPWire

/// A connection with a `FaultGate` in the middle, in which all that moves is kept.
final class Wire {
    var gate: FaultGate
    var run = RequestRun()
    private var faults: [Fault]
    private let plan: FaultPlan
    private var waiting: [Direction: [UInt8]] = [.up: [], .down: []]
    private var ended: Set<Direction> = []
    /// What the receiver of a direction got.
    private(set) var got: [Direction: [UInt8]] = [.up: [], .down: []]
    /// What else happened, in its order: `fault @ bytes got`.
    private(set) var log: [String] = []
    /// The same of each direction, with the bytes that its receiver got.
    private(set) var steps: [Direction: [String]] = [:]
    private(set) var notes: [GateNote] = []
    /// The same with the faults that acted, in the order in which a journal has them.
    private(set) var history: [GateNote] = []
    /// The faults that acted, in order.
    private(set) var acted: [ArmedFault] = []
    /// Bytes shown and offered at a time.
    let slice: Int
    /// Directions that a fault holds, and the number of what it waits for; nil for a time.
    private var held: [(direction: Direction, event: Int?)] = []
    /// Whether a fault at a byte of the client's waits until the server has said everything, and the one
    /// that does.
    var settles = false
    private var settling: ArmedFault?
    /// The fault that ends both directions, at once or after a time.
    private var silenced: String?
    /// Whether a fault has ended both directions.
    private(set) var isOver = false
    /// Whether the client's system acknowledges at once.
    var acknowledges = true
    /// The bytes in all that the server takes for now; nil for any number.
    var serverLimit: Int?

    init(_ faults: [String], connection: UInt32 = 1, slice: Int = .max) throws {
        self.faults = try faults.map { try Fault(parsing: $0) }
        plan = FaultPlan(faults: self.faults, seed: 1)
        gate = FaultGate(
            faults: plan.faults(onConnection: connection),
            plan: plan.requests,
            connection: connection
        )
        gate.now = HTTPDate(secondsSince1970: 784_111_777)
        self.slice = slice
    }

    /// Adds a fault while the connection is open.
    func add(_ fault: String) throws -> FaultGate.Adoption {
        let fault = try Fault(parsing: fault)
        var plan = FaultPlan(faults: faults, seed: 1)
        let id = plan.add(fault)
        faults.append(fault)
        let adoption = gate.adopt(plan.requests, adding: id)
        drain()
        return adoption
    }

    var toServer: String { String(decoding: got[.up] ?? [], as: UTF8.self) }
    var toClient: String { String(decoding: got[.down] ?? [], as: UTF8.self) }

    func client(_ text: String) { send(Array(text.utf8), .up) }
    func server(_ text: String) { send(Array(text.utf8), .down) }

    func send(_ bytes: [UInt8], _ direction: Direction) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(slice))
            rest = rest.dropFirst(part.count)
            gate.read(part.span, direction)
            waiting[direction, default: []] += part
            drain()
        }
    }

    func end(_ direction: Direction) {
        gate.end(direction)
        ended.insert(direction)
        drain()
    }

    func close() {
        gate.close(run: &run)
        takeNotes()
    }

    private func takeNotes() {
        let new = gate.takeNotes()
        notes += new
        history += new
        for case .happened(let event) in new { _ = run.happen(event) }
    }

    func resume(_ direction: Direction) {
        gate.resume(direction)
        drain()
    }

    /// Ends all stalls but those whose event has not happened; false if there is none.
    func resumeStalls() -> Bool {
        let due = held.filter { $0.event.map { run.hasHappened($0) } ?? true }
        guard !due.isEmpty else { return false }
        held.removeAll { $0.event.map { run.hasHappened($0) } ?? true }
        for hold in due { resume(hold.direction) }
        return true
    }

    /// Lets a fault act now that the server has said everything; false if there is none.
    func settle() -> Bool {
        guard let fault = settling else { return false }
        settling = nil
        end(by: fault)
        return true
    }

    private func end(by fault: ArmedFault) {
        history.append(.fired(fault))
        silenced = fault.id
        // The other direction goes on until the time of such a hole is over.
        if case .hole(both: false, for: _?) = fault.effect, fault.far == .same { return }
        endSilence()
    }

    /// Ends both directions if a fault has begun to.
    func endSilence() {
        guard let silenced else { return }
        isOver = true
        for direction in Direction.allCases { gate.close(direction, by: silenced) }
    }

    var isGated: Bool { gate.isGated }

    /// Grows with whatever happens.
    var progress: Int { history.count + got.values.reduce(0) { $0 + $1.count } }

    /// Ends the waiting of one direction for the other.
    func openGates() {
        gate.openGates()
        drain()
    }

    /// Moves whatever may move.
    func drain() {
        var hasMoved = true
        while hasMoved, !isOver {
            hasMoved = step(.up)
            hasMoved = step(.down) || hasMoved
            if acknowledges, gate.awaitsDelivery {
                gate.noteAnswerDelivered()
                hasMoved = true
            }
        }
        takeNotes()
    }

    /// One answer; false if it is to wait.
    private func step(_ direction: Direction) -> Bool {
        let queue = waiting[direction] ?? []
        let room = direction == .up ? serverLimit.map { $0 - toServer.utf8.count } : nil
        let answer = gate.next(
            direction,
            available: min(queue.count, room ?? .max),
            ended: ended.contains(direction),
            run: &run
        )
        takeNotes()
        switch answer {
        case .pass(let count, _):
            got[direction, default: []] += queue.prefix(count)
            waiting[direction] = Array(queue.dropFirst(count))
        case .drop(let count, _): waiting[direction] = Array(queue.dropFirst(count))
        case .insert(let bytes, _): got[direction, default: []] += bytes
        case .act(let fault): act(fault, direction)
        case .endPace: note("no pace", direction)
        case .finish: note("end \(direction == .up ? "up" : "down")", direction)
        case .wait: return false
        }
        return true
    }

    private func act(_ fault: ArmedFault, _ direction: Direction) {
        acted.append(fault)
        note("\(fault.address)=\(fault.effect.canonicalText)", direction)
        if fault.effect.isStall || fault.effect.kind == .late {
            held.append((direction, fault.effect.event.flatMap { plan.requests.event(at: $0) }))
        }
        if fault.effect == .corrupt(within: nil) { waiting[direction]?[0] ^= fault.flippedBits }
        // An answer of a fault acts only if the connection ends after it.
        let ends = fault.endsBothDirections || fault.effect.name == "status"
        if !ends || fault.effect.name == "late" {
            history.append(.fired(fault))
        } else if settles, case .byte(.up, _) = fault.place {
            settling = fault
        } else {
            end(by: fault)
        }
    }

    private func note(_ words: String, _ direction: Direction) {
        steps[direction, default: []].append("\(words) @ \(got[direction]?.count ?? 0)")
        log.append("\(words) @ \(got[.up]?.count ?? 0), \(got[.down]?.count ?? 0)")
    }

    // What the notes say.

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

    /// Everything that must not depend on how bytes were cut.
    var account: Account {
        Account(
            toServer: toServer,
            toClient: toClient,
            log: log,
            notes: Dictionary(grouping: notes) { $0 }.mapValues(\.count)
        )
    }

    /// What both receivers got and what happened; notes of the two directions come in any order.
    struct Account: Hashable {
        var toServer: String
        var toClient: String
        var log: [String]
        var notes: [GateNote: Int]
    }
}

/// Messages that tests are made of.
enum Message {
    static let get = "GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n"
    static let answerHead = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
    static let answer = answerHead + "0123456789"
    static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    static let chunked = chunkedHead + "4\r\n0123\r\n6;x=1\r\n456789\r\n0\r\nT: 1\r\n\r\n"
    static let closedHead = "HTTP/1.1 200 OK\r\n\r\n"
    static let putHead = "PUT /u/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"
    static let put = putHead + "abcdefghij"
    static let chunkedPutHead = "PUT /u/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    static let chunkedPut = chunkedPutHead + "3\r\nabc\r\n7\r\ndefghij\r\n0\r\n\r\n"
    static let created = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
    static let progress = "HTTP/1.1 104 Upload Resumption Supported\r\nLocation: /u/1\r\n\r\n"
    static let go = "HTTP/1.1 100 Continue\r\n\r\n"
}
