import Libuv
import Testing

@testable import ControlAPI

@Suite struct ListenTextTests {
    @Test(arguments: [
        ("", "127.0.0.1:0", "0.0.0.0:0"), (":80", "127.0.0.1:80", "0.0.0.0:80"),
        ("localhost:80", "127.0.0.1:80", "127.0.0.1:80"),
        ("LOCALHOST:", "127.0.0.1:0", "127.0.0.1:0"), ("[::1]:80", "[::1]:80", "[::1]:80"),
        ("0.0.0.0:7", "0.0.0.0:7", "0.0.0.0:7"),
    ])
    func `a text without a host is loopback unless all may come`(
        text: String,
        loopback: String,
        everywhere: String
    ) throws {
        for (allowsRemote, expected) in [(false, loopback), (true, everywhere)] {
            guard case .address(let address) = try ListenText(text, allowsRemote: allowsRemote)
            else {
                Issue.record("\(text) is an address")
                continue
            }
            #expect(address.description == expected)
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
            ["127.0.0.1:1", "x", "no.such.invalid:2", "0.0.0.0:3"],
            allowsRemote: false,
            on: loop
        ) { found = $0 }
        #expect(found == nil)
        while found == nil { loop.runOnce() }
        let addresses = try #require(found)
        #expect(try addresses.address(of: "127.0.0.1:1") == .loopback(port: 1))
        for (text, words) in [
            ("x", "missing port"), ("no.such.invalid:2", "lookup no.such.invalid: no such host"),
            ("0.0.0.0:3", "other machines could reach it"), ("never asked", "not looked up"),
        ] {
            do throws(ToxiproxyError) {
                _ = try addresses.address(of: text)
                Issue.record("\(text) has no address")
            } catch {
                #expect(error.status == 500 && error.text.contains(words))
            }
        }
    }
}
