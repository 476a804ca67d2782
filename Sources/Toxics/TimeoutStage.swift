internal import Basics

/// Drops every byte and closes the connection after a time without one; an end passes at once.
struct TimeoutStage: Sendable {
    private let serial: UInt64
    private var milliseconds: Int64
    /// When the last byte came, or when the toxic began.
    private var quietSince: Instant
    private var hasClosed = false
    init(_ milliseconds: Int64, serial: UInt64, at time: Instant) {
        self.milliseconds = milliseconds
        self.serial = serial
        quietSince = time
    }

    var nextTime: Instant? {
        guard milliseconds > 0, !hasClosed else { return nil }
        return quietSince.after(milliseconds, each: .milliseconds(1))
    }

    mutating func receive(_ piece: ToxicPassage, _ out: inout [ToxicPassage]) {
        switch piece.content {
        case .bytes(let count):
            quietSince = piece.at
            out.append(
                ToxicPassage(content: .dropped(count), stamp: piece.stamp, at: piece.at)
            )
        case .end, .dropped, .close, .reset: out.append(piece)
        }
    }

    mutating func advance(to time: Instant, _ out: inout [ToxicPassage]) {
        if let due = nextTime, due <= time { close(at: due, &out) }
    }

    /// The time begins anew.
    mutating func change(_ milliseconds: Int64, at time: Instant) {
        self.milliseconds = milliseconds
        quietSince = time
    }

    /// Whoever removes the toxic closes the connections it was on.
    mutating func remove(at time: Instant, _ out: inout [ToxicPassage]) {
        if !hasClosed { close(at: time, &out) }
    }

    private mutating func close(at time: Instant, _ out: inout [ToxicPassage]) {
        hasClosed = true
        out.append(ToxicPassage(content: .close(by: serial), stamp: time, at: time))
    }
}
