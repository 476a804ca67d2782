internal import Basics
internal import Faults

/// What a server can do wrong between a cut and the request for the rest: its object is another one by
/// then, or it gives another part.
struct ObjectChanges {
    private let effects: [Effect.Kind]
    private let positions: ProtocolPositions

    /// - Parameters:
    ///   - effects: what to try; none if no one could tell which result is right.
    ///   - positions: of the runs without faults.
    init(_ effects: [Effect.Kind], _ positions: ProtocolPositions) {
        self.effects = effects.filter { $0 == .mutate || $0 == .range }
        self.positions = positions
    }

    /// A cut with each of the changes.
    ///
    /// - Parameters:
    ///   - point: a single fault.
    ///   - outcome: of its run.
    /// - Returns: nothing unless it cuts the content in its middle and the client then asks for the rest,
    ///   at once or when it is started again.
    func points(after point: Point, _ outcome: PointOutcome) -> [Point] {
        guard let cut = point.cut else { return [] }
        return between(cut, outcome) + atNextStart(after: cut, outcome)
    }

    /// Whether a point cuts the content of one answer in its middle, and does nothing else.
    func isMiddle(_ point: Point) -> Bool { point.cut.flatMap(middle) != nil }

    /// Whether a cut is one of those that changes are tried after.
    func concern(_ point: Point) -> Bool {
        isMiddle(point) || point.cut.flatMap(downloadsCut) != nil
    }

    /// What a cut cuts in its middle, once.
    private func middle(_ cut: Fault) -> Axis? {
        guard !cut.isPermanent, let axis = positions.axis(of: cut), axis.kind == .response,
            axis.isMiddleOfBody(cut.address)
        else { return nil }
        return axis
    }

    /// The request for the rest is the second one, or the first one of a second start.
    private func between(_ cut: Fault, _ outcome: PointOutcome) -> [Point] {
        guard outcome.resumes, let axis = middle(cut),
            let path = positions.exchange(of: cut.address.target)?.pattern.path
        else { return [] }
        var points = forms.map { Point([cut, Fault(address(path, 2), $0)]) }
        if effects.contains(.mutate) {
            // The part is longer than what the object has become.
            let last = Fault(axis.place(at: axis.head + axis.body - 1), cut.effect)
            points.append(Point([last, Fault(address(path, 2), .mutate(.shrink))]))
        }
        return points
    }

    /// The client retries until it gives up, and continues when it is started again.
    private func atNextStart(after cut: Fault, _ outcome: PointOutcome) -> [Point] {
        guard let pattern = downloadsCut(by: cut), case .exited = outcome.ending,
            outcome.recovery?.resumes == true, let map = outcome.map
        else { return [] }
        // Requests for the head alone are not counted.
        let requestsMade = map.exchanges.count {
            $0.method == pattern.method && $0.pattern.path == pattern.path
        }
        let next = UInt32(clamping: requestsMade + 1)
        return forms.map { Point([cut, Fault(address(pattern.path, next), $0)]) }
    }

    /// The downloads that a cut meets in their middle, again and again.
    private func downloadsCut(by cut: Fault) -> RequestPattern? {
        guard case .matching(let pattern, .every) = cut.address.target, pattern.method == "GET",
            cut.address.anchor == .message(.down, .body, .perMille(500))
        else { return nil }
        return pattern
    }

    private var forms: [Effect] { effects.flatMap(\.originForms) }

    private func address(_ path: PathGlob, _ request: UInt32) -> FaultAddress {
        FaultAddress(.object(path, .one(request)), .whole)
    }
}
