internal import CLibuv

/// What a descriptor became ready for.
///
/// Not an `OptionSet`: its set operations are generic, which other modules pay for at each event.
package struct Readiness: Hashable, Sendable {
    private let bits: UInt32

    /// From the events of epoll(7).
    init(events: UInt32) { bits = events }

    /// No event at all: what deferred work is called with.
    package static let none = Readiness(events: 0)

    package var isEmpty: Bool { bits == 0 }
    package var isWritable: Bool { bits & EPOLLOUT.rawValue != 0 }
    /// A read answers something: bytes, the end or an error.
    package var isReadable: Bool { bits & (EPOLLIN.rawValue | Self.endings) != 0 }
    /// The peer has shut down its sending half, or more.
    package var hasEnding: Bool { bits & Self.endings != 0 }
    /// Both halves are shut down.
    package var isHangUp: Bool { bits & EPOLLHUP.rawValue != 0 }
    /// The socket has failed: a reset, or a connect that did not succeed.
    package var isFailure: Bool { bits & EPOLLERR.rawValue != 0 }

    private static let endings = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue

    static let readingEvents = EPOLLIN.rawValue
    static let allEvents = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue
    /// All but the arrival of bytes; failures are always reported.
    static let withoutArrivals = EPOLLOUT.rawValue | EPOLLRDHUP.rawValue
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
