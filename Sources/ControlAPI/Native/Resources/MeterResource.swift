internal import Analysis
internal import FaultInjection
internal import Journal
internal import LinkEngine
internal import Proxy

// What was transferred, and what it was worth.
extension NativeAPI {
    /// Bytes by what the path was like, and by what became of them.
    var meterDocument: ControlAnswer {
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
            "budget": server.budgetStatus.map(Self.document) ?? .null,
        ])
    }

    /// Counts what came since the last time for the path as it was.
    func settleMeter() {
        meter.settle(up: server.deliveredBytes(.up), down: server.deliveredBytes(.down))
    }

    /// Takes note of what the path is like from now on.
    func pathChanged(_ state: PathState) {
        meter.change(
            to: state,
            up: server.deliveredBytes(.up),
            down: server.deliveredBytes(.down)
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
