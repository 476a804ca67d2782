internal import Basics
internal import Faults
internal import HTTPWire
internal import LinkProfile
internal import Proxy
internal import SystemIO

/// How a proxy changes: whatever can be wrong is found first, then everything is done.
struct ProxyChange {
    let proxies: ProxiesResource

    private var run: ControlledRun { proxies.run }

    /// Changes a proxy; nothing changes if anything asked for is wrong.
    func apply(_ order: ProxyRequest, to proxy: SteeredProxy, isWhole: Bool) throws(Problem) {
        try carryOut(try plan(order, proxy, isWhole: isWhole))
    }

    /// What must change so that a proxy is as asked for; nil where nothing does.
    private struct Plan {
        struct Network {
            var profile: Profile
            var reference: String
            var settings: [ProfileSetting]
        }

        let proxy: SteeredProxy
        var name: String
        var isEnabled: Bool
        /// Where to listen anew.
        var listen: SocketAddress?
        /// Where new connections go.
        var upstream: Endpoint?
        var network: Network?
        var faults: [Fault]?

        /// Whether it is found or answers in another way.
        var movesProxy: Bool {
            name != proxy.name || isEnabled != proxy.isEnabled || listen != nil || upstream != nil
        }
    }

    private func plan(
        _ order: ProxyRequest,
        _ proxy: SteeredProxy,
        isWhole: Bool
    ) throws(Problem) -> Plan {
        var plan = Plan(
            proxy: proxy,
            name: order.name ?? proxy.name,
            isEnabled: order.isEnabled ?? (isWhole ? true : proxy.isEnabled)
        )
        if let seed = order.seed, seed != proxy.server.seed {
            throw .invalid("/seed", "a proxy keeps its seed, \(proxy.server.seed); make another")
        }
        if plan.name != proxy.name { try checkRename(proxy, to: plan.name) }
        try planPlace(order, &plan)
        try planNetwork(order, isWhole: isWhole, &plan)
        return plan
    }

    private func checkRename(_ proxy: SteeredProxy, to name: String) throws(Problem) {
        guard proxy !== run.fleet.own else {
            throw .invalid("/name", "the run's own proxy keeps its name, '\(proxy.name)'")
        }
        guard run.fleet[name] == nil else { throw ProxiesResource.taken(name) }
    }

    /// Where a proxy is; the run's own stays where it is.
    private func planPlace(_ order: ProxyRequest, _ plan: inout Plan) throws(Problem) {
        let proxy = plan.proxy
        if let listen = order.listen, !isAt(listen, proxy) {
            try checkListen(listen)
            plan.listen = listen.numericAddress
        }
        if let upstream = order.upstream,
            proxy.server.routes.first?.upstream != upstream.description
        {
            try proxies.checkUpstream(upstream, behind: order.listen)
            plan.upstream = upstream
        }
        guard proxy === run.fleet.own, plan.listen != nil || plan.upstream != nil else { return }
        throw .invalid(
            plan.listen != nil ? "/listen" : "/upstream",
            "the run's own proxy stays where the command line put it"
        )
    }

    /// Whether a proxy listens there already; port 0 is any.
    private func isAt(_ listen: Endpoint, _ proxy: SteeredProxy) -> Bool {
        guard let wanted = listen.numericAddress?.canonical else { return false }
        return proxy.server.listenAddresses.contains { address in
            let own = address.canonical
            return own == (wanted.port == 0 ? wanted.with(port: own.port ?? 0) : wanted)
        }
    }

    private func checkListen(_ listen: Endpoint) throws(Problem) {
        guard let address = listen.numericAddress, !address.isLoopback, !run.program.allowsRemote
        else { return }
        throw .invalid(
            "/listen",
            "other machines could reach \(listen); listen on 127.0.0.1, or allow it with"
                + " --allow-remote"
        )
    }

    private func planNetwork(
        _ order: ProxyRequest,
        isWhole: Bool,
        _ plan: inout Plan
    ) throws(Problem) {
        let proxy = plan.proxy
        plan.faults = order.faults ?? (isWhole ? [] : nil)
        var profile = proxy.server.profile
        if isWhole || order.profile != nil || order.settings != nil {
            let reference = order.profile ?? (isWhole ? "none" : proxy.profileReference)
            // Another profile begins without the settings of the one before.
            let base = isWhole || order.profile != nil ? [] : proxy.settings
            let settings = base + (order.settings ?? [])
            profile = try proxies.profiles.load(reference, settings)
            plan.network = .init(profile: profile, reference: reference, settings: settings)
        }
        try proxies.check(plan.faults ?? [], profile, of: proxy.server)
    }

    // MARK: Doing it

    /// Only addresses that somebody else has, and a want of descriptors, can be in the way.
    private func carryOut(_ plan: Plan) throws(Problem) {
        let proxy = plan.proxy
        let movesProxy = plan.movesProxy
        if let address = plan.listen { try move(proxy, to: address) }
        try proxies.setEnabled(plan.isEnabled, proxy)
        if let network = plan.network { try apply(network, to: proxy) }
        if let faults = plan.faults { try replaceFaults(faults, of: proxy) }
        if let upstream = plan.upstream {
            proxy.server.connect(to: upstream)
            proxy.server.manual.remark("it led to another upstream")
        }
        guard movesProxy else { return }
        let before = proxy.name
        proxy.name = plan.name
        var detail = proxies.detail(of: proxy)
        if before != plan.name { detail.append("before", .string(before)) }
        _ = run.record("change-proxy", detail)
    }

    private func move(_ proxy: SteeredProxy, to address: SocketAddress) throws(Problem) {
        do throws(SystemError) {
            let bound = try BoundListener(on: address)
            try proxy.move(to: bound)
        } catch {
            throw ProxiesResource.unavailable(
                ProxyError(.addressUnavailable, "cannot listen on \(address): \(error)")
            )
        }
    }

    /// Imitates another network.
    private func apply(_ network: Plan.Network, to proxy: SteeredProxy) throws(Problem) {
        do throws(ProxyError) {
            try proxy.server.switchProfile(network.profile)
        } catch {
            throw Problem(409, "refused", error.description)
        }
        proxy.profileReference = network.reference
        proxy.settings = network.settings
        proxies.faults.nameFaults()
        if proxy === run.fleet.own { run.program.onProfile(network.profile) }
        var detail: JSONObject = ["name": .string(network.profile.name)]
        if !network.settings.isEmpty {
            detail.append("settings", ProxiesResource.document(network.settings))
        }
        _ = run.record("profile", detail, on: proxy)
    }

    private func replaceFaults(_ faults: [Fault], of proxy: SteeredProxy) throws(Problem) {
        let server = proxy.server
        let kept = server.profile.faults
        for (id, fault) in server.faults.all where !kept.contains(fault) && !faults.contains(fault)
        {
            _ = server.faults.remove(id)
        }
        for fault in faults where !server.faults.all.contains(where: { $0.fault == fault }) {
            _ = try proxies.faults.arm(fault, on: proxy)
        }
        let texts = faults.map { JSONValue.string($0.canonicalText) }
        _ = run.record("faults", ["faults": .array(texts)], on: proxy)
    }
}
