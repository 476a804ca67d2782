internal import Arguments
internal import SystemIO

/// The signals that end a server: Control-C, SIGTERM, and the end of the terminal.
enum EndSignals {
    /// How long what is open may take after Control-C and after SIGTERM.
    static let drainMilliseconds: (interrupt: UInt64, terminate: UInt64) = (2_000, 5_000)

    /// Watches them.
    ///
    /// - Parameters:
    ///   - loop: where they are heard.
    ///   - drain: hears, for each of them, of the exit code and of the limit in milliseconds.
    /// - Returns: what watches, until it is let go.
    /// - Throws: why the system lets nobody watch.
    static func watch(
        on loop: EventLoop,
        drain: @escaping (ExitCode, UInt64) -> Void
    ) throws(Failure) -> [SignalWatcher] {
        let (interrupt, terminate) = drainMilliseconds
        let signals: [(SignalWatcher.Signal, ExitCode, UInt64)] = [
            (.interrupt, .interrupted, interrupt), (.terminate, .terminated, terminate),
            (.hangUp, .terminated, terminate),
        ]
        return try signals.map { signal, code, limit throws(Failure) in
            try loop.watch(signal) { drain(code, limit) }
        }
    }
}
