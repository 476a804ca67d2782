internal import CLibuv
internal import CLibrary

extension ProcessIdentity {
    /// What another process of ours is told.
    package enum Signal: Hashable, Sendable {
        case terminate
        /// SIGUSR1, whatever the two have agreed on.
        case user1

        fileprivate var number: CInt {
            switch self {
            case .terminate: SIGTERM
            case .user1: SIGUSR1
            }
        }
    }

    /// Sends a signal if this very process still runs; false if it does not, or is not ours.
    package func send(_ signal: Signal) -> Bool {
        isAlive && kill(pid_t(number), signal.number) == 0
    }
}
