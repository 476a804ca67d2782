import Basics
import Journal
import Testing

@testable import Proxy

@Suite struct DestinationCountsTests {
    @Test func `connections to all hosts of a pattern have ordinals together`() throws {
        let all = try #require(HostPattern("*.test"))
        let one = try #require(HostPattern("a.test"))
        var counts = DestinationCounts()
        func ordinals(_ number: UInt32, _ host: String) -> [HostPattern: UInt32]? {
            let id = ConnectionID(listener: 1, ordinal: number)
            counts.count(id, Destination(host: host, port: 80), by: [all, one])
            return counts.ordinals[id]
        }
        #expect(ordinals(1, "a.test") == [all: 1, one: 1])
        #expect(ordinals(2, "b.test") == [all: 2])
        #expect(ordinals(3, "a.test") == [all: 3, one: 2])
        #expect(ordinals(4, "c.example") == nil)
        #expect(counts.total(all) == 3)
    }
}
