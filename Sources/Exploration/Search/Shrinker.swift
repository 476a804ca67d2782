package import Faults

/// Makes a failing schedule smaller while it fails in the same way.
///
/// Delta debugging (Zeller, Hildebrandt 2002) over the faults, then for each fault: once instead of
/// always, an earlier connection, a simpler effect, the earliest place. The search is written as if
/// each answer were at hand; where one is not, it stops and names the point to run, and is begun
/// again when that is known. So it is a function of what is known, and repeats itself.
package struct Shrinker: Hashable, Sendable {
    /// What is known of a point: how it fails; `.some(nil)` if it does not.
    package typealias Known = (Point) -> FindingSign??

    package enum Step: Hashable, Sendable {
        /// This point has to be run first.
        case needs(Point)
        case done(Point, tests: Int)
    }

    /// The most candidates of one search.
    package static let limit = 200

    package let start: Point
    package let sign: FindingSign
    private let effects: [Effect.Kind]
    private let positions: ProtocolPositions
    private let limit: Int

    package init(
        _ start: Point,
        sign: FindingSign,
        effects: [Effect.Kind],
        positions: ProtocolPositions,
        limit: Int = Shrinker.limit
    ) {
        self.limit = limit
        self.start = start
        self.sign = sign
        self.effects = effects
        self.positions = positions
    }

    package func step(_ known: Known) -> Step {
        var search = Search(best: start, sign: sign, limit: limit)
        do throws(Stop) {
            try dropFaults(&search, known)
            for index in start.faults.indices where index < search.best.faults.count {
                try simplify(index, &search, known)
            }
        } catch {
            if case .unknown(let point) = error { return .needs(point) }
        }
        return .done(search.best, tests: search.tests)
    }

    /// The points to run next: the first that is needed, and those that are needed after it while none of
    /// them fails in the same way.
    ///
    /// - Parameters:
    ///   - known: what is known of points.
    ///   - limit: the most points.
    /// - Returns: none once the search is done.
    package func needs(_ known: Known, atMost limit: Int) -> [Point] {
        var points: [Point] = []
        while points.count < limit {
            let step = step { known($0) ?? (points.contains($0) ? .some(nil) : nil) }
            guard case .needs(let point) = step else { break }
            points.append(point)
        }
        return points
    }

    private enum Stop: Error {
        case unknown(Point)
        case limit
    }

    private struct Search {
        var best: Point
        let sign: FindingSign
        let limit: Int
        var tests = 0

        /// Whether a candidate fails in the same way; then it is the best so far.
        mutating func takes(_ candidate: Point, _ known: Known) throws(Stop) -> Bool {
            guard candidate != best else { return false }
            guard tests < limit else { throw .limit }
            guard let answer = known(candidate) else { throw .unknown(candidate) }
            tests += 1
            guard answer == sign else { return false }
            best = candidate
            return true
        }
    }

    /// Single faults first, which most failures come down to; then one fault less, and again.
    private func dropFaults(_ search: inout Search, _ known: Known) throws(Stop) {
        guard start.faults.count > 1 else { return }
        for fault in start.faults where try search.takes(Point([fault]), known) { return }
        var isSmaller = true
        while isSmaller && search.best.faults.count > 2 {
            isSmaller = false
            for index in search.best.faults.indices.reversed() {
                var faults = search.best.faults
                faults.remove(at: index)
                if try search.takes(Point(faults), known) {
                    isSmaller = true
                    break
                }
            }
        }
    }

    private func simplify(
        _ index: Int,
        _ search: inout Search,
        _ known: Known
    ) throws(Stop) {
        let fault = search.best.faults[index]
        for simpler in earlierTargets(fault)
        where try search.takes(search.best.replacing(index, by: simpler), known) {
            break
        }
        // Places sort by their target, so the fault may have moved among its neighbours.
        try simplifyEffect(index, &search, known)
        try moveEarlier(index, &search, known)
    }

    /// Once instead of always, and on an earlier connection.
    private func earlierTargets(_ fault: Fault) -> [Fault] {
        var options = fault.options
        options.times = nil
        let once = Fault(fault.address, fault.effect, options)
        guard let targets = fault.address.target.earlier else {
            return once == fault ? [] : [once]
        }
        let here = once == fault ? [] : [once].filter { !$0.isPermanent }
        return targets.map { once.moved(to: FaultAddress($0, once.address.anchor)) } + here
    }

    private func simplifyEffect(
        _ index: Int,
        _ search: inout Search,
        _ known: Known
    ) throws(Stop) {
        let fault = search.best.faults[index]
        let rank = fault.effect.kind.searchRank
        guard positions.axis(of: fault) != nil else { return }
        let kept = FaultOptions(see: fault.options.see, times: fault.options.times)
        for kind in effects where kind.searchRank < rank {
            guard let effect = kind.byteEffect else { continue }
            let simpler = Fault(fault.address, effect, kept)
            if try search.takes(search.best.replacing(index, by: simpler), known) { return }
        }
    }

    /// The first boundary where it still fails, and from there the first byte.
    private func moveEarlier(
        _ index: Int,
        _ search: inout Search,
        _ known: Known
    ) throws(Stop) {
        let fault = search.best.faults[index]
        // Others stand where their effect has a meaning.
        guard fault.effect.kind.isByteWise,
            let axis = positions.axis(of: fault), let here = axis.position(of: fault.address),
            fault.address.anchor.isExact
        else {
            return
        }
        var clear: UInt64?
        var failing = here
        for position in axis.boundaries() where position < here {
            if try search.takes(search.best.moving(index, to: axis.place(at: position)), known) {
                failing = position
                break
            }
            clear = position
        }
        guard var low = clear else { return }
        while failing - low > axis.tolerance {
            let middle = low + (failing - low) / 2
            if try search.takes(search.best.moving(index, to: axis.place(at: middle)), known) {
                failing = middle
            } else {
                low = middle
            }
        }
    }
}

extension FaultTarget {
    /// The same on connections, or for requests, before; nil where there is no before.
    fileprivate var earlier: [FaultTarget]? {
        switch self {
        case .requests(on: let connections, let requests):
            guard case .one(let last) = connections.ordinals else {
                return [.requests(on: .one(1), requests)]
            }
            return (1..<max(1, last)).map { .requests(on: .one($0), requests) }
        case .matching(let pattern, .every): return [.matching(pattern, .one(1))]
        case .connections(.every): return [.connections(.one(1))]
        case .queries(let type, let names, .every): return [.queries(type, names, .one(1))]
        case .matching, .connections, .object, .flows, .queries: return nil
        }
    }
}

extension Anchor {
    /// Whether it counts bytes of a message from the start, or is the end of a part.
    fileprivate var isExact: Bool {
        switch self {
        case .message(_, _, .end), .message(_, _, .fromStart): true
        case .message(_, _, .fromEnd), .message(_, _, .perMille): false
        case .connect, .byte, .interim, .idle, .whole, .datagrams, .silence, .tls, .inside:
            false
        }
    }
}

extension Point {
    fileprivate func replacing(_ index: Int, by fault: Fault) -> Point {
        var faults = faults
        faults[index] = fault
        return Point(faults)
    }

    fileprivate func moving(_ index: Int, to address: FaultAddress) -> Point {
        replacing(index, by: faults[index].moved(to: address))
    }
}
