// Invariant: any body is refused with one line, or read the same whatever follows its first value
// and however its keys are written; a toxic that is accepted is written as JSON that reads back as
// itself; and a chain of it, whatever its numbers, tells of each byte once, in one order however time
// is cut, and ends once.

import Basics
import FuzzSupport
import Journal
import LinkEngine
import Toxics
import ToxiproxyCompatibility

fuzz { bytes in
    let json: JSONValue
    do throws(ToxiproxyError) {
        json = try GoJSON.parse(bytes)
    } catch {
        require(isPlain(error.text), "a message is one plain line")
        return
    }
    switch json {
    case .integer, .decimal: break  // What follows could belong to it.
    default:
        let followed = try? GoJSON.parse(bytes + Array(" ,x}".utf8))
        require(followed == json, "what follows the first value is not looked at")
    }
    _ = try? ProxyFields.list(json)
    do throws(ToxiproxyError) {
        let fields = try ProxyFields(json)
        for toxic in fields.toxics ?? [] { check(toxic) }
    } catch {
        require(isPlain(error.text), "a message is one plain line")
    }
    do throws(ToxiproxyError) {
        check(try ToxicFields(json))
    } catch {
        require(error.status == 400 && isPlain(error.text), "a message is one plain line")
    }
}

private func isPlain(_ text: String) -> Bool { !text.utf8.contains { $0 < 0x20 } }

private func check(_ given: ToxicFields) {
    var fields = given
    guard let toxic = try? RegisteredToxic(&fields, serial: 1, isTaken: { _ in false }) else {
        return
    }
    let text = GoJSON.bytes(of: toxic.json)
    guard let again = try? GoJSON.parse(text),
        var read = try? ToxicFields(again),
        let same = try? RegisteredToxic(&read, serial: 1, isTaken: { _ in false })
    else {
        fatalError("what is written reads back: \(toxic.json.text)")
    }
    require(
        GoJSON.bytes(of: same.json) == text && same.toxic == toxic.toxic,
        "it reads back as itself"
    )
    let whole = drive(toxic.toxic, steps: 1)
    require(drive(toxic.toxic, steps: 5) == whole, "how time is cut changes nothing")
}

/// What a chain of a toxic does with a stream.
private func drive(_ toxic: Toxic, steps: Int64) -> [ToxicEvent] {
    let draws = ToxicDraws(seed: 1, proxy: "p", connection: 1, direction: toxic.direction)
    var chain = ToxicChain(draws: draws, toxics: [toxic], at: .start)
    var events: [ToxicEvent] = []
    var now: Int64 = 0
    var sent = 0
    for _ in 0..<6 {
        chain.send(700, at: Instant(nanoseconds: now))
        sent += 700
        for _ in 0..<steps {
            now += 60_000_000 / steps
            chain.advance(to: Instant(nanoseconds: now))
            while let event = chain.nextEvent() { events.append(event) }
        }
    }
    chain.finish(at: Instant(nanoseconds: now))
    chain.apply([], at: Instant(nanoseconds: now + 1))
    while let event = chain.nextEvent() { events.append(event) }
    account(events, sent)
    return events
}

private func account(_ events: [ToxicEvent], _ sent: Int) {
    var told = 0
    for (index, event) in events.enumerated() {
        switch event {
        case .deliver(let count), .drop(let count):
            require(count > 0, "an event is about bytes")
            told += count
        case .finished:
            require(told == sent, "the end comes behind all bytes")
            require(index == events.count - 1, "nothing follows an end")
        case .close, .reset: require(index == events.count - 1, "nothing follows an end")
        }
    }
    require(told <= sent, "no byte is told of twice")
    require(!events.isEmpty, "a chain that is left alone lets go what it has")
}
