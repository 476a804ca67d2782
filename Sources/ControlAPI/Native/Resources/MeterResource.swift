internal import Analysis
internal import Basics
internal import Journal
internal import Proxy

/// `/v1/meter` and `/v1/transfers`: what was transferred, and what it was worth.
final class MeterResource {
    private let run: ControlledRun
    private let paths: PathKeeper
    private var transfers = TransferBook()
    private(set) var meter = PathMeter()
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
    func receive(_ record: JournalRecord, elapsedNanoseconds: UInt64, of proxy: SteeredProxy?) {
        transfers.take(record, elapsedNanoseconds: elapsedNanoseconds)
        // `paths` knows more of the path than the profile does; it is the
        // path of the run's own proxy.
        if case .path = record { return }
        guard record.connection == nil || proxy === run.fleet.own else { return }
        metered.take(record)
    }

    /// Bytes by what the path was like, and by what became of them.
    private var meterDocument: ControlAnswer {
        settleMeter()
        let figures = transfers.figures()
        let byPath = PathMeter.Class.allCases.map { kind -> JSONValue in
            [
                "class": .string(kind.rawValue), "bytesUp": .number(meter[kind].up),
                "bytesDown": .number(meter[kind].down),
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

    /// Counts what came since the last time for the path as it was.
    func settleMeter() {
        meter.settle(up: run.server.deliveredBytes(.up), down: run.server.deliveredBytes(.down))
    }

    /// Takes note of what the path is like from now on.
    private func pathChanged(_ state: PathState) {
        meter.change(
            to: state,
            up: run.server.deliveredBytes(.up),
            down: run.server.deliveredBytes(.down)
        )
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
