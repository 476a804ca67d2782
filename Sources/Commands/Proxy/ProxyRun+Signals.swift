internal import ControlAPI
internal import Journal
internal import LinkProfile
internal import Libuv
internal import Proxy

// What signals ask for.
extension ProxyRun {
    func watchSignals() throws(Failure) {
        try watch(.interrupt) { [weak self] in
            self?.drain(.interrupted, EndSignals.drainMilliseconds.interrupt, "interrupted")
        }
        try watch(.terminate) { [weak self] in
            self?.drain(.terminated, EndSignals.drainMilliseconds.terminate, "told to end")
        }
        try watch(.hangUp) { [weak self] in self?.hangUp() }
        guard screen != nil else { return }
        try watch(.windowChange) { [weak self] in self?.redraw() }
        try watch(.suspend) { [weak self] in self?.screen?.suspend() }
        try watch(.resume) { [weak self] in
            self?.screen?.enter()
            self?.redraw()
        }
    }

    /// The first signal lets open connections finish, the second ends at once.
    func drain(_ code: ExitCode, _ limitMilliseconds: UInt64, _ reason: String) {
        guard outcome == nil, status == nil else {
            end(code)
            return
        }
        drainCode = code
        notifier.stopping()
        let open = native?.fleet.openConnections ?? server.openConnections
        guard open > 0 else {
            end(code)
            return
        }
        let text =
            "\(reason): \(Figures.count(open, "connection")) may finish,"
            + " \(limitMilliseconds / 1_000) s at most"
        status = text
        if !options.isQuiet && screen == nil { tell("\(text); a second signal ends at once") }
        let drained: () -> Void = { [weak self] in self?.end(code) }
        if let fleet = native?.fleet {
            fleet.drain(limitMilliseconds: limitMilliseconds, then: drained)
        } else {
            server.drain(limitMilliseconds: limitMilliseconds, then: drained)
        }
    }

    /// SIGHUP is also what a terminal that is closed sends; nobody could end the program then.
    private func hangUp() {
        if terminal.isGone {
            screen?.abandon()
            end(.terminated)
        } else {
            reloadProfile()
        }
    }

    private func reloadProfile() {
        let profile: Profile
        catalog.readAgain()
        do throws(Failure) {
            profile = try catalog.load(options.profileReference, settings: options.settings)
        } catch {
            tell("the profile stays as it was: \(error.message)")
            return
        }
        do throws(ProxyError) {
            try server.switchProfile(profile)
        } catch {
            tell("the profile stays as it was: \(error.description)")
            return
        }
        native?.follow(profileReference: options.profileReference, settings: options.settings)
        description.profile = profile
        lookAtPath()
        let name = JSONValue.string(profile.name)
        server.record(ChangeReport("profile", by: .signal, detail: ["name": name]))
        tell("profile \(profile.name) read again")
    }
}
