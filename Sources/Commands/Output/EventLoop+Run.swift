internal import Arguments
internal import SystemIO

/// What every run needs of the system, with the failure that says what it could not have.
extension EventLoop {
    static func forRun() throws(Failure) -> EventLoop {
        do throws(SystemError) {
            return try EventLoop()
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
