internal import CLibuv
internal import CLibrary

/// A process, told from others that had or will have its number.
///
/// By its number and, where the system tells them, the time at which it started and the boot to which
/// that time belongs.
package struct ProcessIdentity: Hashable, Sendable {
    package let number: Int
    /// Clock ticks from the start of the machine.
    package let startTicks: UInt64
    /// The identifier of this start of the machine.
    package let boot: String

    package init(number: Int, startTicks: UInt64, boot: String) {
        self.number = number
        self.startTicks = startTicks
        self.boot = boot
    }

    package static var current: ProcessIdentity? { ProcessIdentity(of: Int(getpid())) }

    /// Whether this very process still runs.
    package var isAlive: Bool { ProcessIdentity(of: number) == self }
}
