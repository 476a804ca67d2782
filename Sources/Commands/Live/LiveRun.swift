internal import Arguments
internal import SystemIO

/// A run that can be on a screen, with keys that do something: of the proxy itself or of `top`.
protocol LiveRun: AnyObject {
    var loop: EventLoop { get }
    var screen: Screen? { get }
    var controls: LiveControls { get set }
    /// What tells of signals; closed at the end of the run.
    var watchers: [SignalWatcher] { get set }

    /// Does what a key asks for.
    func take(_ command: LiveCommand)
}

extension LiveRun {
    /// Does what was typed since the last time.
    ///
    /// - Returns: whether anything was.
    @discardableResult
    func takeKeys() -> Bool {
        let keys = LiveKey.read(screen?.pendingKeys() ?? [])
        for key in keys {
            if let command = controls.press(key) { take(command) }
        }
        return !keys.isEmpty
    }

    /// Does something at each signal of a kind.
    func watch(
        _ signal: SignalWatcher.Signal,
        _ action: @escaping () -> Void
    ) throws(Failure) {
        watchers.append(try loop.watch(signal, action))
    }
}
