internal import Arguments
internal import Basics
internal import ControlAPI
internal import Journal
internal import LinkProfile
internal import Proxy
internal import SystemIO

// What keys of the live view do.
extension ProxyRun {
    func take(_ command: LiveCommand) {
        // What was meant for a proxy that has just ended must not happen to another.
        if followFleet(), command != .quit { return }
        switch command {
        case .quit:
            // After a signal `q` only makes haste.
            drain(drainCode ?? .success, EndSignals.drainMilliseconds.interrupt, "quitting")
        case .pause:
            let isHeld = aimed.map { $0.allSatisfy { $0.state == "paused" } }
            if isHeld ?? steered.manual.isPaused {
                change("resume") { $0.manual.resume($1) }
            } else {
                change("pause") { $0.manual.pause($1) }
            }
        case .cut: change("cut", ["kind": "rst"]) { $0.manual.cut($1, .rst) }
        case .stall:
            let seconds = LiveCommand.stallSeconds
            change("stall", ["for": .string("\(seconds)s")]) {
                $0.manual.stall($1, for: .seconds(seconds))
            }
        case .refuse:
            _ = steered.manual.refuseNext(1)
            changed("refuse", [], ["count": 1])
        case .outage: switchOutage()
        case .mark: changed("mark", [], ["text": "mark"])
        case .listProfiles:
            listing = chosen
            controls.offer(
                profiles: catalog.cards().map { LiveProfile($0) },
                current: shownDescription.profile.name
            )
        case .profile(let name):
            guard listing === chosen else { return tell("no other profile: its proxy has ended") }
            switchProfile(name)
        case .nextProxy: chooseNext()
        }
    }

    /// Does something to the connections that are chosen, or to all, and records it.
    private func change(
        _ action: String,
        _ detail: JSONObject = [:],
        _ act: (ProxyServer, ConnectionSelection) -> [ManualPlace]
    ) {
        guard let aimed else { return changed(action, act(steered, .all), detail) }
        guard !aimed.isEmpty else { return tell(missingTarget) }
        changed(action, aimed.flatMap { act(steered, .connection($0.id)) }, detail)
    }

    private func switchOutage() {
        do throws(ProxyError) {
            if steered.link.outage.isPresent {
                guard try steered.manual.endOutage() else {
                    return tell("the outage is the profile's own, and ends by itself")
                }
                changed("restore", [])
            } else {
                try steered.manual.beginOutage(for: nil)
                changed("outage", [])
            }
        } catch {
            tell("the link stays as it was: \(error.description)")
        }
        lookAtPath()
    }

    /// Imitates another network from now on; settings of the command line are not laid over it.
    private func switchProfile(_ name: String) {
        do throws(Failure) {
            let profile = try catalog.load(name)
            do throws(ProxyError) {
                try steered.switchProfile(profile)
            } catch {
                throw Failure(.unavailable, error.description)
            }
            native?.follow(profileReference: name, of: chosen?.proxy)
            if chosen == nil {
                description.profile = profile
                lookAtPath()
            }
            changed("profile", [], ["name": .string(profile.name)])
        } catch {
            tell("the profile stays as it was: \(error.message)")
        }
    }

    /// Records what a key did.
    private func changed(_ action: String, _ places: [ManualPlace], _ detail: JSONObject = [:]) {
        var detail = detail
        if let proxy = chosen?.proxy { detail.append("proxy", .string(proxy.name)) }
        steered.manual.record(
            ChangeReport(
                action,
                by: .key,
                detail: detail,
                places: places.map { .init($0.connection, up: $0.up, down: $0.down) }
            )
        )
    }
}
