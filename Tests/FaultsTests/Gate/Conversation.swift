import Basics
import FaultSupport
import Faults
import TestSupport

/// A dialogue whose bytes pass a gate, all in pieces of some size.
struct Conversation {
    enum Arrival: Hashable {
        /// All requests in one read.
        case atOnce
        /// Each request once nothing moves after the one before.
        case spaced
        case byteByByte
        /// Cut at random in both directions, whose pieces come in any order.
        case inPieces(seed: UInt64)
    }

    private let dialogue: Dialogue
    private let wire: Wire
    private var server: Answerer
    /// What the server has said that has not arrived.
    private var said: [UInt8] = []
    private var numbers = SeededRandom(seed: 0)

    private init(_ dialogue: Dialogue, _ wire: Wire) {
        self.dialogue = dialogue
        self.wire = wire
        server = Answerer(dialogue)
        wire.settles = true
    }

    /// What both sides got, and everything that is recorded.
    static func outcome(
        _ dialogue: Dialogue,
        _ faults: [String],
        arrival: Arrival
    ) throws -> Outcome {
        var conversation = Conversation(
            dialogue,
            try Wire(faults, slice: arrival == .byteByByte ? 1 : .max)
        )
        conversation.talk(arrival)
        return Outcome(conversation.wire)
    }

    private mutating func talk(_ arrival: Arrival) {
        let requests = dialogue.turns.map(\.request)
        switch arrival {
        case .atOnce: wire.send(Array(requests.joined()), .up)
        case .spaced:
            for request in requests {
                say(request)
                rest()
            }
        case .byteByByte: for byte in requests.joined() { say([byte]) }
        case .inPieces(let seed):
            numbers = SeededRandom(seed: seed)
            interleave(Array(requests.joined()))
        }
        rest()
        if wire.toClient.contains("101 Switching") { say(dialogue.frames) }
        rest()
        wire.endSilence()
        wire.end(.up)
        rest()
        wire.end(.down)
        wire.close()
    }

    private mutating func say(_ bytes: [UInt8]) {
        guard !wire.isOver else { return }
        wire.send(bytes, .up)
        serve()
    }

    private mutating func interleave(_ requests: [UInt8]) {
        var rest = requests[...]
        while !rest.isEmpty, !wire.isOver {
            let piece = Array(rest.prefix(1 + numbers.below(60)))
            rest = rest.dropFirst(piece.count)
            wire.send(piece, .up)
            while numbers.chance(60), !wire.isOver {
                hear()
                let piece = Array(said.prefix(1 + numbers.below(60)))
                said.removeFirst(piece.count)
                wire.send(piece, .down)
            }
        }
    }

    /// Lets the server answer, and what is stalled go on, until nothing moves.
    private mutating func serve() {
        while answer() || wire.resumeStalls() {}
    }

    /// Lets all arrive that the server says by now; false if that is nothing.
    private mutating func answer() -> Bool {
        hear()
        guard !said.isEmpty, !wire.isOver else { return false }
        let words = said
        said = []
        wire.send(words, .down)
        return true
    }

    private mutating func hear() {
        while let words = server.next(wire.got[.up] ?? []) { said += words }
    }

    /// Lets time pass until nothing happens any more.
    private mutating func rest() {
        var before: Int
        repeat {
            before = wire.progress
            serve()
            if wire.isGated { wire.openGates() }
            serve()
            // What an answer in the server's place hides stays hidden.
        } while wire.settle() || wire.isGated && wire.progress > before
    }
}
