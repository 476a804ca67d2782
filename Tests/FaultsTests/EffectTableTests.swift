import Basics
import Faults
import Testing

/// What the table of effects says of each.
struct EffectTableTests {
    @Test func `each row is at the place of its kind, and no two have one name`() {
        let rows = Effect.Kind.allCases.map(\.declaration)
        #expect(rows.map(\.kind) == Effect.Kind.allCases)
        #expect(Set(rows.map(\.name)).count == rows.count)
    }

    @Test func `each example is of its effect, and reads as itself`() throws {
        for row in Effect.Kind.allCases.map(\.declaration) {
            #expect(!row.examples.isEmpty, "\(row.name)")
            for example in row.examples {
                let fault = try Fault(parsing: example.fault)
                #expect(fault.effect.kind == row.kind, "\(example.fault)")
                #expect(try Fault(parsing: fault.canonicalText) == fault, "\(example.fault)")
            }
        }
    }

    /// One of each effect with a place at datagrams, with the values of its first example.
    private static let onDatagrams: [String] = Effect.Kind.allCases.map(\.declaration)
        .filter { $0.places.contains(.datagram) }.compactMap { row in
            let texts = row.examples.map(\.fault)
            let text = texts.first { $0.hasPrefix("u") } ?? texts.first
            return text?.split(separator: "=", maxSplits: 1).last.map(String.init)
        }

    @Test(arguments: onDatagrams)
    func `each effect that may act on a datagram does`(effect: String) throws {
        let fault = try Fault(parsing: "u1:down#1=\(effect)")
        let plan = FaultPlan(faults: [fault], seed: 7)
        var gate = FlowGate(faults: plan.faults(onFlow: 1), isIPv6: false)
        let verdict = gate.judge(.down, length: 1_400, packets: [], at: .start)
        #expect(verdict.fired.map(\.effect) == [fault.effect.canonicalText])
    }
}
