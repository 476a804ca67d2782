// Invariant: a server's session takes any bytes without a trap, and what it makes of them and answers
// does not depend on how they were cut, as long as they are no flood.

import FuzzSupport
import HTTP2

/// What a server that answers each request at once makes of the bytes of a client.
private struct Run {
    var events: [SessionEvent] = []
    var answer: [UInt8] = []
    var isOver = false

    init(_ input: [UInt8], slice: Int) {
        let session = HTTP2Session(isServer: true)
        session.source = { stream, room in
            .last([UInt8](repeating: UInt8(stream & 255), count: min(room, 20)), trailers: [])
        }
        var rest = input[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(slice))
            rest = rest.dropFirst(piece.count)
            session.receive(piece.span)
            take(session.takeEvents(), session)
        }
        answer = session.send(atLeast: .max)
        _ = session.takeEvents()
        isOver = session.isOver
    }

    /// Whether it ended with GOAWAY for ENHANCE_YOUR_CALM.
    var isFlood: Bool { answer.suffix(4) == [0, 0, 0, 11] }

    private mutating func take(_ new: [SessionEvent], _ session: HTTP2Session) {
        for event in new {
            switch event {
            case .fields(let stream, let fields, _, _)
            where fields.first?.name.hasPrefix(":") == true:
                session.respond([BlockField(":status", "200")], hasContent: true, on: stream)
            case .data(let stream, let bytes):
                session.giveBack(bytes.count, on: stream)
                if case .data(let last, let before)? = events.last, last == stream {
                    events[events.count - 1] = .data(stream: stream, before + bytes)
                    continue
                }
            default: break
            }
            events.append(event)
        }
    }
}

fuzz { input in
    // Most inputs would otherwise end at the preface.
    let isRaw = input.first == 0
    let start = isRaw ? [] : HTTP2Session.preface + FrameWriter.settings([])
    let bytes = start + input.dropFirst()
    let whole = Run(bytes, slice: .max)
    for slice in [1, 7, 50] {
        let cut = Run(bytes, slice: slice)
        guard !whole.isFlood, !cut.isFlood else { continue }
        require(cut.events == whole.events, "slices change nothing that has come")
        require(cut.isOver == whole.isOver, "slices change no end")
    }
}
