import Basics
import Faults
import Testing

/// The same conversation, however its bytes arrive at the gate.
@Suite struct ArrivalTests {
    private static let effectsByPlace: [(places: [String], effects: [String])] = [
        (
            [
                "req.head+0", "req.head+7", "req.head", "req.body+0", "req.body+3", "req.body",
                "req.end",
            ],
            [
                "rst", "fin", "hole", "hole(both)", "stall(1s)", "slow(1kbit/s)", "status(503)",
                "status(503,close)", "inject(103)", "rst,see=104",
            ]
        ),
        (["req.head+7", "req.body+3"], ["corrupt", "late(2,until=c9:down+1)"]),
        (["req.head"], ["early(413)"]),
        (["req.end"], ["swallow", "swallow(keep=head)", "swallow(keep=half,end=fin)"]),
        (
            [
                "resp.head+0", "resp.head+7", "resp.head", "resp.body+0", "resp.body+3",
                "resp.body", "resp.end",
            ],
            ["rst", "fin", "hole", "hole(both)", "stall(1s)", "slow(1kbit/s)"]
        ),
        (["resp.head+7", "resp.body+3", "resp.body+10"], ["corrupt"]),
        (["resp.body+3"], ["truncate"]),
        (
            ["interim(103)", "interim(104)", "interim(104)+0"],
            ["rst", "fin", "hole", "stall(1s)", "slow(1kbit/s)"]
        ),
        (["interim(103)", "interim(104)", "interim(104#*)"], ["withhold", "dup", "edit(x=y)"]),
        (["idle"], ["rst", "fin", "hole", "rst-on-next"]),
        ([""], ["buffer(req)", "buffer(resp)", "strip(1xx)"]),
    ]

    private static let targets = ["c1/r1", "c1/r2", "PUT(*)#2", "c1"]

    static let faults: [String] = effectsByPlace.flatMap { places, effects in
        targets.flatMap { target in
            places.flatMap { place in
                effects.map { "\(target)\(place.isEmpty ? "" : ":")\(place)=\($0)" }
            }
        }
    }

    @Test func `a fault acts alike on requests that come at once, spaced or byte by byte`() throws {
        for fault in Self.faults {
            let spaced = try Conversation.account([fault], arrival: .spaced)
            for arrival in [Conversation.Arrival.atOnce, .byteByByte] {
                let account = try Conversation.account([fault], arrival: arrival)
                #expect(account == spaced, "\(fault) \(arrival)")
            }
        }
    }
}

/// A client with three requests, and a server that answers each one that it has in full.
struct Conversation {
    enum Arrival: CaseIterable {
        /// All requests in one read.
        case atOnce
        case byteByByte
        /// Each request once nothing moves after the one before.
        case spaced
    }

    private static let requests = [Message.put, Message.get, Message.put]

    private var wire: Wire
    /// Bytes of the server's input that are answered.
    private var answeredBytes = 0
    /// Whether the server has sent interim responses to the request that comes.
    private var hasProgress = false

    private init(_ wire: Wire) { self.wire = wire }

    /// What both sides got, and everything that is recorded.
    static func account(_ faults: [String], arrival: Arrival) throws -> Wire.Account {
        var conversation = Conversation(try Wire(faults, slice: arrival == .byteByByte ? 1 : .max))
        if arrival == .spaced {
            for request in requests { conversation.send(request) }
        } else {
            conversation.send(requests.joined())
        }
        conversation.wire.end(.up)
        conversation.serve()
        conversation.wire.end(.down)
        conversation.wire.close()
        var account = conversation.wire.account
        // How far the other direction is when something acts and the stream goes on is open.
        account.log = account.log.compactMap { $0.split(separator: "@").first.map(String.init) }
        return account
    }

    private mutating func send(_ text: String) {
        for byte in stride(from: 0, to: text.utf8.count, by: min(wire.slice, text.utf8.count)) {
            wire.client(String(text.utf8.dropFirst(byte).prefix(wire.slice)) ?? "")
            serve()
        }
        while wire.gate.isGated {
            wire.openGates()
            serve()
        }
    }

    /// Lets the server answer, and what is stalled go on, until nothing moves.
    private mutating func serve() {
        while answerNext() || wire.resumeStalls() {}
    }

    private mutating func answerNext() -> Bool {
        let waiting = Array(wire.got[.up] ?? []).dropFirst(answeredBytes)
        if !hasProgress, begins(waiting, with: Message.putHead) {
            hasProgress = true
            wire.server(Message.progress + Message.progress)
            return true
        }
        let requests = [Message.put, Message.get]
        guard let request = requests.first(where: { begins(waiting, with: $0) }) else {
            return false
        }
        answeredBytes += request.utf8.count
        hasProgress = false
        wire.server(Message.answer)
        return true
    }

    /// Whether these bytes are there, but for one that a fault may have changed.
    private func begins(_ bytes: ArraySlice<UInt8>, with text: String) -> Bool {
        bytes.count >= text.utf8.count && zip(bytes, text.utf8).count { $0 != $1 } <= 1
    }
}
