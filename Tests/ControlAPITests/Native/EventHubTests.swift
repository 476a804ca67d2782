import ControlAPI
import HTTPWire
import Journal
import Libuv
import TestSupport
import Testing

@Suite struct EventHubTests {
    /// A rig whose streams listen to a hub.
    private func rig(_ form: EventHub.Form, from number: UInt64) throws -> (
        ControlRig, () -> EventHub?
    ) {
        final class Box { var hub: EventHub? }
        let box = Box()
        let rig = try ControlRig { _ in
            .stream(ControlAnswer.head(200, "text/plain")) { box.hub?.add($0, form, from: number) }
        }
        let hub = EventHub(loop: rig.loop)
        hub.sample = { ["rate": 5] }
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
