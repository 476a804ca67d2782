internal import Arguments
internal import SystemIO

/// Where linkcond keeps what outlasts a run: `$XDG_STATE_HOME/linkcond`, or below `~/.local/state`
/// (XDG Base Directory Specification).
enum StatePlace {
    /// - Parameter what: is kept there, for the error.
    /// - Returns: its path; it may not be there yet.
    /// - Throws: if the environment names no place.
    static func folder(for what: String) throws(Failure) -> String {
        if let state = CurrentProcess.environment("XDG_STATE_HOME"), state.hasPrefix("/") {
            return "\(state)/linkcond"
        }
        guard let home = CurrentProcess.environment("HOME"), home.hasPrefix("/") else {
            throw Failure(
                .configuration,
                "neither XDG_STATE_HOME nor HOME is set: there is no place for \(what)"
            )
        }
        return "\(home)/.local/state/linkcond"
    }
}
