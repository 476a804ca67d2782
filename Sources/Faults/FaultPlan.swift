package import Basics
internal import LinkEngine

/// The faults of a run with their identities and their random draws.
///
/// Every draw is `AddressedRandom` at (connection ordinal from 0, direction of the anchor, stage,
/// hash of the fault's identity). The hash, not the fault's place in a list, so that adding,
/// removing or reordering other faults or connections changes no draw of this one.
package struct FaultPlan: Sendable {
    /// Every fault with its identity, in the order given.
    package private(set) var faults: [(id: String, fault: Fault)]
    /// Those of them that act in requests, and the places that others wait for.
    package private(set) var requests: RequestPlan
    private var streams: [UInt64]
    /// How many faults of equal text there have been, those included that were taken out.
    private var given: [String: Int] = [:]
    let random: AddressedRandom

    /// - Parameters:
    ///   - faults: of the command line, the schedule and the profile, in any order.
    ///   - seed: the run's seed.
    package init(faults: [Fault], seed: UInt64) {
        self.faults = []
        streams = []
        requests = RequestPlan(seed: seed)
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
        requests.add(id, fault)
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
        requests.remove(id)
        return faults.remove(at: place).fault
    }

    package var isEmpty: Bool { faults.isEmpty }

    /// What applies to the connection of this ordinal, from 1 as in a fault's text.
    ///
    /// The same answer each time.
    ///
    /// - Parameters:
    ///   - connection: its ordinal among all.
    ///   - hosts: its ordinals among those to hosts that faults name; empty as long as it is not known
    ///     where it goes.
    /// - Returns: what acts, with its draws.
    package func faults(
        onConnection connection: UInt32,
        hosts: HostOrdinals = [:]
    ) -> ConnectionFaults {
        precondition(connection > 0, "connections count from 1")
        var result = ConnectionFaults()
        for index in faults.indices {
            resolve(index, on: connection, hosts, into: &result)
        }
        result.sort()
        return result
    }

    /// What one fault does on this connection.
    package func faults(
        onConnection connection: UInt32,
        hosts: HostOrdinals = [:],
        of id: String
    ) -> ConnectionFaults {
        var result = ConnectionFaults()
        guard let index = faults.firstIndex(where: { $0.id == id }) else { return result }
        resolve(index, on: connection, hosts, into: &result)
        return result
    }

    private func resolve(
        _ index: Int,
        on connection: UInt32,
        _ hosts: HostOrdinals,
        into result: inout ConnectionFaults
    ) {
        let (id, fault) = faults[index]
        guard case .connections(let connections) = fault.address.target,
            let connection = fault.address.ordinal(of: connection, hosts)
        else { return }
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
        switch fault.anchor {
        case .connect:
            connect(id, fault.effect, into: &result) { count in
                chosen || lasts(index, connections, count, connection)
            }
        case .silence(let duration):
            guard chosen else { return }
            result.lulls.append(
                LullFault(id: id, after: duration, effect: fault.effect, options: fault.options)
            )
        case .byte(let direction, let offset):
            guard chosen else { return }
            arm(index, direction, offset, on: connection, into: &result)
        case .tls(let place):
            guard chosen else { return }
            var armed = ArmedFault(
                id: id,
                place: .tls(place),
                effect: fault.effect,
                options: fault.options
            )
            drawBit(index, on: connection, &armed, into: &result)
            result.append(armed)
        // The plan of requests and the faults of flows have these.
        case .message, .interim, .inside, .whole, .idle, .datagrams: break
        }
    }

    /// Applies an effect that takes the place of a connection.
    private func connect(
        _ id: String,
        _ effect: Effect,
        into result: inout ConnectionFaults,
        acts: (_ onConnections: UInt32) -> Bool
    ) {
        switch effect {
        case .refuse(let count):
            if result.refusedBy == nil, acts(count) { result.refusedBy = id }
        case .silent(let count):
            if result.silencedBy == nil, acts(count) { result.silencedBy = id }
        // `downtime` handles this: there is no connection then.
        case .down: break
        default: preconditionFailure("'\(effect.name)' does nothing when a client connects")
        }
    }

    /// The hosts by which faults, and the places that they wait for, select connections.
    package var hosts: Set<HostPattern> {
        Set(
            faults.flatMap { [$0.fault.address.host, $0.fault.effect.event?.host] }
                .compactMap(\.self)
        )
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
        let offset: UInt64
        switch place {
        case .at(let fixed): offset = fixed
        case .drawn(let range):
            let width = range.upperBound - range.lowerBound + 1
            offset =
                range.lowerBound
                + random.integer(
                    below: width,
                    key: UInt64(connection - 1),
                    direction: direction,
                    stage: .faultOffset,
                    index: streams[index]
                )
            result.draws.append(
                FaultDraw(fault: id, stage: .offset, index: UInt64(connection), value: offset)
            )
        }
        var armed = ArmedFault(
            id: id,
            place: .byte(direction, offset),
            effect: fault.effect,
            options: fault.options
        )
        drawBit(index, on: connection, &armed, into: &result)
        result.append(armed)
    }

    /// Draws the bit that an effect flips, if it flips one.
    private func drawBit(
        _ index: Int,
        on connection: UInt32,
        _ armed: inout ArmedFault,
        into result: inout ConnectionFaults
    ) {
        let (id, fault) = faults[index]
        guard fault.effect.changesByte else { return }
        let bit = random.integer(
            below: 8,
            key: UInt64(connection - 1),
            direction: fault.anchor.direction,
            stage: .faultBit,
            index: streams[index]
        )
        armed.flippedBits = 1 << UInt8(bit)
        result.draws.append(
            FaultDraw(fault: id, stage: .bit, index: UInt64(connection), value: bit)
        )
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
        case .byte(let direction, _), .message(let direction, _, _), .datagrams(let direction, _):
            direction
        case .inside(let message, _): message.direction
        case .connect, .idle, .interim, .whole, .silence, .tls: .down
        }
    }
}
