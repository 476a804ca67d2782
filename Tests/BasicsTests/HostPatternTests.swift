import Basics
import Testing

@Suite struct HostPatternTests {
    @Test(arguments: [
        ("api.example.com", "API.Example.com", true), ("api.example.com", "api.example.org", false),
        ("*.example.com", "a.b.example.com", true), ("*.example.com", "example.com", false),
        ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false), ("*", "anything", true),
        ("127.0.0.1", "127.0.0.1", true), ("[::1]", "::1", true),
    ])
    func `a pattern fits whole hosts, in any case`(pattern: String, host: String, fits: Bool) throws
    {
        #expect(try #require(HostPattern(pattern)).matches(host: host, port: 80) == fits)
    }

    @Test func `a pattern with a port fits that port only`() throws {
        let pattern = try #require(HostPattern("localhost:8080"))
        #expect(pattern.matches(host: "localhost", port: 8080))
        #expect(!pattern.matches(host: "localhost", port: 80))
        #expect(!pattern.matches(host: "localhost", port: nil))
        #expect(pattern.matches(authority: "localhost:8080"))
        #expect(!pattern.matches(authority: "localhost"))
        let address = try #require(HostPattern("[::1]:80"))
        #expect(address.matches(authority: "[::1]:80") && address.canonicalText == "[::1]:80")
    }

    @Test(arguments: ["", "a:b", "a:0", "a:70000", "a:1:2", "[::1", "[::1]x", "a b", "a/b", "a)b"])
    func `what is no host is refused`(text: String) { #expect(HostPattern(text) == nil) }

    @Test func `many stars take no longer than the text is long`() throws {
        let pattern = try #require(HostPattern(String(repeating: "*a", count: 40) + "b"))
        #expect(!pattern.matches(host: String(repeating: "a", count: 200), port: nil))
    }
}
