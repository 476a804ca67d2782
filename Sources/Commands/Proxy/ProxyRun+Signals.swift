internal import Arguments
internal import Basics
internal import ControlAPI
internal import Journal
internal import LinkProfile
internal import Proxy
internal import SystemIO

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
        guard fleet.openConnections > 0 else {
            end(code)
            return
        }
        announceDrain(limitMilliseconds, reason)
        fleet.drain(limitMilliseconds: limitMilliseconds, closesIdle: true) { [weak self] in
            // A second signal has its own code, and closes what is open.
            if self?.outcome == nil { self?.end(code) }
        }
    }

    /// Shows what the end waits for; idle connections are closed meanwhile.
    private func announceDrain(_ limitMilliseconds: UInt64, _ reason: String) {
        let notice = DrainNotice(
            limitMilliseconds: limitMilliseconds,
            busyConnections: { [fleet] in fleet.busyConnections },
            tell: { [weak self] in self?.tell("\(reason): \($0)") }
        )
        status = "\(reason): \(notice.words)"
        guard !options.isQuiet, screen == nil else { return }
        notice.give(on: loop)
        drainNotice = notice
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
        server.manual.record(ChangeReport("profile", by: .signal, detail: ["name": name]))
        tell("profile \(profile.name) read again")
    }
}
