internal import Basics
internal import HTTP2

/// One stream of HTTP/2, with its gate.
struct GatedStream {
    let id: UInt32
    /// Ordinal of its request on the connection, from 1.
    let request: UInt32
    var gate: FaultGate
    /// Whether something may act on it, so that its content is kept until it has passed.
    let isLive: Bool
    /// Whether the client has lost it, and the server is still to get some of it.
    var isLate = false
    var up: Lane
    var down: Lane

    struct Lane {
        /// What waits behind something that holds the stream, while others go on.
        var kept: [StreamUnit] = []
        /// Whether the receiver knows of the stream.
        var hasBegun = false
        /// Whether the head of the message has passed, interim ones aside.
        var hasHead = false
        /// Whether the receiver was told of the end.
        var hasEnded = false
        /// What the receiver takes of it.
        var window: LentWindow
        /// What a `slow` lets pass of its content; nil for all.
        var pace: Pace?
        /// Whether what waits does so for the receiver's windows.
        var isShort = false

        init(window: Int) { self.window = LentWindow(room: window) }

        /// What waits, as windows count it.
        var waiting: Int { kept.reduce(0) { $0 + $1.flowControlled - $1.sent } }
    }

    var isOver: Bool { up.hasEnded && down.hasEnded }

    subscript(direction: Direction) -> Lane {
        get { direction == .up ? up : down }
        _modify { if direction == .up { yield &up } else { yield &down } }
    }
}
