internal import Basics
package import Faults
internal import LinkEngine

/// Every point that a baseline's boundaries give: anchors × effects × repeats.
package struct Enumeration: Hashable, Sendable {
    /// One fault, once, along a message; searched for edges afterwards.
    package private(set) var series: [PlannedSeries] = []
    /// Points without neighbours: whole-connection faults, lost answers, repeats and the like.
    package private(set) var singles: [Point] = []

    private let effects: [Effect.Kind]
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
        effects: [Effect.Kind],
        isStable: Bool,
        server: CampaignSettings.Server = .embedded
    ) {
        self.effects = effects.filter { $0.isPossible(with: server) }
        self.server = server
        self.isStable = isStable
        for connection in map.connections { add(connection) }
        addTLS(map.connections.filter(\.isSealed))
        for exchange in map.exchanges { add(exchange) }
        for flow in map.flows { singles += Self.points(of: flow, effects: self.effects) }
        if self.effects.contains(.query) { singles += Self.points(of: map.lookups) }
        for path in Self.paths(map) {
            let requests = map.exchanges.filter { $0.pattern.path == path }
            guard requests.count > 1 else { continue }
            addOriginFaults(path, isFetchedTwice: requests.count { $0.method == "GET" } > 1)
        }
    }

    private static func paths(_ map: BoundaryMap) -> [PathGlob] {
        var seen: Set<PathGlob> = []
        return map.exchanges.map(\.pattern.path).filter { seen.insert($0).inserted }
    }

    private mutating func add(_ connection: BoundaryMap.Connection) {
        let target = FaultTarget.connections(.one(connection.ordinal))
        let every = FaultTarget.connections(.every)
        for effect in effects {
            guard let (few, all) = effect.connectForms else { continue }
            for form in few { add(Fault(FaultAddress(target, .connect), form)) }
            if connection.ordinal == 1 { add(Fault(FaultAddress(every, .connect), all)) }
        }
        guard connection.isOpaque else { return }
        add(Axis(target, .up, body: connection.upBytes))
        add(Axis(target, .down, body: connection.downBytes))
        for effect in effects where effect.isCheap && connection.ordinal == 1 {
            guard let cut = effect.byteEffect else { continue }
            for (direction, bytes) in [
                (Direction.up, connection.upBytes), (.down, connection.downBytes),
            ] where bytes > 0 {
                for offset in Set([1, bytes / 2]).sorted() {
                    add(Fault(FaultAddress(every, .byte(direction, .at(offset))), cut))
                }
            }
        }
    }

    /// Faults in TLS: those of the handshake's answer on the first connection, the rest on each.
    private mutating func addTLS(_ connections: [BoundaryMap.Connection]) {
        for (index, connection) in connections.enumerated() {
            let target = FaultTarget.connections(.one(connection.ordinal))
            for kind in effects {
                for form in kind.formsInTLS(of: connection, isFirst: index == 0) {
                    add(Fault(FaultAddress(target, .tls(form.place)), form.effect))
                }
            }
        }
    }

    private mutating func add(_ exchange: BoundaryMap.Exchange) {
        let target = target(of: exchange)
        let request = Axis(target, .request, exchange.sent)
        let hasProgress = exchange.interims.contains { $0.status == 104 }
        add(request)
        if hasProgress { add(request, options: FaultOptions(see: .interim(104))) }
        for interim in exchange.interims {
            add(Axis(target, interim), headEdges: interim.headEdges)
        }
        if let received = exchange.received {
            add(
                Axis(target, .response, received),
                chunkEdges: received.chunkEdges,
                headEdges: received.headEdges
            )
        }
        addForms(exchange, at: target)
        addRepeats(exchange)
    }

    private func target(of exchange: BoundaryMap.Exchange) -> FaultTarget {
        isStable
            ? .requests(on: .one(exchange.connection), .one(exchange.request))
            : exchange.pattern(.one(exchange.match))
    }

    private mutating func add(
        _ axis: Axis,
        options: FaultOptions = FaultOptions(),
        chunkEdges: [UInt64] = [],
        headEdges: [UInt64] = []
    ) {
        let boundaries = axis.boundaries(chunkEdges: chunkEdges, headEdges: headEdges)
        guard axis.end > 0 else { return }
        for kind in effects {
            guard let effect = kind.byteEffect else { continue }
            let places = kind.isCheap ? boundaries : axis.waitingPlaces
            append(
                Series(axis: axis, effect: effect, options: options),
                // Nothing answers a request before its head is there.
                places.filter { options.see == .none || $0 >= axis.head }
            )
        }
    }

    private mutating func append(_ series: Series, _ positions: [UInt64]) {
        self.series.append(PlannedSeries(series: series, positions: positions))
    }

    private mutating func add(_ fault: Fault) { singles.append(Point([fault])) }

    /// Effects that act on a message as a whole.
    private mutating func addForms(
        _ exchange: BoundaryMap.Exchange,
        at target: FaultTarget
    ) {
        for effect in effects {
            let forms = effect.forms(in: exchange) + effect.formsInside(exchange)
            for form in forms where isPossible(form.effect) {
                add(Fault(FaultAddress(target, form.anchor), form.effect, form.options))
            }
        }
    }

    private func isPossible(_ effect: Effect) -> Bool {
        guard server == .started(losesState: false), case .crash(let loss) = effect else {
            return true
        }
        return loss == .none
    }

    /// The same faults on the first two tries, and on all.
    private mutating func addRepeats(_ exchange: BoundaryMap.Exchange) {
        let first = exchange.pattern(.one(exchange.match))
        let every = exchange.pattern(.every)
        let twice = FaultOptions(times: .count(2))
        for form in effects.flatMap({ $0.repeatedForms(in: exchange) }) {
            add(Fault(FaultAddress(first, form.anchor), form.effect, twice))
            add(Fault(FaultAddress(every, form.anchor), form.effect))
        }
    }

    /// Faults of the origin, from the second request for an object on, if there is one without a cut.
    private mutating func addOriginFaults(_ path: PathGlob, isFetchedTwice: Bool) {
        for effect in effects where isFetchedTwice || !effect.family.isOfServer {
            for form in effect.originForms { add(Fault(Self.second(path), form)) }
        }
    }

    private static func second(_ path: PathGlob) -> FaultAddress {
        FaultAddress(.object(path, .one(2)), .whole)
    }
}

extension BoundaryMap.Exchange {
    /// Requests of this method and path.
    package var pattern: RequestPattern {
        RequestPattern(
            method: method,
            host: host.flatMap(HostPattern.init),
            path: PathGlob(path) ?? .every
        )
    }

    /// Some of the requests of this method and path.
    package func pattern(_ requests: OrdinalSelector) -> FaultTarget {
        .matching(pattern, requests)
    }
}
