import ResumableServer
import Testing

@Suite struct RequestTallyTests {
    @Test func `each request counts in its own scope and in those around it`() {
        var tally = RequestTally()
        _ = tally.count(.creation)
        _ = tally.count(.object)
        let append = tally.count(.append)
        #expect(append[.any] == 3)
        #expect(append[.upload] == 2)
        #expect(append[.append] == 1)
        #expect(append[.creation] == nil)
        #expect(append[.object] == nil)
    }

    @Test(arguments: RequestTally.Kind.allCases)
    func `every request counts in the scope of all`(kind: RequestTally.Kind) {
        var tally = RequestTally()
        #expect(tally.count(kind)[.any] == 1)
        #expect(tally.count(.other)[.any] == 2)
    }
}
