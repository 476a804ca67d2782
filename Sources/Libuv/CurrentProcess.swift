internal import Glibc

/// Facts about this process, and what it does to itself.
@safe
package enum CurrentProcess {
    package static var identifier: Int { Int(getpid()) }

    /// An environment variable; nil if it is not set.
    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// A write to a closed pipe or socket answers with an error and does not end the process.
    package static func ignoreClosedPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Stops like a process that does not handle Control-Z; returns when it is continued.
    package static func stop() {
        kill(getpid(), SIGSTOP)
    }
}
