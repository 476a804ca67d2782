internal import Faults

/// The cuts after which a client was seen to ask for the rest.
///
/// What a server may do wrong in between is tried after one cut at a place: a clean end or, where a client
/// takes that for the end of all, a reset.
struct ResumedCuts {
    /// What a run leads to.
    enum Step {
        /// A cut that the client resumes after, and the run that shows it.
        case use(Point, PointOutcome)
        /// A cut that has to be run first.
        case run(Point)
        case nothing
    }

    private let effects: Set<Effect.Kind>
    /// Runs of resets.
    private var resets: [FaultAddress: PointOutcome] = [:]
    /// Where a client did not resume after a clean end.
    private var ends: Set<FaultAddress> = []

    /// - Parameter effects: what to try.
    init(_ effects: [Effect.Kind]) { self.effects = Set(effects) }

    /// Takes the run of a cut, in any order.
    ///
    /// - Parameters:
    ///   - point: that was run.
    ///   - outcome: of its run.
    ///   - isOwn: whether the point belongs to this shard. The reset at the place of such a point is run here,
    ///     too, whichever shard it belongs to.
    /// - Returns: what is to be done now.
    mutating func note(_ point: Point, _ outcome: PointOutcome, isOwn: Bool) -> Step {
        guard let cut = point.cut else { return .nothing }
        if cut.effect == .finish || !effects.contains(.finish) {
            guard isOwn else { return .nothing }
            if outcome.resumes { return .use(point, outcome) }
            guard cut.effect == .finish, effects.contains(.reset) else { return .nothing }
            ends.insert(cut.address)
            let reset = Point([Fault(cut.address, .reset)])
            return resets[cut.address].map { step(reset, $0) } ?? .run(reset)
        }
        resets[cut.address] = outcome
        return ends.contains(cut.address) ? step(point, outcome) : .nothing
    }

    private func step(_ reset: Point, _ outcome: PointOutcome) -> Step {
        outcome.resumes ? .use(reset, outcome) : .nothing
    }
}

extension Point {
    /// The fault, if it is only one, and an end of the connection.
    var cut: Fault? {
        guard faults.count == 1, let fault = faults.first,
            fault.effect == .finish || fault.effect == .reset, fault.options == FaultOptions()
        else { return nil }
        return fault
    }
}
