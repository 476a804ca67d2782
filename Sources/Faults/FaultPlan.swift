package import LinkEngine

/// The faults of a run with their identities and their random draws.
///
/// Every draw is `AddressedRandom` at (connection ordinal from 0, direction of the anchor, stage,
/// hash of the fault's identity). The hash, not the fault's place in a list, so that adding,
/// removing or reordering other faults or connections changes no draw of this one.
package struct FaultPlan: Sendable {
    /// Every fault with its identity, in the order given.
    package private(set) var faults: [(id: String, fault: Fault)]
    let seed: UInt64
    private var streams: [UInt64]
    /// How many faults of equal text there have been, those included that were taken out.
    private var given: [String: Int] = [:]
    private let random: AddressedRandom

    /// - Parameters:
    ///   - faults: of the command line, the schedule and the profile, in any order.
    ///   - seed: the run's seed.
    package init(faults: [Fault], seed: UInt64) {
        self.faults = []
        streams = []
        self.seed = seed
        random = AddressedRandom(seed: seed)
        for fault in faults { add(fault) }
    }

    /// Adds a fault behind the others; no draw of theirs changes.
    ///
    /// - Returns: its identity, which no other fault has.
    @discardableResult
    package mutating func add(_ fault: Fault) -> String {
        let id = takeIdentity(fault.canonicalText)
        faults.append((id, fault))
        streams.append(Self.hash(id))
        return id
    }

    /// Gives the identity of a further fault of this text, which acts without standing in the plan.
    ///
    /// It is the one that the fault has in a plan that holds it behind the others.
    package mutating func takeIdentity(_ text: String) -> String {
        let ordinal = given[text, default: 0] + 1
        given[text] = ordinal
        return Self.identity(text, ordinal)
    }

    /// Gives an identity back that nobody has seen act.
    ///
    /// - Returns: false if it is not the last one of its text: then a later fault has a number that
    ///   it would not have without this one.
    package mutating func giveBack(_ id: String, of fault: Fault) -> Bool {
        let text = fault.canonicalText
        guard let ordinal = given[text], Self.identity(text, ordinal) == id else { return false }
        given[text] = ordinal - 1
        return true
    }

    private static func identity(_ text: String, _ ordinal: Int) -> String {
        ordinal == 1 ? text : "\(text)#\(ordinal)"
    }

    /// Takes a fault out; no draw of the others changes.
    ///
    /// - Returns: it; nil if there is none of this identity.
    package mutating func remove(_ id: String) -> Fault? {
        guard let place = faults.firstIndex(where: { $0.id == id }) else { return nil }
        streams.remove(at: place)
        return faults.remove(at: place).fault
    }

    package var isEmpty: Bool { faults.isEmpty }

    /// What applies to the connection of this ordinal, from 1 as in a fault's text.
    ///
    /// The same answer each time.
    package func faults(onConnection connection: UInt32) -> ConnectionFaults {
        precondition(connection > 0, "connections count from 1")
        var result = ConnectionFaults()
        for index in faults.indices {
            resolve(index, on: connection, into: &result)
        }
        result.sort()
        return result
    }

    /// What one fault does on this connection.
    package func faults(onConnection connection: UInt32, of id: String) -> ConnectionFaults {
        var result = ConnectionFaults()
        guard let index = faults.firstIndex(where: { $0.id == id }) else { return result }
        resolve(index, on: connection, into: &result)
        return result
    }

    private func resolve(
        _ index: Int,
        on connection: UInt32,
        into result: inout ConnectionFaults
    ) {
        let (id, fault) = faults[index]
        guard case .connections(let connections) = fault.address.target else { return }
        let isNamed = connections.names(connection, times: fault.options.times)
        let chosen = isNamed && drawChance(index, connections.chance, on: connection)
        if connections.chance != nil, isNamed {
            result.draws.append(
                FaultDraw(
                    fault: id,
                    stage: .chance,
                    index: UInt64(connection),
                    value: chosen ? 1 : 0
                )
            )
        }
        switch (fault.anchor, fault.effect) {
        case (.connect, .refuse(let count)):
            if result.refusedBy == nil, chosen || lasts(index, connections, count, connection) {
                result.refusedBy = id
            }
        case (.connect, .silent(let count)):
            if result.silencedBy == nil, chosen || lasts(index, connections, count, connection) {
                result.silencedBy = id
            }
        case (.byte(let direction, let offset), _) where chosen:
            arm(index, direction, offset, on: connection, into: &result)
        default: break
        }
    }

    /// The first fault by which nothing listens in place of this connection, from 1.
    package func downtime(insteadOf connection: UInt32) -> (id: String, hold: Effect.Hold)? {
        for (index, (id, fault)) in faults.enumerated() {
            guard case .down(let hold) = fault.effect, fault.anchor == .connect,
                case .connections(let connections) = fault.address.target,
                connections.names(connection, times: fault.options.times),
                drawChance(index, connections.chance, on: connection)
            else { continue }
            return (id, hold)
        }
        return nil
    }

    private func arm(
        _ index: Int,
        _ direction: Direction,
        _ place: Anchor.Offset,
        on connection: UInt32,
        into result: inout ConnectionFaults
    ) {
        let (id, fault) = faults[index]
        var armed = ArmedFault(
            id: id,
            direction: direction,
            offset: 0,
            effect: fault.effect,
            far: fault.far
        )
        switch place {
        case .at(let offset): armed.offset = offset
        case .drawn(let range):
            let width = range.upperBound - range.lowerBound + 1
            armed.offset =
                range.lowerBound
                + random.integer(
                    below: width,
                    key: UInt64(connection - 1),
                    direction: direction,
                    stage: .faultOffset,
                    index: streams[index]
                )
            result.draws.append(
                FaultDraw(fault: id, stage: .offset, index: UInt64(connection), value: armed.offset)
            )
        }
        if fault.effect == .corrupt {
            let bit = random.integer(
                below: 8,
                key: UInt64(connection - 1),
                direction: direction,
                stage: .faultBit,
                index: streams[index]
            )
            armed.flippedBits = 1 << UInt8(bit)
            result.draws.append(
                FaultDraw(fault: id, stage: .bit, index: UInt64(connection), value: bit)
            )
        }
        result.append(armed)
    }

    /// Whether one of the `count` - 1 connections before this one began an effect that lasts.
    private func lasts(
        _ index: Int,
        _ connections: OrdinalSelector,
        _ count: UInt32,
        _ connection: UInt32
    ) -> Bool {
        let earliest = connection > count ? connection - count + 1 : 1
        return (earliest..<connection).contains {
            connections.names($0, times: faults[index].fault.options.times)
                && drawChance(index, connections.chance, on: $0)
        }
    }

    private func drawChance(
        _ index: Int,
        _ chance: Probability?,
        on connection: UInt32
    ) -> Bool {
        guard let chance else { return true }
        return random.happens(
            chance,
            key: UInt64(connection - 1),
            direction: faults[index].fault.anchor.direction,
            stage: .faultChance,
            index: streams[index]
        )
    }

    /// FNV-1a with 64 bits (Fowler, Noll, Vo).
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension Anchor {
    /// The direction that addresses this fault's draws; `down` for what has none.
    fileprivate var direction: Direction {
        switch self {
        case .byte(let direction, _), .message(let direction, _, _): direction
        case .connect, .idle, .interim, .whole: .down
        }
    }
}

/// The faults of one connection, with everything drawn.
package struct ConnectionFaults: Hashable, Sendable {
    /// The fault that refuses this connection, if one does; then nothing else acts on it.
    package fileprivate(set) var refusedBy: String?
    /// The fault that leaves this connection without an answer, if one does.
    package fileprivate(set) var silencedBy: String?
    /// The faults of each direction, in the order in which they act.
    package private(set) var down: [ArmedFault] = []
    package private(set) var up: [ArmedFault] = []
    /// The draws that decided all this, for the journal.
    package fileprivate(set) var draws: [FaultDraw] = []

    fileprivate init() {}

    package subscript(direction: Direction) -> [ArmedFault] { direction == .down ? down : up }

    /// Whether this connection needs no gate at all.
    package var isEmpty: Bool {
        refusedBy == nil && silencedBy == nil && down.isEmpty && up.isEmpty
    }

    /// The faults that a refusal or silence keeps from acting; empty for other connections.
    package var preempted: [UnfiredFault] {
        guard let cause = refusedBy ?? silencedBy else { return [] }
        return preempted(by: cause)
    }

    /// The faults that a refusal from elsewhere keeps from acting.
    package func preempted(by cause: String) -> [UnfiredFault] {
        (down + up).map { UnfiredFault(fault: $0, reason: .refused(by: cause)) }
    }

    fileprivate mutating func append(_ fault: ArmedFault) {
        if fault.direction == .down { down.append(fault) } else { up.append(fault) }
    }

    fileprivate mutating func sort() {
        down.sort(by: ArmedFault.actsBefore)
        up.sort(by: ArmedFault.actsBefore)
        let downEnds = down.contains { $0.effect.endsConnection }
        let upEnds = up.contains { $0.effect.endsConnection }
        for index in down.indices { down[index].isRacy = upEnds }
        for index in up.indices { up[index].isRacy = downEnds }
    }
}

/// A fault on one direction of one connection, ready to act.
package struct ArmedFault: Hashable, Sendable {
    /// Canonical text of the fault; `#2` and so on is added for further equal faults.
    package let id: String
    package let direction: Direction
    /// The fault acts once exactly so many bytes of this direction were delivered.
    package fileprivate(set) var offset: UInt64
    package let effect: Effect
    package let far: FarEnding
    /// What `corrupt` XORs the byte at `offset` with, one bit; 0 for other effects.
    package fileprivate(set) var flippedBits: UInt8 = 0
    /// Whether a fault of the other direction can end the connection: which of the two comes first
    /// is then up to timing.
    package fileprivate(set) var isRacy = false

    /// Makes a fault that is known to act at this place, whatever a plan says.
    package init(
        id: String,
        direction: Direction,
        offset: UInt64,
        effect: Effect,
        far: FarEnding = .same
    ) {
        self.id = id
        self.direction = direction
        self.offset = offset
        self.effect = effect
        self.far = far
    }

    /// The same under another identity.
    package func identified(as id: String) -> ArmedFault {
        ArmedFault(id: id, direction: direction, offset: offset, effect: effect, far: far)
    }

    /// By offset; at one offset the gentler effect first.
    ///
    /// So the order of a schedule means nothing. `corrupt` is last because it needs the byte
    /// behind the offset, which does not come after an ending.
    static func actsBefore(_ a: ArmedFault, _ b: ArmedFault) -> Bool {
        (a.offset, a.effect.severity, a.id) < (b.offset, b.effect.severity, b.id)
    }
}

extension Effect {
    fileprivate var severity: Int {
        switch self {
        case .slow: 0
        case .stall: 1
        case .hole: 2
        case .finish: 3
        case .reset: 4
        case .corrupt: 5
        default: 6
        }
    }
}

/// One random decision about a fault.
package struct FaultDraw: Hashable, Sendable {
    package enum Stage: String, Hashable, Sendable {
        /// 1 if the fault applies to the connection, else 0.
        case chance
        /// The offset, in bytes.
        case offset
        /// The flipped bit, 0 for the lowest.
        case bit
    }

    package let fault: String
    package let stage: Stage
    /// Which connection or request it is for, from 1.
    package let index: UInt64
    package let value: UInt64

    /// The name of the random stream in the journal.
    package var label: String { "\(stage.rawValue) \(fault)" }
}

/// A fault that did not act on a connection, and why.
package struct UnfiredFault: Hashable, Sendable {
    package let fault: ArmedFault
    package let reason: UnreachedReason
}

/// Why a fault did not act.
package enum UnreachedReason: Hashable, Sendable, CustomStringConvertible {
    /// The connection was refused by this fault.
    case refused(by: String)
    /// The stream came to its own end after so many bytes.
    case streamEnded(at: UInt64)
    /// The message or its part came to its own end after so many bytes.
    case messageEnded(at: UInt64)
    /// The place is counted from the end, and no length was declared.
    case lengthUnknown
    /// The content has a declared length, which would tell.
    case lengthDeclared
    /// The traffic could not be followed as messages.
    case notFollowed
    /// The client was not sent what it was to have seen.
    case notSeen
    /// The message is longer than what is kept of one.
    case tooLong
    /// No request had this address.
    case noRequest
    /// This fault ended the stream or the connection before.
    case after(String)
    /// The connection ended otherwise; how far the stream came depends on timing.
    case connectionEnded
    /// Its place was passed when it was added.
    case addedLate
    /// No connection had this ordinal, or chance chose none.
    case noConnection

    /// The words of the journal; the same in every run that ends the same way.
    package var description: String {
        switch self {
        case .refused(let id): "refused by \(id)"
        case .streamEnded(let position): "stream ended at \(position)"
        case .messageEnded(let length): "message ended at \(length)"
        case .lengthUnknown: "length unknown"
        case .lengthDeclared: "length declared"
        case .notFollowed: "traffic not understood"
        case .notSeen: "answer not seen"
        case .tooLong: "message too long"
        case .noRequest: "no request"
        case .after(let id): "after \(id)"
        case .connectionEnded: "connection ended"
        case .addedLate: "added late"
        case .noConnection: "no connection"
        }
    }
}
