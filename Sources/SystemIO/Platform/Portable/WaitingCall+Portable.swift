/// The system calls in which programs wait: POSIX tells nothing of them.
package enum WaitingCall {
    /// Of no process anything is known.
    package static func timeouts(of group: Int) -> [UInt64] { [] }

    /// Of no process anything is known.
    package static func timers(of group: Int) -> [UInt64] { [] }
}
