internal import Arguments
internal import Basics
internal import ControlAPI

// Which proxy is shown.
extension TopRun {
    /// Keys that wait for a proxy at most.
    private static let waitingLimit = 64

    /// Shows a proxy, or all; what was shown stays until everything of it is known.
    ///
    /// - Parameters:
    ///   - name: of the proxy; nil for all.
    ///   - words: why, if nobody asked for it.
    func show(_ name: String?, saying words: String? = nil) {
        coming = name
        get("/v1/proxies", for: name) { run, proxies in
            run.get(Self.target("/v1/profiles/current", of: name), for: name) { run, profile in
                let made = RemoteRun(root: run.root, proxies: proxies, profile: profile, of: name)
                guard let remote = made else { return run.end(.foreign) }
                run.news = words
                run.coming = nil
                run.hasLost = false
                run.begin(remote)
            }
        }
    }

    private func get(
        _ target: String,
        for name: String?,
        then take: @escaping (TopRun, JSONObject) -> Void
    ) {
        client.get(target) { [weak self] answer in
            guard let self, result == nil, coming == name else { return }
            switch answer {
            case .success(let document): take(self, document)
            case .failure(.refused(404, _)) where remote != nil && name != NativeAPI.proxyName:
                coming = nil
                waiting = []
                remote?.add("proxy '\(name ?? "")' has ended")
                if hasLost { hasEnded() }
            case .failure(let failure): end(failure)
            }
        }
    }

    func chooseNext() {
        guard let remote, let current = coming ?? remote.name else { return }
        guard let next = ShownProxy.name(after: current, among: remote.names) else {
            self.remote?.add("there is no other proxy; POST /v1/proxies makes one")
            return
        }
        show(next)
    }

    /// The proxy that was shown is there no more.
    func hasEnded() {
        let name = remote?.name ?? ""
        hasLost = true
        // Then another one is shown soon.
        guard coming == nil else { return }
        waiting = []
        guard form == .screen, name != NativeAPI.proxyName else {
            return end(.failure(Failure(.unavailable, "proxy '\(name)' has ended")))
        }
        show(
            NativeAPI.proxyName,
            saying: "proxy '\(name)' has ended; this is '\(NativeAPI.proxyName)'"
        )
    }

    /// Keeps a key that is meant for the proxy that comes; what it does may depend on how that is.
    ///
    /// - Returns: whether it has to wait.
    func waits(_ command: LiveCommand) -> Bool {
        guard command != .quit, command != .nextProxy else { return false }
        guard coming != nil || remote?.sample.isEmpty ?? true else { return false }
        if waiting.count < Self.waitingLimit { waiting.append(command) }
        return true
    }

    /// Says why this proxy is shown, behind what was told of it before.
    func showNews() {
        guard let words = news else { return }
        news = nil
        remote?.add(words)
        redraw()
    }

    func takeWaiting() {
        let commands = waiting
        waiting = []
        for command in commands { take(command) }
    }
}
