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
        of proxy: UInt32? = nil,
        history: RecordHistory = RecordHistory()
    ) throws -> (ControlRig, () -> EventHub?) {
        final class Box { var hub: EventHub? }
        let box = Box()
        let rig = try ControlRig { _ in
            .stream(ControlAnswer.head(200, "text/plain")) {
                box.hub?.add($0, form, from: number, of: proxy)
            }
        }
        let hub = EventHub(loop: rig.loop, history: history)
        hub.sample = { ["rate": .number($0 ?? 5)] }
        box.hub = hub
        return (rig, { box.hub })
    }

    private func tell(_ hub: EventHub?, _ texts: String...) {
        for text in texts { hub?.take(.note(nil, text: text), at: .start) }
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
            hub()?.take(.note(nil, text: text), at: .start, of: proxy)
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
                hub()?.take(.note(nil, text: "one"), at: .start, of: 1)
            }
            let samples = peer.text.components(of: "event: sample")
            rig.run { peer.text.components(of: "event: sample") > samples }
        }
        // More than is sent at a time.
        for _ in 0..<500 {
            hub()?.take(.note(nil, text: "some words"), at: .start, of: 2)
        }
        hub()?.take(.note(nil, text: "last"), at: .start, of: 2)
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
        hub()?.take(.note(nil, text: "two"), at: .start, of: 2)
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.contains(#""text":"two""#) }
        hub()?.hasProxy = { _ in false }
        rig.run { peer.text.hasSuffix("0\r\n\r\n") }
        #expect(!peer.text.contains("gone") && hub()?.listenerCount == 0)
    }

    @Test func `a busy proxy sends no more than ten messages and 660 kB a second`() throws {
        let (rig, hub) = try rig(.events, from: 0)
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.contains("event: sample") }
        peer.clear()
        let start = rig.loop.now
        var (messages, gaps) = (0, 0)
        // A busy machine may take longer to send as many.
        rig.run {
            for _ in 0..<200 { tell(hub(), "something that happens very often") }
            gaps = peer.text.components(of: "event: gap")
            messages = peer.text.components(of: "event: ") - gaps
            return messages >= 4 && rig.loop.now - start >= .seconds(1)
        }
        let seconds = Int((rig.loop.now - start) / .seconds(1)) + 1
        #expect(messages <= 10 * seconds)
        #expect(gaps <= 5 * seconds)
        #expect(peer.received.count <= 660_000 * seconds)
    }

    @Test func `five thousand records are told within three seconds, and none is left out`() throws
    {
        let (rig, hub) = try rig(.events, from: 0)
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.contains("event: sample") }
        for _ in 0..<5_000 { tell(hub(), "something that happens very often") }
        tell(hub(), "last")
        let start = rig.loop.now
        rig.run { peer.text.utf8.suffix(2_000).firstRange(of: #""text":"last""#.utf8) != nil }
        #expect(rig.loop.now - start < .seconds(3))
        #expect(!peer.text.contains("event: gap"))
    }

    @Test func `at the end of the run who reads slowly is not broken off`() throws {
        let history = RecordHistory(byteLimit: 64 << 20)
        let (rig, hub) = try rig(.events, from: 0, history: history)
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.contains("event: sample") }
        peer.isPaused = true
        // More than the system takes for a peer that does not read.
        let words = String(repeating: "words ", count: 17_000)
        for _ in 0..<160 { tell(hub(), words) }
        hub()?.conclude(limitMilliseconds: 60_000) {}
        let start = rig.loop.now
        while rig.loop.now - start < .seconds(4) { rig.turn() }
        #expect(hub()?.listenerCount == 1)
        peer.isPaused = false
        rig.run { peer.received.suffix(100).firstRange(of: "event: ended".utf8) != nil }
    }

    @Test func `at the end of the run every record is told, then the end, and the page may stay`()
        throws
    {
        let (rig, hub) = try rig(.events, from: 0)
        let peer = try rig.connect()
        peer.send(rig.head("GET", "/"))
        rig.run { peer.text.contains("event: sample") }
        for _ in 0..<5_000 { tell(hub(), "something that happens very often") }
        tell(hub(), "last")
        var isDone = false
        hub()?.conclude(limitMilliseconds: 20_000) { isDone = true }
        rig.run { peer.text.utf8.suffix(100).firstRange(of: "event: ended".utf8) != nil }
        let last = try #require(peer.text.utf8.firstRange(of: #""text":"last""#.utf8))
        let end = try #require(peer.text.utf8.firstRange(of: "event: ended".utf8))
        #expect(last.lowerBound < end.lowerBound)
        #expect(!isDone && hub()?.isConcluding == true)
        peer.finish()
        rig.run { isDone }
        #expect(hub()?.isConcluding == false && hub()?.listenerCount == 0)
    }

    @Test
    func
        `lines end with the last record, and a listener that stays does not delay the end for long`()
        throws
    {
        for (form, limit) in [(EventHub.Form.lines, UInt64(20_000)), (.events, 100)] {
            let (rig, hub) = try rig(form, from: 0)
            tell(hub(), "first")
            let peer = try rig.connect()
            peer.send(rig.head("GET", "/"))
            rig.run { peer.text.contains("first") }
            tell(hub(), "last")
            var isDone = false
            hub()?.conclude(limitMilliseconds: limit) { isDone = true }
            rig.run { isDone }
            hub()?.stop()
            rig.run { peer.text.hasSuffix("0\r\n\r\n") }
            #expect(peer.text.contains(#""text":"last""#))
            #expect(peer.text.components(of: "event: ended") == (form == .events ? 1 : 0))
        }
    }

    @Test func `without a listener the end waits for nothing`() throws {
        let (_, hub) = try rig(.events, from: 0)
        hub()?.conclude(limitMilliseconds: 20_000) {
            Issue.record("there was no listener to leave")
        }
        #expect(hub()?.isConcluding == false)
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
