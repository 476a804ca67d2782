import Basics
import Faults
import Testing

@Suite struct FaultLedgerTests {
    @Test func `a fault that never acted is listed with its reason`() throws {
        let texts = ["c1:down+5=rst", "c2:down+5=rst", "c9:down+5=rst", "c3:up+1=fin"]
        let plan = FaultPlan(faults: try texts.map { try Fault(parsing: $0) }, seed: 1)
        var ledger = FaultLedger(plan: plan)
        ledger.fired("c1:down+5=rst")
        var gate = FaultGate(faults: plan.faults(onConnection: 2))
        _ = gate.next(.down, available: 3)
        _ = gate.next(.down, available: 0, ended: true)
        gate.unfired(.down).forEach { ledger.unreached($0) }
        ledger.fired("c3:up+1=fin", delivered: false)

        #expect(ledger.rows.map(\.fired) == [1, 0, 0, 0])
        #expect(ledger.rows.map(\.undelivered) == [0, 0, 0, 1])
        #expect(ledger.silent.map(\.id) == Array(texts.dropFirst()))
        #expect(
            ledger.silent.map(\.reason.description)
                == ["stream ended at 3", "no connection", "no connection"]
        )
    }

    @Test func `what acts after another fault was removed counts as its own`() throws {
        let texts = ["c1:down+5=rst", "c2:down+5=rst", "c3:up+1=fin"]
        var ledger = FaultLedger(
            plan: FaultPlan(faults: try texts.map { try Fault(parsing: $0) }, seed: 1)
        )
        ledger.remove("c1:down+5=rst")
        ledger.fired("c3:up+1=fin")
        #expect(ledger.rows.map(\.id) == ["c2:down+5=rst", "c3:up+1=fin"])
        #expect(ledger.rows.map(\.fired) == [0, 1])
    }
}
