/// Every point that a baseline's boundaries give: anchors × effects × repeats.
package struct Enumeration: Hashable, Sendable {
    /// One fault, once, along a message; searched for edges afterwards.
    package private(set) var series: [PlannedSeries] = []
    /// Points without neighbours: whole-connection faults, lost answers, repeats and the like.
    package private(set) var singles: [Point] = []

    private let effects: [PointEffect]
    /// Whether connections and requests have the same numbers in every run.
    private let isStable: Bool
    private let server: CampaignSettings.Server

    /// - Parameters:
    ///   - map: what the baseline did.
    ///   - effects: what to try.
    ///   - isStable: false if two baselines differed; then requests are named by method and path.
    ///   - server: what can go wrong with it is left out if it cannot.
    package init(
        of map: BoundaryMap,
        effects: [PointEffect],
        isStable: Bool,
        server: CampaignSettings.Server = .embedded
    ) {
        self.effects = effects.filter { $0.isPossible(with: server) }
        self.server = server
        self.isStable = isStable
        for connection in map.connections { add(connection) }
        for exchange in map.exchanges { add(exchange) }
        for path in Self.paths(map) { addOriginFaults(path) }
    }

    private static func paths(_ map: BoundaryMap) -> [String] {
        var seen: Set<String> = []
        return map.exchanges.map(\.path).filter { seen.insert($0).inserted }
    }

    private mutating func add(_ connection: BoundaryMap.Connection) {
        let target = FaultPlace.Target.connection(.one(connection.ordinal))
        let every = FaultPlace.Target.connection(.every)
        for effect in effects where effect == .refuse || effect == .silent {
            let name = effect.rawValue
            add(PlannedFault(FaultPlace(target, .connect), name))
            add(PlannedFault(FaultPlace(target, .connect), "\(name)(2)"))
            if connection.ordinal == 1 {
                let isRefusal = effect == .refuse
                add(PlannedFault(FaultPlace(every, .connect), isRefusal ? name : "\(name)(1000)"))
            }
        }
        guard connection.isOpaque else { return }
        add(Axis(target, .up, body: connection.upBytes))
        add(Axis(target, .down, body: connection.downBytes))
        for effect in effects where effect.isCheap && connection.ordinal == 1 {
            for (part, bytes) in [
                (FaultPlace.Part.up, connection.upBytes), (.down, connection.downBytes),
            ] where bytes > 0 {
                for offset in Set([1, bytes / 2]).sorted() {
                    add(PlannedFault(FaultPlace(every, part, .fromStart(offset)), effect.rawValue))
                }
            }
        }
    }

    private mutating func add(_ exchange: BoundaryMap.Exchange) {
        let target = target(of: exchange)
        let request = Axis(target, .request, exchange.sent)
        let hasProgress = exchange.interims.contains { $0.status == 104 }
        add(request)
        if hasProgress { add(request, arguments: ["see=104"]) }
        for interim in exchange.interims {
            add(Axis(target, interim))
        }
        if let received = exchange.received {
            add(Axis(target, .response, received), chunkEdges: received.chunkEdges)
        }
        addForms(exchange, at: target)
        addRepeats(exchange)
    }

    private func target(of exchange: BoundaryMap.Exchange) -> FaultPlace.Target {
        isStable
            ? .request(connection: .one(exchange.connection), request: .one(exchange.request))
            : exchange.pattern(.one(exchange.match))
    }

    private mutating func add(
        _ axis: Axis,
        arguments: [String] = [],
        chunkEdges: [UInt64] = []
    ) {
        let boundaries = axis.boundaries(chunkEdges: chunkEdges)
        for effect in effects where effect.isByteWise {
            let deed = effect.deed
            let series = Series(
                axis: axis,
                effect: deed.effect,
                arguments: deed.arguments + arguments
            )
            if axis.end > 0 { append(series, effect.isCheap ? boundaries : axis.landmarks) }
        }
    }

    private mutating func append(_ series: Series, _ positions: [UInt64]) {
        self.series.append(PlannedSeries(series: series, positions: positions))
    }

    private mutating func add(_ fault: PlannedFault) { singles.append(Point([fault])) }

    /// Effects that act on a message as a whole.
    private mutating func addForms(
        _ exchange: BoundaryMap.Exchange,
        at target: FaultPlace.Target
    ) {
        for effect in effects {
            for (part, offset, text, arguments) in effect.forms(in: exchange) {
                if server == .started(losesState: false), text.hasPrefix("crash(") { continue }
                add(PlannedFault(FaultPlace(target, part, offset), text, arguments))
            }
        }
    }

    /// The same faults on the first two tries, and on all.
    private mutating func addRepeats(_ exchange: BoundaryMap.Exchange) {
        let first = exchange.pattern(.one(exchange.match))
        let every = exchange.pattern(.every)
        for effect in effects where effect.isCheap || effect == .swallow || effect == .status {
            for (part, offset) in exchange.repeatAnchors(of: effect) {
                let text = effect == .status ? "status(503)" : effect.rawValue
                add(PlannedFault(FaultPlace(first, part, offset), text, ["times=2"]))
                add(PlannedFault(FaultPlace(every, part, offset), text))
            }
        }
    }

    /// Faults of the origin, from the second request for an object on.
    private mutating func addOriginFaults(_ path: String) {
        for effect in effects {
            for text in effect.originForms {
                let target = FaultPlace.Target.object(path: path, .one(2))
                add(PlannedFault(FaultPlace(target, nil), text))
            }
        }
    }
}

extension BoundaryMap.Exchange {
    /// Requests of this method and path.
    package func pattern(_ ordinal: FaultPlace.Ordinal) -> FaultPlace.Target {
        .matching(method: method, path: path, ordinal)
    }
}
