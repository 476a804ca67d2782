internal import CLibuv

/// The bits of epoll(7).
extension Readiness {
    static var input: UInt32 { EPOLLIN.rawValue }
    static var output: UInt32 { EPOLLOUT.rawValue }
    /// The peer has shut down its sending half.
    static var peerEnded: UInt32 { EPOLLRDHUP.rawValue }
    static var hungUp: UInt32 { EPOLLHUP.rawValue }
    static var failed: UInt32 { EPOLLERR.rawValue }
}
