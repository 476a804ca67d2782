import Basics
import Faults
import HTTPWire

/// What came of a conversation: what both sides got, and all that the canonical form of its journal tells.
struct Outcome: Hashable {
    let toServer: String
    let toClient: String
    /// What acted and ended in each direction, and after how many of its bytes.
    let steps: [Direction: [String]]
    /// The records at each place of the canonical form, in their order.
    let records: [String: [String]]
    /// Whether one of them says that timing had a say.
    let isMarked: Bool

    init(_ wire: Wire) {
        toServer = wire.toServer
        toClient = wire.toClient
        steps = wire.steps
        let history = wire.history
        let told = history.compactMap { Self.record($0, wire) }
        records = Dictionary(grouping: told, by: \.place).mapValues { $0.map(\.text) }
        isMarked = history.contains(where: Self.isRacy)
    }

    /// Whether a fault has acted.
    var hasActed: Bool { records.values.joined().contains { $0.contains(" fired ") } }

    /// What is not the same in another outcome, in words.
    func differences(from other: Outcome) -> [String] {
        var words: [String] = []
        if toServer != other.toServer { words += ["server", toServer, other.toServer] }
        if toClient != other.toClient { words += ["client", toClient, other.toClient] }
        if steps != other.steps { words += ["steps", "\(steps)", "\(other.steps)"] }
        for place in Set(records.keys).union(other.records.keys)
        where records[place] != other.records[place] {
            words += [place, "\(records[place] ?? [])", "\(other.records[place] ?? [])"]
        }
        return words
    }

    /// What a record says, and where in the canonical form it stands.
    private static func record(
        _ note: GateNote,
        _ wire: Wire
    ) -> (place: String, text: String)? {
        switch note {
        case .request(let r, let head, let framing, let size, _):
            ("\(r) req", "\(head.method) \(head.target) \(framing) \(size)")
        case .interim(let r, _, _, _, _): ("\(r) interim", "\(note)")
        case .response(let r, _, _, _, _): ("\(r) resp", "\(note)")
        case .fired(let fault): record(fault, "fired")
        case .unreached(let fault, let reason): record(fault, "\(reason)")
        case .body(let body):
            ("\(body.request) body \(body.direction)", wire.isExact(body) ? "\(body)" : "cut")
        case .messages(let note):
            ("\(note.request) messages \(note.direction)", wire.isExact(note) ? "\(note)" : "cut")
        case .draw, .hinted, .opaque, .knowsGoAway, .lateStream: ("", "\(note)")
        case .happened: nil
        }
    }

    private static func record(
        _ fault: ArmedFault,
        _ state: String
    ) -> (place: String, text: String) {
        let text = "\(fault.id) \(fault.address) \(state) \(fault.offset ?? 0)"
        return (fault.request.map { "\($0) fault" } ?? "\(fault.address) \(fault.id)", text)
    }

    private static func isRacy(_ note: GateNote) -> Bool {
        switch note {
        case .request(_, _, _, _, let isRacy): isRacy
        case .fired(let fault), .unreached(let fault, _): fault.isRacy
        default: false
        }
    }
}

extension Wire {
    /// Whether the count of content does not depend on the moment, as an inspected connection has it.
    fileprivate func isExact(_ body: BodyNote) -> Bool {
        body.isComplete || body.isCutByFault || isExact(body.direction)
    }

    fileprivate func isExact(_ note: MessagesNote) -> Bool {
        !note.isLost && (note.isWhole || note.isCutByFault || isExact(note.direction))
    }

    /// Whether a fault has cut this direction.
    private func isExact(_ direction: Direction) -> Bool {
        acted.contains { $0.direction == direction && $0.effect.endsStream }
    }
}
