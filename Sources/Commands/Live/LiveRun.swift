internal import Arguments
internal import SystemIO

/// A run that can be on a screen, with keys that do something: of the proxy itself or of `top`.
protocol LiveRun: AnyObject {
    var loop: EventLoop { get }
    var screen: Screen? { get }
    var controls: LiveControls { get set }
    /// What is shown.
    var liveState: LiveState { get }
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
            if let command = controls.press(key, connections: shownConnections.map(\.name)) {
                take(command)
            }
        }
        return !keys.isEmpty
    }

    /// Those that the filter leaves, in their order on the screen.
    private var shownConnections: [LiveState.Connection] {
        liveState.connections(room: .max, matching: controls.filter)
    }

    /// The connections that an action is for; nil for all.
    var aimed: [LiveState.Connection]? {
        let shown = shownConnections
        switch controls.target(among: shown.map(\.name)) {
        case .all: return nil
        case .these(let names): return shown.filter { names.contains($0.name) }
        }
    }

    /// Why an action has no connection to act on.
    var missingTarget: String {
        controls.chosen.map { "\($0) has ended; Esc acts on all again" }
            ?? "no open connection has '\(controls.filter)' in it"
    }

    /// Does something at each signal of a kind.
    func watch(
        _ signal: SignalWatcher.Signal,
        _ action: @escaping () -> Void
    ) throws(Failure) {
        watchers.append(try loop.watch(signal, action))
    }
}
