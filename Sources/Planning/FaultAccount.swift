internal import Basics
internal import Faults

/// The faults of a plan, and what became of each.
struct FaultAccount: Sendable {
    private let plan: FaultPlan
    private let direction: Direction
    private var ledger: FaultLedger

    init(_ model: TransferModel) {
        plan = FaultPlan(faults: model.faults, seed: model.seed)
        direction = model.direction
        ledger = FaultLedger(plan: plan)
    }

    /// What applies to a connection, from 0.
    func faults(on connection: UInt32) -> ConnectionFaults {
        plan.faults(onConnection: connection + 1)
    }

    mutating func fired(_ id: String) { ledger.fired(id) }

    /// Notes what a connection left behind when it ended.
    mutating func unreached(_ faults: [UnfiredFault]) {
        for fault in faults { ledger.unreached(fault) }
    }

    /// Lets the faults of the direction in which nothing is sent act on a connection that opens.
    ///
    /// - Returns: the one that ends the connection before any byte, if one does.
    mutating func open(_ faults: ConnectionFaults) -> ArmedFault? {
        var gate = FaultGate(faults: faults)
        var ending: ArmedFault?
        while ending == nil, case .act(let fault) = gate.next(direction.opposite, available: 0) {
            if fault.endsBothWays {
                ending = fault
                ledger.fired(fault.id)
            } else {
                ledger.unreached(fault.id, .connectionEnded)
            }
        }
        unreached(gate.unfired(direction.opposite))
        return ending
    }

    /// Faults that a transfer of plain bytes does not meet, that wait for other traffic, or that
    /// stand among bytes of the other direction, of which a plan has none.
    var notPredicted: [String] {
        outcomes.compactMap { $0.isPredicted ? nil : $0.row.id }
    }

    /// The others that acted on no connection.
    var neverReached: [FaultLedger.Row] {
        outcomes.compactMap { $0.isPredicted && $0.row.fired == 0 ? $0.row : nil }
    }

    private var outcomes: [(row: FaultLedger.Row, isPredicted: Bool)] {
        zip(plan.faults, ledger.rows).map { ($1, isPredicted($0.fault, $1)) }
    }

    private func isPredicted(_ fault: Fault, _ row: FaultLedger.Row) -> Bool {
        if fault.address.isOfRequests || fault.effect.event != nil { return false }
        switch (fault.effect, fault.anchor) {
        case (.silent, _), (.down, _), (_, .tls): return false
        case (_, .byte(direction.opposite, _)): return row.fired > 0 || row.unreached == 0
        default: return true
        }
    }
}

extension ArmedFault {
    /// Whether the other direction ends with the one in which the fault acts.
    fileprivate var endsBothWays: Bool {
        if case .hole(both: false, _) = effect { return far != .same }
        return effect.endsStream
    }
}
