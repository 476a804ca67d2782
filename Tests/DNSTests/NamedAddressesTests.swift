import Basics
import DNS
import DNSWire
import Faults
import Testing

@Suite struct NamedAddressesTests {
    @Test func `names with addresses are read`() throws {
        let named = try NamedAddresses(parsing: "*.CDN.test.=127.0.0.1,::1")
        #expect(named.names.canonicalText == "*.cdn.test")
        #expect(named.addresses.map(\.text) == ["127.0.0.1", "::1"])
    }

    @Test(arguments: [
        ("a.b", 4, "expected '=' and an address, found the end"),
        ("=127.0.0.1", 1, "'' is no name; write NAME=ADDRESS"),
        ("a.b=127.0.0.1:80", 5, "'127.0.0.1:80' is not an address"),
        ("a.b=127.0.0.1)", 14, "expected the end of the text, found ')'"),
        ("a b=127.0.0.1", 1, "'a b' is no name"),
    ])
    func `what is wrong with a name is told`(text: String, column: Int, words: String) throws {
        let error = try #require(throws: ScheduleError.self) {
            _ = try NamedAddresses(parsing: text)
        }
        #expect(error.column == column)
        #expect(error.description.contains(words), "\(error.description)")
    }
}
