internal import CLibuv
internal import CLibrary

/// Reports one signal of the process on the loop.
@safe
package final class SignalWatcher {
    package enum Signal: Sendable {
        case interrupt, terminate, hangUp, quit, windowChange, suspend, resume, user1

        var number: CInt {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .quit: SIGQUIT
            case .windowChange: SIGWINCH
            case .suspend: SIGTSTP
            case .resume: SIGCONT
            case .user1: SIGUSR1
            }
        }
    }

    private let loop: EventLoop
    private let handle: Handle

    /// Watches until `close()`; the signal's usual effect does not happen meanwhile.
    package init(
        _ signal: Signal,
        loop: EventLoop,
        onSignal: @escaping () -> Void
    ) throws(SystemError) {
        self.loop = loop
        handle = try unsafe loop.makeHandle(UV_SIGNAL) { uv, memory in
            unsafe uv_signal_init(uv, memory.assumingMemoryBound(to: uv_signal_t.self))
        }
        handle.setEvent(onSignal)
        let status = unsafe uv_signal_start(
            handle.memory.assumingMemoryBound(to: uv_signal_t.self),
            { watcher, _ in unsafe Handle.event(watcher) },
            signal.number
        )
        guard status == 0 else {
            handle.close()
            throw .libuv(status)
        }
    }

    deinit { close() }

    package func close() {
        handle.close()
        loop.noteChange()
    }
}
