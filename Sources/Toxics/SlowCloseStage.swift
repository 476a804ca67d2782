internal import Basics

/// Passes bytes at once and an end later.
struct SlowCloseStage: Sendable {
    private var delayMilliseconds: Int64
    /// The end that waits; `at` is when it came.
    private var end: ToxicPassage?

    init(_ delayMilliseconds: Int64) { self.delayMilliseconds = delayMilliseconds }

    var count: Int { end == nil ? 0 : 1 }

    var nextTime: Instant? {
        end.map {
            $0.at.after(max(0, delayMilliseconds), each: .milliseconds(1))
        }
    }

    mutating func receive(_ piece: ToxicPassage, _ out: inout [ToxicPassage]) {
        switch piece.content {
        case .end, .close: if end == nil { end = piece }
        case .bytes, .dropped, .reset: out.append(piece)
        }
        advance(to: piece.at, &out)
    }

    mutating func advance(to time: Instant, _ out: inout [ToxicPassage]) {
        guard let due = nextTime, due <= time else { return }
        release(at: due, &out)
    }

    mutating func change(_ delayMilliseconds: Int64, at time: Instant, _ out: inout [ToxicPassage])
    {
        self.delayMilliseconds = delayMilliseconds
        if let due = nextTime, due <= time { release(at: time, &out) }
    }

    mutating func release(at time: Instant, _ out: inout [ToxicPassage]) {
        guard var piece = end else { return }
        end = nil
        piece.at = time
        out.append(piece)
    }
}
