internal import Arguments
internal import Basics
internal import ControlAPI
internal import LinkProfile
internal import SystemIO

// What keys and signals ask for.
extension TopRun {
    func watchSignals() throws(Failure) {
        try watch(.interrupt) { [weak self] in self?.end(.success(.interrupted)) }
        try watch(.terminate) { [weak self] in self?.end(.success(.terminated)) }
        try watch(.hangUp) { [weak self] in
            if self?.terminal.isGone == true { self?.screen?.abandon() }
            self?.end(.success(.terminated))
        }
        guard form == .screen else { return }
        try watch(.windowChange) { [weak self] in self?.redraw() }
        try watch(.suspend) { [weak self] in self?.screen?.suspend() }
        try watch(.resume) { [weak self] in
            self?.screen?.enter()
            self?.redraw()
        }
    }

    func take(_ command: LiveCommand) {
        if waits(command) { return }
        switch command {
        case .quit: end(.success(.success))
        case .pause:
            let isHeld = aimed.map { $0.allSatisfy { $0.state == "paused" } }
            actOnAimed(isHeld ?? (remote?.isPaused == true) ? "resume" : "pause")
        case .cut: actOnAimed("cut", ["kind": "rst"])
        case .stall: actOnAimed("stall", ["for": .string("\(LiveCommand.stallSeconds)s")])
        case .refuse: act("refuse", ["count": 1])
        case .outage: act(remote?.isOut == true ? "restore" : "outage")
        case .mark: act("mark")
        case .listProfiles: listProfiles()
        case .profile(let name):
            // Whatever is shown by now.
            change("PATCH", "/v1/proxies/\(listing ?? "")", ["profile": .string(name)])
        case .nextProxy: chooseNext()
        }
    }

    /// Does something to the connections that are chosen, or to all.
    private func actOnAimed(_ action: String, _ members: JSONObject = [:]) {
        guard let aimed else { return act(action, members) }
        if aimed.isEmpty { remote?.add(missingTarget) }
        for connection in aimed {
            var members = members
            members.append("connection", .string(ConnectionName.text(connection.id)))
            act(action, members)
        }
    }

    private func act(_ action: String, _ members: JSONObject = [:]) {
        var body: JSONObject = [
            "action": .string(action), "proxy": remote?.name.map { .string($0) },
        ]
        for member in members.members { body.append(member.key, member.value) }
        change("POST", "/v1/actions", body)
        if members["connection"] == nil { remote?.changed(action) }
    }

    /// What was changed comes back as a record; what could not be is said here.
    private func change(_ method: String, _ target: String, _ body: JSONObject) {
        client.send(method, target, body) { [weak self] answer in
            guard case .failure(let failure) = answer else { return }
            self?.remote?.add("not done: \(failure.short)")
            self?.redraw()
        }
    }

    private func listProfiles() {
        listing = remote?.name
        client.get(Self.target("/v1/profiles", ["details=true"], of: listing)) {
            [weak self] answer in
            guard let self, remote?.name == listing else { return }
            switch answer {
            case .success(let document):
                let current = remote?.description.profile.name ?? ""
                controls.offer(
                    profiles: document.objects("details").compactMap { LiveProfile($0) },
                    current: current
                )
            case .failure(let failure): remote?.add("no profiles: \(failure.short)")
            }
            redraw()
        }
    }
}
