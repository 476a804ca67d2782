internal import CLibuv

/// What a descriptor became ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer has shut down its sending half.
    package static let peerEnded = Readiness(rawValue: EPOLLRDHUP.rawValue)
    /// Both halves are shut down.
    package static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
    /// The socket has failed: a reset, or a connect that did not succeed.
    package static let failed = Readiness(rawValue: EPOLLERR.rawValue)
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
