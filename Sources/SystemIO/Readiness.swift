/// What a descriptor became ready for.
///
/// Not an `OptionSet`: its set operations are generic, which other modules pay for at each event.
package struct Readiness: Hashable, Sendable {
    private let bits: UInt32

    /// From what the system reports, in the bits below.
    init(events: UInt32) { bits = events }

    /// No event at all: what deferred work is called with.
    package static let none = Readiness(events: 0)

    package var isEmpty: Bool { bits == 0 }
    package var isWritable: Bool { bits & Self.output != 0 }
    /// A read answers something: bytes, the end or an error.
    package var isReadable: Bool { bits & (Self.input | Self.endings) != 0 }
    /// The peer has shut down its sending half, or more.
    package var hasEnding: Bool { bits & Self.endings != 0 }
    /// Both halves are shut down.
    package var isHangUp: Bool { bits & Self.hungUp != 0 }
    /// The socket has failed: a reset, or a connect that did not succeed.
    package var isFailure: Bool { bits & Self.failed != 0 }

    private static let endings = peerEnded | hungUp | failed

    static let readingEvents = input
    static let allEvents = input | output | peerEnded
    /// All but the arrival of bytes; failures are always reported.
    static let withoutArrivals = output | peerEnded
}

/// Whoever is told that a descriptor became ready.
package protocol ReadinessHandler: AnyObject {
    /// `tag` is what the handler gave when it started to watch.
    func ready(_ readiness: Readiness, tag: UInt32)
}

/// Names one watched descriptor; worthless after `EventLoop.unwatch`.
package struct WatchToken: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32

    /// A token that names nothing.
    package static let none = WatchToken(slot: .max, generation: .max)
}
