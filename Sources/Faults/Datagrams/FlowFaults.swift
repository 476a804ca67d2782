package import Basics
internal import LinkEngine
internal import QUICWire

/// The faults of one flow of datagrams, with what their draws need.
package struct FlowFaults: Sendable {
    /// One fault at datagrams of one direction.
    struct Entry {
        let id: String
        let effect: Effect
        let direction: Direction
        let ordinals: OrdinalSelector
        let type: QUICPacketType?
        let times: FaultTimes?
        /// How many in a row it acts on at most.
        let burst: UInt32
        /// Whether it applies to a datagram.
        let chance: AddressedRandom.Series
        /// Which byte it changes, and how.
        let change: AddressedRandom.Series
        /// What tells its draws from those of other faults.
        let stream: UInt64

        func index(_ ordinal: UInt32) -> UInt64 { AddressedRandom.mix(stream &+ UInt64(ordinal)) }
    }

    /// In the order in which they act on one datagram.
    let entries: [Entry]
    /// After how much silence the flow is forgotten, and by which fault; nil for none.
    package let forgetting: (id: String, after: Duration)?

    package var isEmpty: Bool { entries.isEmpty && forgetting == nil }
}

extension FaultPlan {
    /// What applies to the flow of this ordinal, from 1 as in a fault's text; the same each time.
    package func faults(onFlow flow: UInt32) -> FlowFaults {
        precondition(flow > 0, "flows count from 1")
        var entries: [FlowFaults.Entry] = []
        var forgetting: (id: String, after: Duration)?
        for (id, fault) in faults {
            guard case .flows(let flows, let type) = fault.address.target, flows.names(flow) else {
                continue
            }
            let stream = Self.hash(id)
            if let chance = flows.chance,
                !series(flow, .down, .faultChance).happens(chance, at: stream)
            {
                continue
            }
            switch fault.anchor {
            case .datagrams(let direction, let ordinals):
                entries.append(
                    FlowFaults.Entry(
                        id: id,
                        effect: fault.effect,
                        direction: direction,
                        ordinals: ordinals,
                        type: type,
                        times: fault.options.times,
                        burst: fault.options.burst ?? .max,
                        chance: series(flow, direction, .faultChance),
                        change: series(flow, direction, .faultBit),
                        stream: stream
                    )
                )
            case .silence(let duration) where forgetting.map({ duration < $0.after }) ?? true:
                forgetting = (id, duration)
            default: break
            }
        }
        entries.sort { ($0.effect.rank, $0.id) < ($1.effect.rank, $1.id) }
        return FlowFaults(entries: entries, forgetting: forgetting)
    }

    /// Flows draw at numbers of their own, beyond those of connections, as on the link.
    private func series(
        _ flow: UInt32,
        _ direction: Direction,
        _ stage: AddressedRandom.Stage
    ) -> AddressedRandom.Series {
        random.series(key: UInt64(Stream.firstFlow + flow - 1), direction: direction, stage: stage)
    }
}
