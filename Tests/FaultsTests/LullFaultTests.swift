import Basics
import Faults
import Testing

/// Faults of connections on which nothing passes for a time.
@Suite struct LullFaultTests {
    @Test(arguments: ["c*:idle(90s)=silent", "c1:idle(500ms)=rst", "host(a)/c2:idle(4min)=silent"])
    func `a time of silence is a place of a connection`(text: String) throws {
        let fault = try Fault(parsing: text)
        #expect(try Fault(parsing: fault.canonicalText) == fault)
        #expect(!fault.address.isOfRequests)
    }

    @Test(arguments: [
        ("c1:idle(90s)=fin", "this does: rst, silent"),
        ("c1:idle(90s)=forget", "'forget'"),
        ("c1:idle(90s)=silent(2)", "'silent'"),
        ("c1/r1:idle(90s)=rst", "'idle(...)' is of a connection; write 'c1:idle(90s)'"),
        ("u1:idle(90s)=silent", "'silent' acts at"),
        ("c1:idle(90)=rst", "90"),
        ("c1:down+5=stall(until=c2:idle(9s))", "waits"),
    ])
    func `what makes no sense there is refused`(text: String, words: String) {
        let error = #expect(throws: ScheduleError.self) { try Fault(parsing: text) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(words), "\(String(describing: error))")
    }

    @Test func `the shortest time comes first, and acts on both directions`() throws {
        let texts = ["c*:idle(90s)=silent", "c1:idle(5s)=rst", "c2:idle(1s)=rst"]
        let plan = FaultPlan(faults: try texts.map { try Fault(parsing: $0) }, seed: 1)
        let faults = plan.faults(onConnection: 1)
        #expect(!faults.isEmpty)
        #expect(faults.lulls.map(\.after) == [.seconds(5), .seconds(90)])
        #expect(
            faults.lulls.map { $0.armed(at: 7).effect } == [.reset, .hole(both: true, for: nil)]
        )
        #expect(
            faults.lulls[0].armed(at: 7).address == "down+7" && faults.lulls[0].armed(at: 7).isRacy
        )
    }
}
