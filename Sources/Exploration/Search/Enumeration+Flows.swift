internal import Basics
internal import Faults
internal import QUICWire

extension Enumeration {
    /// The points of a flow of datagrams.
    ///
    /// Packets of a handshake are few, and each has a part to play: all are tried, up to the eighth.
    /// Of the others, and of datagrams that are not QUIC, those are that stand at the Fibonacci numbers,
    /// so that the beginning is tried closely and the rest now and then.
    static func points(of flow: BoundaryMap.Flow, effects: [Effect.Kind]) -> [Point] {
        var points: [Point] = []
        for (direction, datagrams) in [(Direction.up, flow.up), (.down, flow.down)] {
            let types =
                datagrams.packets.isEmpty
                ? [(nil, datagrams.count)]
                : QUICPacketType.allCases.compactMap { type in
                    datagrams.packets[type].map { (type, $0) }
                }
            for (type, count) in types {
                let target = FaultTarget.flows(.one(flow.ordinal), type)
                let isHandshake = type != nil && type != .oneRTT
                let places = isHandshake ? Array(1...min(count, 8)) : sparse(upTo: count)
                for kind in effects {
                    guard let effect = kind.datagramEffect else { continue }
                    let few = kind.isIdle || !isHandshake ? thinned(places) : places
                    for place in few {
                        let ordinals = OrdinalSelector.one(UInt32(clamping: place))
                        let address = FaultAddress(target, .datagrams(direction, ordinals))
                        points.append(Point([Fault(address, effect)]))
                    }
                }
            }
        }
        return points
    }

    private static func sparse(upTo count: UInt64) -> [UInt64] {
        var (places, next): ([UInt64], UInt64) = ([], 2)
        var place: UInt64 = 1
        while place <= count {
            places.append(place)
            (place, next) = (next, place + next)
        }
        return places
    }

    /// The first three, the middle one and the last one.
    private static func thinned(_ places: [UInt64]) -> [UInt64] {
        guard places.count > 5, let last = places.last else { return places }
        return places.prefix(3) + [places[places.count / 2], last]
    }
}

extension Effect.Kind {
    /// What is tried at a datagram; nil for effects that do not act there.
    fileprivate var datagramEffect: Effect? {
        switch self {
        case .drop: .drop
        case .duplicate: .duplicate
        case .corrupt: .corrupt(within: nil)
        case .reorder: .reorder(3)
        case .hole: .hole(both: false, for: nil)
        case .stall: .stall(.time(.seconds(1)))
        case .rebind: .rebind(.port)
        case .forget: .forget
        default: nil
        }
    }
}
