internal import Arguments
internal import SystemIO

/// What every run needs of the system, with the failure that says what it could not have.
extension EventLoop {
    /// The loop of a run; what may wait in all connections together is the default unless it is given.
    static func forRun(maximumMemoryBytes: UInt64? = nil) throws(Failure) -> EventLoop {
        do throws(SystemError) {
            let loop = try EventLoop()
            if let maximumMemoryBytes { loop.chunks.limit = Int(maximumMemoryBytes) }
            return loop
        } catch {
            throw Failure(.internalError, "cannot start the event loop: \(error)")
        }
    }

    /// Does something at each signal of a kind, until what is returned is let go.
    func watch(
        _ signal: SignalWatcher.Signal,
        _ action: @escaping () -> Void
    ) throws(Failure) -> SignalWatcher {
        do throws(SystemError) {
            return try SignalWatcher(signal, loop: self, onSignal: action)
        } catch {
            throw Failure(.internalError, "cannot watch a signal: \(error)")
        }
    }
}
