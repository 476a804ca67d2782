/// The system calls in which programs wait: POSIX tells nothing of them.
package enum WaitingCall {
    /// Whether the absence of a time means something.
    package static let isKnown = false

    /// Nothing is known about any process.
    package static func timeouts(of group: Int) -> [UInt64] { [] }

    /// Nothing is known about any process.
    package static func timers(of group: Int) -> [UInt64] { [] }
}
