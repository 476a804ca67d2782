// Invariant: whatever is done to a link in whatever order, it never traps, its events come in order
// of time, no stream delivers more bytes than were sent nor anything after its end, and advancing
// in small steps gives the same events as advancing at once.

import Basics
import FuzzSupport
import LinkEngine

/// Takes numbers off the front of an input; zeros once it is used up.
struct Input {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isEmpty: Bool { bytes.isEmpty }
    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }
    mutating func number(below bound: Int) -> Int {
        (Int(byte()) << 8 | Int(byte())) % bound
    }
}

func chance(_ input: inout Input) -> Probability {
    Probability(UInt64(input.byte()), outOf: 255) ?? .zero
}

func path(_ input: inout Input) -> PathSettings {
    var path = PathSettings()
    path.delay = .microseconds(Int64(input.number(below: 60_000)))
    if let rate = BitRate(bitsPerSecond: UInt64(input.number(below: 60_000)) * 1_000) {
        path.capacity = .rate(rate)
    }
    switch input.byte() % 6 {
    case 1: path.loss = .bernoulli(chance(&input))
    case 2:
        path.loss = .gilbertElliott(
            GilbertElliott(goodToBad: chance(&input), badToGood: chance(&input))
        )
    case 3:
        path.loss = .fourState(
            FourState(
                p13: chance(&input),
                p31: chance(&input),
                p32: chance(&input),
                p23: chance(&input),
                p14: chance(&input)
            )
        )
    case 4: path.jitter = .normal(.microseconds(Int64(input.number(below: 9_000))))
    case 5:
        let slots = (0...input.byte() % 8).map { _ in UInt32(input.byte()) }.sorted()
        if let trace = DeliveryTrace(opportunitiesMilliseconds: slots) {
            path.capacity = .trace(trace)
        }
    default: break
    }
    if input.byte() % 3 == 0 { path.queue = .packets(Int(input.byte() % 20)) }
    if input.byte() % 4 == 0 {
        path.outages = Outages(
            schedule: .random(
                meanUp: .milliseconds(Int64(input.byte()) + 1),
                meanDown: .milliseconds(Int64(input.byte()) + 1)
            ),
            treatment: input.byte() % 2 == 0 ? .drop : .hold
        )
    }
    return path
}

func settings(_ input: inout Input) -> LinkSettings {
    var settings = LinkSettings()
    let flags = input.byte()
    settings.indexing = flags & 1 == 0 ? .offset : .packet
    settings.tcp.behaviour = flags & 2 == 0 ? .linux : .rfc
    settings.tcp.congestionControl = flags & 4 == 0 ? .cubic : .reno
    settings.tcp.handshake = flags & 8 == 0
    settings.down = path(&input)
    settings.up = path(&input)
    return settings
}

/// Plays the input's operations; `step` is how far one advance may go.
func play(_ bytes: [UInt8], step: Duration?) -> [LinkEvent] {
    var input = Input(bytes)
    var link = Link(settings: settings(&input), seed: 7)
    link.keepsRecords = true
    var now = Instant.start
    var opened: UInt32 = 0
    var events: [LinkEvent] = []
    func go(_ link: inout Link, to time: Instant) {
        if let step {
            while now + step < time {
                now = now + step
                link.advance(to: now)
            }
        }
        now = time
        link.advance(to: now)
        while let event = link.nextEvent() { events.append(event) }
    }
    for _ in 0..<200 where !input.isEmpty {
        let operation = input.byte()
        let stream = Stream(
            connection: UInt32(input.byte()) % max(opened, 1),
            direction: operation & 0x80 == 0 ? .down : .up
        )
        switch operation & 0x7F % 9 {
        case 0 where opened < 8:
            link.open(opened, at: now)
            opened += 1
        case 1, 2: link.send(input.number(below: 65_536), on: stream, at: now)
        case 3: link.finish(stream, at: now)
        case 4 where input.byte() % 4 == 0: link.abort(stream, at: now)
        case 5: link.setBacklog(input.number(below: 65_536), of: stream, at: now)
        case 6 where input.byte() % 8 == 0: link.remove(stream.connection, at: now)
        case 7 where input.byte() % 8 == 0: link.apply(settings(&input), at: now)
        default: go(&link, to: now + .microseconds(Int64(input.number(below: 60_000))))
        }
        _ = link.room(on: stream)
        _ = link.queued(stream.direction)
    }
    go(&link, to: now + .seconds(2))
    _ = link.takeRecords()
    return events
}

fuzz { bytes in
    let whole = play(bytes, step: nil)
    require(zip(whole, whole.dropFirst()).allSatisfy { $0.at <= $1.at }, "events are in order")
    var ended: Set<Stream> = []
    for event in whole {
        switch event.kind {
        case .deliver(let stream, let count):
            require(count > 0, "a delivery has bytes")
            require(!ended.contains(stream), "nothing follows the end of a stream")
        case .finished(let stream): ended.insert(stream)
        case .aborted(let stream):
            ended.insert(stream)
            ended.insert(
                Stream(connection: stream.connection, direction: stream.direction.opposite)
            )
        case .writable, .timedOut, .arrived, .lost: break
        }
    }
    require(play(bytes, step: .milliseconds(3)) == whole, "small steps change nothing")
}
