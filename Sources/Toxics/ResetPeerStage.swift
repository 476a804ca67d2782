internal import Basics

/// Drops everything and resets the connection some time after the first byte or the end.
struct ResetPeerStage: Sendable {
    private let serial: UInt64
    private var milliseconds: Int64
    /// When the first byte or the end came.
    private var begin: Instant?
    private var hasReset = false
    /// An end that came is kept, for the case that the toxic stops acting.
    private var end: ToxicPassage?

    init(_ milliseconds: Int64, serial: UInt64) {
        self.milliseconds = milliseconds
        self.serial = serial
    }

    var nextTime: Instant? {
        guard let begin, !hasReset else { return nil }
        return begin.after(max(0, milliseconds), each: .milliseconds(1))
    }

    mutating func receive(_ piece: ToxicPassage, _ out: inout [ToxicPassage]) {
        switch piece.content {
        case .bytes(let count):
            begin = begin ?? piece.at
            out.append(
                ToxicPassage(content: .dropped(count), stamp: piece.stamp, at: piece.at)
            )
        case .end:
            begin = begin ?? piece.at
            end = piece
        case .dropped, .close, .reset: out.append(piece)
        }
        advance(to: piece.at, &out)
    }

    mutating func advance(to time: Instant, _ out: inout [ToxicPassage]) {
        if let due = nextTime, due <= time { reset(at: due, &out) }
    }

    /// The new time counts from the same beginning.
    mutating func change(_ milliseconds: Int64, at time: Instant, _ out: inout [ToxicPassage]) {
        self.milliseconds = milliseconds
        if let due = nextTime, due <= time { reset(at: time, &out) }
    }

    mutating func release(at time: Instant, _ out: inout [ToxicPassage]) {
        guard var piece = end, !hasReset else { return }
        piece.at = time
        out.append(piece)
    }

    private mutating func reset(at time: Instant, _ out: inout [ToxicPassage]) {
        hasReset = true
        out.append(ToxicPassage(content: .reset(by: serial), stamp: time, at: time))
    }
}
