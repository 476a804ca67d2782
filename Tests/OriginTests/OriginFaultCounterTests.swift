import HTTPWire
import ResumableServer
import Testing

@testable import Origin

/// Which requests for an object a change of it comes before.
@Suite struct OriginFaultCounterTests {
    /// What each request has to do with a change before the one of this number: `*` where it acts, and the
    /// times that the object has changed by then.
    private func course(_ number: UInt32, _ methods: String...) -> [String] {
        var counter = OriginFaultCounter([
            OriginFault(
                id: "change",
                effect: .mutate(.grow),
                matches: { $0 == "/x" },
                names: { $0 == number }
            )
        ])
        return methods.map { method in
            var fate = PlannedFaults.Fate()
            counter.count(RequestHead(method, "/x"), into: &fate)
            let changes = fate.mutations.map(\.count).max() ?? 0
            return "\(fate.fired.isEmpty ? "" : "*")\(changes)"
        }
    }

    @Test func `requests for the head alone are not counted`() {
        #expect(course(2, "GET", "HEAD", "HEAD", "GET", "GET") == ["0", "0", "0", "*1", "1"])
    }

    @Test func `what changes before the first request does so before one for its head, once`() {
        #expect(course(1, "HEAD", "HEAD", "GET", "GET") == ["*1", "1", "1", "1"])
        #expect(course(1, "GET", "HEAD") == ["*1", "1"])
    }
}
