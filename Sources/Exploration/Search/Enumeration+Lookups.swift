internal import Basics
internal import DNSWire
internal import Faults

extension Enumeration {
    /// The points of name lookups: each one alone, and those that never succeed.
    ///
    /// - Parameter lookups: that the baseline made.
    /// - Returns: only points whose fault changes something.
    static func points(of lookups: [BoundaryMap.Lookup]) -> [Point] {
        var points: [Point] = []
        for lookup in lookups {
            guard let type = RecordType(lookup.type), let name = HostPattern.ofNames(lookup.name)
            else { continue }
            let target = FaultTarget.queries(type, name, .one(lookup.ordinal))
            points += effects(on: lookup, type).map { point(target, $0) }
        }
        var names: [String] = []
        for lookup in lookups where !names.contains(lookup.name) { names.append(lookup.name) }
        for name in names.compactMap(HostPattern.ofNames) {
            points += lasting.map { point(.queries(nil, name, .every), $0) }
        }
        return points
    }

    private static func point(_ target: FaultTarget, _ effect: QueryEffect) -> Point {
        Point([Fault(FaultAddress(target, .whole), .query(effect))])
    }

    /// What is tried at all lookups of a name.
    private static let lasting: [QueryEffect] = [
        .code(.nameError), .code(.serverFailure), .timeout,
    ]

    private static func effects(on lookup: BoundaryMap.Lookup, _ type: RecordType) -> [QueryEffect]
    {
        let failures: [QueryEffect] = [
            .code(.serverFailure), .code(.refused), .timeout, .truncate(.answer), .truncate(.hole),
            .delay(.seconds(1)),
        ]
        switch lookup.answer {
        case .nothing: return failures + [.code(.nameError)]
        case .other: return failures + [.code(.nameError), .noData]
        case .addresses:
            let unreached = type == .a ? refusedIPv4 : refusedIPv6
            return failures + [.code(.nameError), .noData]
                + (unreached.map { [.deadFirst($0), .wrong([$0])] } ?? [])
        }
    }

    /// Addresses to which connections are refused at once, unless somebody listens on all of the machine's:
    /// proxies are at 127.0.0.1.
    private static let refusedIPv4 = NetworkAddress("127.0.0.251")
    private static let refusedIPv6 = NetworkAddress("::1")
}

extension QueryEffect {
    /// Whether a client may take it for final: another lookup need not come out otherwise, or is not
    /// made as long as the answer may be kept.
    var looksFinal: Bool {
        switch self {
        case .code(.nameError), .code(.refused), .noData, .cnameLoop, .wrong: true
        case .code, .timeout, .truncate, .delay, .rotate, .deadFirst, .lifetime: false
        }
    }

    /// Whether whoever asks mostly waits.
    var waits: Bool {
        switch self {
        case .timeout, .truncate(.hole), .delay: true
        default: false
        }
    }
}
