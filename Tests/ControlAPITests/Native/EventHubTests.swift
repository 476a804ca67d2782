import Basics
import ControlAPI
import HTTPWire
import Journal
import SystemIO
import Testing
import TestSupport

@Suite struct EventHubTests {
    /// A rig whose streams listen to a hub.
    private func rig(
        _ form: EventHub.Form,
        from number: UInt64,
        of proxy: UInt32? = nil
    ) throws -> (ControlRig, () -> EventHub?) {
        final class Box { var hub: EventHub? }
        let box = Box()
        let rig = try ControlRig { _ in
            .stream(ControlAnswer.head(200, "text/plain")) {
                box.hub?.add($0, form, from: number, of: proxy)
            }
        }
        let hub = EventHub(loop: rig.loop)
        hub.sample = { ["rate": .number($0 ?? 5)] }
        box.hub = hub
        return (rig, { box.hub })
    }

    private func tell(_ hub: EventHub?, _ texts: String...) {
        for text in texts { hub?.take(.note(nil, text: text), elapsedNanoseconds: 0) }
    }

    @Test func `lines come as they are, those from before first`() throws {
        let (rig, hub) = try rig(.lines, from: 1)
        tell(hub(), "a", "b")
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.contains(#""text":"b""#) }
        #expect(!peer.text.contains(#""text":"a""#))
        tell(hub(), "c")
        rig.run { peer.text.contains(#""text":"c""#) }
        #expect(hub()?.listenerCount == 1)
        peer.reset()
        rig.run { hub()?.listenerCount == 0 }
    }

    @Test func `events carry numbers, samples, and what was missed`() throws {
        let (rig, hub) = try rig(.events, from: 0)
        for number in 0..<9_000 { tell(hub(), "\(number)") }
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.contains("event: records") }
        #expect(peer.text.contains("retry: 1000\n\n"))
        #expect(peer.text.contains("event: sample\ndata: {\"rate\":5}\n\n"))
        #expect(peer.text.contains("event: gap\ndata: {\"missed\":808,\"from\":808}\n\n"))
        #expect(peer.text.contains(#"data: [{"v":1,"t":"note","text":"808","#))
        hub()?.stop()
        rig.run { peer.text.hasSuffix("0\r\n\r\n") }
    }

    @Test func `who follows a proxy hears of it and of the run, until it ends`() throws {
        let (rig, hub) = try rig(.events, from: 0, of: 2)
        for (text, proxy) in [("one", UInt32(1)), ("two", 2), ("gone", 9)] {
            hub()?.take(.note(nil, text: text), elapsedNanoseconds: 0, of: proxy)
        }
        tell(hub(), "all")
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.contains(#""text":"all""#) }
        #expect(peer.text.contains(#""text":"two""#))
        #expect(!peer.text.contains(#""text":"one""#) && !peer.text.contains(#""text":"gone""#))
        #expect(peer.text.contains("event: sample\ndata: {\"rate\":2}\n\n"))
        // What was told of others is nothing that was missed, even if it is forgotten by now.
        for _ in 0..<2 {
            for _ in 0..<5_000 {
                hub()?.take(.note(nil, text: "one"), elapsedNanoseconds: 0, of: 1)
            }
            let samples = peer.text.components(of: "event: sample")
            rig.run { peer.text.components(of: "event: sample") > samples }
        }
        // More than is sent at a time.
        for _ in 0..<500 {
            hub()?.take(.note(nil, text: "some words"), elapsedNanoseconds: 0, of: 2)
        }
        hub()?.take(.note(nil, text: "last"), elapsedNanoseconds: 0, of: 2)
        hub()?.hasProxy = { $0 != 2 }
        rig.run { peer.text.hasSuffix("0\r\n\r\n") }
        #expect(!peer.text.contains("event: gap"))
        let last = try #require(peer.text.utf8.firstRange(of: #""text":"last""#.utf8))
        let gone = try #require(peer.text.utf8.firstRange(of: "event: gone\ndata: {}".utf8))
        #expect(last.lowerBound < gone.lowerBound)
        #expect(hub()?.listenerCount == 0)
    }

    @Test func `lines of a proxy end with it`() throws {
        let (rig, hub) = try rig(.lines, from: 0, of: 2)
        hub()?.take(.note(nil, text: "two"), elapsedNanoseconds: 0, of: 2)
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.contains(#""text":"two""#) }
        hub()?.hasProxy = { _ in false }
        rig.run { peer.text.hasSuffix("0\r\n\r\n") }
        #expect(!peer.text.contains("gone") && hub()?.listenerCount == 0)
    }

    @Test func `a busy proxy sends no more than ten messages and 50 kB a second`() throws {
        let (rig, hub) = try rig(.events, from: 0)
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.contains("event: sample") }
        peer.clear()
        let start = rig.loop.nowNanoseconds
        while rig.loop.nowNanoseconds - start < 1_000_000_000 {
            for _ in 0..<50 { tell(hub(), "something that happens very often") }
            rig.turn()
        }
        let messages = peer.text.components(of: "event: ")
        #expect(messages <= 10)
        #expect(peer.received.count <= 50_000)
        #expect(messages >= 4)
    }
}

extension String {
    /// How often a text occurs in this one.
    fileprivate func components(of text: String) -> Int {
        var count = 0
        var rest = utf8[...]
        while let start = rest.firstRange(of: text.utf8) {
            count += 1
            rest = rest[start.upperBound...]
        }
        return count
    }
}
