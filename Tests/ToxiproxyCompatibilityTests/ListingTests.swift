import Basics
import SystemIO
import TestSupport
import Testing

@testable import ToxiproxyCompatibility

/// The list of proxies, which is kept between requests.
@Suite(.serialized) struct ListingTests {
    @Test func `the list is what each proxy shows, whatever was changed before`() throws {
        let rig = try ToxiproxyRig(seed: 3)
        defer { rig.tearDown() }
        var random = SeededRandom.fresh()
        let names = ["a", "b\u{22}<", "ü", "p"]
        var changes = 0
        var former = try rig.ask("GET", "/proxies").body
        #expect(former == "{}")
        // What is drawn often changes nothing; a list that changed so often has seen all of it.
        for _ in 0..<2_000 where changes < 40 {
            try change(rig, names.randomElement(using: &random) ?? "a", &random)
            let list = try rig.ask("GET", "/proxies")
            var members: [String] = []
            for proxy in rig.registry.all {
                let key = String(decoding: GoJSON.bytes(of: .string(proxy.name)), as: UTF8.self)
                let value = String(decoding: GoJSON.bytes(of: proxy.json), as: UTF8.self)
                members.append("\(key):\(value)")
            }
            #expect(list.status == 200 && list.body == "{\(members.joined(separator: ","))}")
            #expect(list.fields["Content-Type"] == "application/json")
            #expect(try rig.ask("GET", "/proxies").body == list.body)
            if list.body != former { changes += 1 }
            former = list.body
        }
        #expect(changes == 40)
    }

    /// Does something to a proxy; some of it fails, since the proxy is not there.
    private func change(
        _ rig: ToxiproxyRig,
        _ name: String,
        _ random: inout SeededRandom
    ) throws {
        let key = String(decoding: GoJSON.bytes(of: .string(name)), as: UTF8.self)
        let path = "/proxies/" + (name == "a" ? "a" : "p")
        let latency = Int.random(in: 1...9, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            let body = #"{"name":\#(key),"listen":"127.0.0.1:0","upstream":"127.0.0.1:9"}"#
            _ = try rig.ask("POST", "/proxies", body)
        case 2: _ = try rig.ask("DELETE", path)
        case 3:
            let isEnabled = Bool.random(using: &random)
            _ = try rig.ask("POST", path, #"{"enabled":\#(isEnabled)}"#)
        case 4: _ = try rig.ask("POST", path, #"{"upstream":"127.0.0.1:\#(latency)"}"#)
        case 5: _ = try rig.ask("POST", "\(path)/toxics", #"{"type":"latency","name":"t"}"#)
        case 6:
            _ = try rig.ask(
                "POST",
                "\(path)/toxics/t",
                #"{"attributes":{"latency":\#(latency)}}"#
            )
        default: _ = try rig.ask("POST", latency == 1 ? "/reset" : "/populate", "[]")
        }
    }

    @Test func `an unchanged list is not written again`() throws {
        let rig = try ToxiproxyRig(seed: 3)
        defer { rig.tearDown() }
        for number in 0..<3 { try rig.makeProxy("p\(number)") }
        let first = rig.registry.listing
        let again = rig.registry.listing
        /// Where the bytes are in memory.
        func place(_ bytes: [UInt8]) -> UInt {
            unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        }
        #expect(place(first) == place(again))
        try rig.addToxic(#"{"type":"latency"}"#, to: "p1")
        let changed = rig.registry.listing
        #expect(place(changed) != place(first) && changed != first)
        let other = try rig.registry.proxy("p0")
        #expect(place(other.bytes) == place(other.bytes))
    }
}
