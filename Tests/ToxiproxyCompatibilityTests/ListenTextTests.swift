import SystemIO
import Proxy
import Testing

@testable import ControlAPI
@testable import ToxiproxyCompatibility

@Suite struct ListenTextTests {
    @Test(arguments: [
        ("", 0), (":80", 80), ("0.0.0.0:7", 7), ("[::]:18080", 18_080), ("[::0]:", 0),
    ])
    func `a wildcard is both loopback addresses unless other machines are allowed`(
        text: String,
        port: UInt16
    ) throws {
        #expect(try ListenText(text, allowsRemote: false) == .place(.loopback(port: port)))
        #expect(try ListenText(text, allowsRemote: true) == .place(.everywhere(port: port)))
    }

    @Test(arguments: [
        ("localhost:80", "127.0.0.1:80"), ("LOCALHOST:", "127.0.0.1:0"),
        ("[::1]:80", "[::1]:80"), ("10.0.0.7:9", "10.0.0.7:9"),
    ])
    func `a host is one address`(text: String, address: String) throws {
        for allowsRemote in [false, true] {
            guard case .place(let place) = try ListenText(text, allowsRemote: allowsRemote) else {
                Issue.record("\(text) is an address")
                continue
            }
            #expect(place.description == address)
        }
    }

    @Test func `a name is looked up`() throws {
        #expect(try ListenText("db.test:80", allowsRemote: false) == .name("db.test", port: 80))
    }

    @Test(arguments: [
        ("garbage", "address garbage: missing port in address"),
        ("a:b", "address b: invalid port"), ("a:-1", "address -1: invalid port"),
        ("a:65536", "address 65536: invalid port"),
        ("::1:80", "address ::1:80: too many colons in address"),
    ])
    func `a text that is no address is told in Toxiproxy's words`(text: String, words: String) {
        #expect(throws: ToxiproxyError(500, "listen tcp: \(words)")) {
            try ListenText(text, allowsRemote: false)
        }
    }

    @Test func `several texts are found at once, and a bad one spoils no other`() throws {
        let loop = try EventLoop()
        var found: ListenAddresses?
        ListenAddresses.find(
            ["127.0.0.1:1", "x", "no.such.invalid:2", "203.0.113.7:3", "[::]:4"],
            allowsRemote: false,
            on: loop
        ) { found = $0 }
        #expect(found == nil)
        while found == nil { loop.runOnce() }
        let addresses = try #require(found)
        #expect(try addresses.place(of: "127.0.0.1:1") == .address(.loopback(port: 1)))
        #expect(try addresses.place(of: "[::]:4") == .loopback(port: 4))
        #expect(addresses.warnings.count == 1)
        #expect(
            addresses.warnings.allSatisfy {
                $0.hasPrefix("[::]:4 ") && $0.contains("--allow-remote")
            }
        )
        for (text, words) in [
            ("x", "missing port"), ("no.such.invalid:2", "lookup no.such.invalid: no such host"),
            ("203.0.113.7:3", "other machines could reach it"), ("never asked", "not looked up"),
        ] {
            do throws(ToxiproxyError) {
                _ = try addresses.place(of: text)
                Issue.record("\(text) has no address")
            } catch {
                #expect(error.status == 500 && error.text.contains(words))
            }
        }
    }
}
