// Invariant: a connection's messages do not depend on how its bytes are cut; ranges follow one another
// without overlap, content bytes are counted without gaps, and nothing follows an end of certainty.

import FuzzSupport
import HTTPWire

/// The first byte says who begins and how often the sides change; 0xFF changes the side.
fuzz { input in
    guard let mode = input.first else { return }
    let script = Script(Array(input.dropFirst()), first: mode & 1 == 0 ? .client : .server)
    let whole = script.events(pieces: [.max / 2])
    for pieces in [[1], [2], [3], [5, 1], [17]] {
        require(script.events(pieces: pieces) == whole, "slices change nothing")
    }
    checkOrder(whole)
}

private struct Script {
    private var steps: [(side: TapSide, bytes: [UInt8])] = []

    init(_ bytes: [UInt8], first: TapSide) {
        var side = first
        for part in bytes.split(separator: 0xFF, omittingEmptySubsequences: false) {
            steps.append((side, Array(part)))
            side = side == .client ? .server : .client
        }
    }

    func events(pieces: [Int]) -> [TapEvent] {
        var limits = MessageLimits()
        limits.startLine = 64
        limits.head = 256
        limits.fields = 8
        limits.chunkLine = 32
        var tap = HTTPTap(limits: limits)
        var events: [TapEvent] = []
        var count = 0
        for step in steps {
            var start = 0
            while start < step.bytes.count {
                let end = min(start + pieces[count % pieces.count], step.bytes.count)
                count += 1
                tap.read(step.bytes.span.extracting(start..<end), from: step.side, into: &events)
                start = end
            }
        }
        for side in [TapSide.client, .server] {
            let sent = steps.filter { $0.side == side }.reduce(0) { $0 + $1.bytes.count }
            require(tap.position(of: side) == UInt64(sent), "every byte is counted")
            tap.end(side, into: &events)
        }
        return joined(events)
    }

    private func joined(_ events: [TapEvent]) -> [TapEvent] {
        joinedContent(events.filter { !$0.isInside })
            + joinedParts(events.filter { $0.isInside && !$0.isBegun })
    }

    private func joinedParts(_ events: [TapEvent]) -> [TapEvent] {
        TapSide.allSides.flatMap { side in
            events.filter { $0.isInside(side) }.reduce(into: []) { result, event in
                guard case .inside(_, let number, let kind, .part(let part)) = event,
                    case .inside(_, number, kind, .part(let before)) = result.last,
                    before.ordinal == part.ordinal, before.bytes.upperBound == part.bytes.lowerBound
                else {
                    return result.append(event)
                }
                require(part.from == before.upperBound, "messages are counted without gaps")
                result.removeLast()
                let range = before.bytes.lowerBound..<part.bytes.upperBound
                let whole = MessagePart(
                    part.ordinal,
                    range,
                    from: before.from,
                    known: before.known,
                    isLast: part.isLast,
                    isCompressed: part.isCompressed
                )
                result.append(.inside(side, r: number, kind, .part(whole)))
            }
        }
    }

    private func joinedContent(_ events: [TapEvent]) -> [TapEvent] {
        events.reduce(into: []) { result, event in
            guard case .content(let side, let number, let bytes, let from) = event,
                case .content(side, number, let before, let first) = result.last,
                before.upperBound == bytes.lowerBound
            else {
                return result.append(event)
            }
            require(from == first + UInt64(before.count), "content is counted without gaps")
            result.removeLast()
            let range = before.lowerBound..<bytes.upperBound
            result.append(.content(side, r: number, bytes: range, from: first))
        }
    }
}

/// Holds that places of a side never fall and nothing follows `opaque`.
private func checkOrder(_ events: [TapEvent]) {
    var places: [TapSide: UInt64] = [:]
    var ended: Set<TapSide> = []
    for event in events where !event.isInside {
        let (side, range) = place(event)
        require(!ended.contains(side), "nothing follows the end of certainty")
        require(range.lowerBound >= places[side, default: 0], "places follow one another")
        places[side] = range.upperBound
        if case .opaque = event { ended.insert(side) }
    }
}

private func place(_ event: TapEvent) -> (TapSide, Range<UInt64>) {
    switch event {
    case .requestHead(_, _, _, let range): (.client, range)
    case .interim(_, _, _, let range), .responseHead(_, _, _, let range): (.server, range)
    case .chunk(let side, _, _, _, _, let range): (side, range)
    case .content(let side, _, let range, _), .incompleteHead(let side, _, let range):
        (side, range)
    case .messageEnd(let side, _, let place, _, _), .opaque(let side, let place, _):
        (side, place..<place)
    case .inside(let side, _, _, _): (side, 0..<0)
    }
}

extension TapSide {
    fileprivate static let allSides = [TapSide.client, .server]
}

extension TapEvent {
    /// Whether it is about a message inside a stream, which may be told later than what follows it.
    fileprivate var isInside: Bool { TapSide.allSides.contains(where: isInside) }

    /// Whether it says that a part of a header was read, as slices decide.
    fileprivate var isBegun: Bool {
        if case .inside(_, _, _, .begun) = self { true } else { false }
    }

    fileprivate func isInside(_ side: TapSide) -> Bool {
        if case .inside(side, _, _, _) = self { true } else { false }
    }
}
