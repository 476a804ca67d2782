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
}
