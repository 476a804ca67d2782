import Basics
@testable import Proxy
import SystemIO
import Testing

@Suite struct DestinationRulesTests {
    private func rules(_ patterns: String...) -> DestinationRules {
        var rules = DestinationRules()
        rules.patterns = patterns.compactMap { DestinationRules.Pattern($0) }
        return rules
    }

    private func isAllowed(_ rules: DestinationRules, _ host: String, _ port: UInt16 = 80) -> Bool {
        (try? rules.check(Destination(host: host, port: port))) != nil
    }

    @Test(arguments: [
        "localhost", "api.localhost", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1",
    ])
    func `this machine is allowed by its own names`(host: String) {
        #expect(isAllowed(DestinationRules(), host))
    }

    @Test(arguments: [
        "example.com", "10.0.0.1", "169.254.169.254", "::", "0.0.0.0", "localhost.example.com",
        "fe80::1",
        "::ffff:10.0.0.1",
    ])
    func `nothing else is, without a pattern`(host: String) {
        #expect(!isAllowed(DestinationRules(), host))
    }

    @Test(arguments: [
        "2130706433", "0x7f000001", "0x7f.1", "127.1", "0177.0.0.1", "127.0.0.01", "017700000001",
        "127.0.0.1.", "1.2.3.4.5", "256.1.1.1", "fe80::1%eth0", "", "1.2.3.0x4",
    ])
    func `a number that programs read in different ways is refused, whatever is allowed`(
        host: String
    ) {
        #expect(throws: DestinationRules.Refusal.unclearHost) {
            try rules("*").check(Destination(host: host, port: 80))
        }
    }

    @Test(arguments: [
        ("api.example.com", "api.example.com", 80, true),
        ("api.example.com", "api.example.com", 443, true),
        ("api.example.com:443", "api.example.com", 80, false),
        ("*.example.com", "a.b.example.com", 1, true),
        ("*.example.com", "example.com", 1, false), ("*.example.com", "aexample.com", 1, false),
        ("api.*", "api.test", 1, true), ("*", "anything", 1, true), ("a*b*c", "a1b2c", 1, true),
        ("a*b*c", "a1c2b", 1, false), ("[2001:db8::1]:8080", "2001:db8::1", 8_080, true),
        ("API.Example.COM", "api.example.com", 1, true),
        ("example.com", "example.com.evil.test", 1, false),
    ])
    func `patterns name hosts and ports`(
        pattern: String,
        host: String,
        port: UInt16,
        isAllowed expected: Bool
    ) {
        #expect(isAllowed(rules(pattern), host, port) == expected)
    }

    @Test(arguments: ["", ":80", "a:b", "a:0", "a:70000", "a b", "[::1", "[::1]x", "a:1:2", "ä"])
    func `what is no pattern is none`(text: String) {
        #expect(DestinationRules.Pattern(text) == nil)
    }

    private func addresses(_ texts: String...) -> [SocketAddress] {
        texts.compactMap { SocketAddress(numericHost: $0, port: 80) }
    }

    @Test func `a name that leads to this machine is not followed`() {
        let found = addresses(
            "127.0.0.1",
            "93.184.216.34",
            "::1",
            "::ffff:127.0.0.1",
            "0.0.0.0",
            "::"
        )
        let allowed = rules("*").allowed(found, for: Destination(host: "rebound.test", port: 80))
        #expect(allowed == addresses("93.184.216.34"))
    }

    @Test func `link-local addresses and metadata have to be named`() {
        let special = addresses("169.254.169.254", "fe80::1", "fd00:ec2::254", "::ffff:169.254.1.1")
        let byName = Destination(host: "metadata.test", port: 80)
        #expect(rules("*").allowed(special, for: byName).isEmpty)
        #expect(rules("*", "metadata.test").allowed(special, for: byName) == special)
        let number = Destination(host: "169.254.169.254", port: 80)
        #expect(rules("*").allowed(addresses("169.254.169.254"), for: number).isEmpty)
        #expect(
            !rules("169.254.169.254").allowed(addresses("169.254.169.254"), for: number).isEmpty
        )
    }

    @Test func `a name below localhost leads to this machine alone`() throws {
        let place = Destination(host: "api.localhost", port: 80)
        try rules().check(place)
        let found = addresses("93.184.216.34", "127.0.0.1")
        #expect(rules().allowed(found, for: place) == addresses("127.0.0.1"))
    }
}
