internal import Analysis
internal import Basics
internal import Journal
internal import LinkProfile
internal import Proxy

/// `/v1/meter` and `/v1/transfers`: what was transferred, and what it was worth.
final class MeterResource {
    private let run: ControlledRun
    private let paths: PathKeeper
    private var transfers = TransferBook()
    private var meter = PathMeter()
    /// What went over a second path, which has its own attributes.
    private var secondMeter = PathMeter()
    /// What was asked for on an expensive or constrained path.
    private var metered = MeteredTraffic()

    init(_ run: ControlledRun, _ paths: PathKeeper) {
        self.run = run
        self.paths = paths
        paths.onState = { [weak self] in self?.pathChanged($0) }
    }

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/transfers") { [self] _, _ in .json(transfers.read()) }
        table.add("GET", "/v1/meter") { [self] _, _ in meterDocument }
    }

    /// Counts the next record of the run, which is of `proxy`.
    func receive(_ record: JournalRecord, at time: Instant, of proxy: SteeredProxy?) {
        transfers.take(record, at: time)
        // `paths` knows more of the path than the profile does; it is the
        // path of the run's own proxy.
        if case .path(nil, _) = record { return }
        guard record.connection == nil || proxy === run.fleet.own else { return }
        metered.take(record)
    }

    /// Bytes by what the path was like, and by what became of them.
    private var meterDocument: ControlAnswer {
        settleMeter()
        let figures = transfers.figures()
        let byPath = PathMeter.Class.allCases.map { kind -> JSONValue in
            [
                "class": .string(kind.rawValue), "bytesUp": .number(self[kind].up),
                "bytesDown": .number(self[kind].down),
            ]
        }
        return .json([
            "isExpensive": .bool(paths.state.isExpensive),
            "isConstrained": .bool(paths.state.isConstrained),
            "bytesByPath": .array(byPath),
            "startedWhileExpensive": Self.document(metered.expensive),
            "startedWhileConstrained": Self.document(metered.constrained),
            "content": [
                "firstBytes": .number(figures.payload),
                "resentAvoidableBytes": .number(figures.resentAvoidable),
                "resentForcedBytes": .number(figures.resentForced),
                "abandonedBytes": .number(figures.abandoned),
            ],
            "budget": run.server.link.budgetStatus.map(Self.document) ?? .null,
        ])
    }

    /// The bytes of one kind of path, up to the last time that they were settled.
    subscript(kind: PathMeter.Class) -> PathMeter.Bytes {
        let (first, second) = (meter[kind], secondMeter[kind])
        return PathMeter.Bytes(up: first.up + second.up, down: first.down + second.down)
    }

    /// Counts what came since the last time for the paths as they were.
    func settleMeter() {
        meter.settle(up: overFirst(.up), down: overFirst(.down))
        secondMeter.settle(up: overSecond(.up), down: overSecond(.down))
    }

    private func overSecond(_ direction: Direction) -> UInt64 {
        run.server.deliveredOverSecondPath(direction)
    }

    private func overFirst(_ direction: Direction) -> UInt64 {
        run.server.deliveredBytes(direction) - overSecond(direction)
    }

    /// Takes note of what the paths are like from now on.
    ///
    /// Nothing passes over the first one while `state` is the second's.
    private func pathChanged(_ state: PathState) {
        meter.change(
            to: .init(isExpensive: state.isExpensive, isConstrained: state.isConstrained),
            up: overFirst(.up),
            down: overFirst(.down)
        )
        if let second = run.server.secondPath {
            secondMeter.change(
                to: .init(isExpensive: second.isExpensive, isConstrained: second.isConstrained),
                up: overSecond(.up),
                down: overSecond(.down)
            )
        }
        metered.pathIs(expensive: state.isExpensive, constrained: state.isConstrained)
    }

    private static func document(_ count: MeteredTraffic.Count) -> JSONValue {
        ["requests": .number(count.requests), "bytes": .number(count.bytes)]
    }

    private static func document(_ budget: BudgetStatus) -> JSONValue {
        .object([
            "state": .string(budget.state.rawValue), "usedBytes": .number(budget.usedBytes),
            "softLimitBytes": .optional(budget.softLimitBytes),
            "hardLimitBytes": .optional(budget.hardLimitBytes),
        ])
    }
}
