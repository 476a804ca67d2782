internal import FaultInjection
internal import HTTPWire
internal import Journal
internal import LinkProfile
internal import Libuv
internal import Proxy

// How a proxy changes: whatever can be wrong is found first, then everything is done.
extension NativeAPI {
    /// Takes a `ProxyOrder`.
    ///
    /// Whole: what is not given of profile, settings, faults and `enabled` is as at the start of a
    /// run, and a proxy that is not there is made. Otherwise it stays, and settings lie over those of
    /// now. Name, addresses and seed stay unless they are given.
    func change(
        _ request: ControlRequest,
        _ parameters: RouteTable.Parameters,
        isWhole: Bool
    ) throws(Problem) -> ControlAnswer {
        let name = parameters["proxy"] ?? ""
        guard let proxy = fleet[name] else {
            guard isWhole else { throw unknown(name) }
            return try createAtPath(request, name)
        }
        try checkTag(request)
        if isWhole, request.head.fields["If-None-Match"] != nil {
            throw Problem(412, "exists", "There is a proxy '\(name)' already.")
        }
        let order = try ProxyOrder(request)
        try carryOut(try plan(order, proxy, isWhole: isWhole))
        return .json(document(proxy), fields: ["ETag": tag])
    }

    private func createAtPath(
        _ request: ControlRequest,
        _ name: String
    ) throws(Problem) -> ControlAnswer {
        guard request.head.fields["If-Match"] == nil else {
            throw Problem(412, "changed", "There is no proxy '\(name)' any more.")
        }
        guard ProxyName.isValid(name) else { throw .invalid("", ProxyName.rule) }
        let order = try ProxyOrder(request)
        guard order.name ?? name == name else {
            throw .invalid("/name", "is '\(name)' in the path; leave it out")
        }
        return try create(order, name)
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
        _ order: ProxyOrder,
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
        guard proxy !== fleet.own else {
            throw .invalid("/name", "the run's own proxy keeps its name, '\(proxy.name)'")
        }
        guard fleet[name] == nil else { throw Self.taken(name) }
    }

    /// Where a proxy is; the run's own stays where it is.
    private func planPlace(_ order: ProxyOrder, _ plan: inout Plan) throws(Problem) {
        let proxy = plan.proxy
        if let listen = order.listen, !isAt(listen, proxy) {
            try checkListen(listen)
            plan.listen = listen.numericAddress
        }
        if let upstream = order.upstream,
            proxy.server.routes.first?.upstream != upstream.description
        {
            try checkUpstream(upstream, behind: order.listen)
            plan.upstream = upstream
        }
        guard proxy === fleet.own, plan.listen != nil || plan.upstream != nil else { return }
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
        guard let address = listen.numericAddress, !address.isLoopback, !program.allowsRemote
        else { return }
        throw .invalid(
            "/listen",
            "other machines could reach \(listen); listen on 127.0.0.1, or allow it with"
                + " --allow-remote"
        )
    }

    private func planNetwork(
        _ order: ProxyOrder,
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
            profile = try load(reference, settings)
            plan.network = .init(profile: profile, reference: reference, settings: settings)
        }
        try check(plan.faults ?? [], profile, of: proxy.server)
    }

    // MARK: Doing it

    /// Only addresses that somebody else has, and a want of descriptors, can be in the way.
    private func carryOut(_ plan: Plan) throws(Problem) {
        let proxy = plan.proxy
        let movesProxy = plan.movesProxy
        if let address = plan.listen { try move(proxy, to: address) }
        try setEnabled(plan.isEnabled, proxy)
        if let network = plan.network { try apply(network, to: proxy) }
        if let faults = plan.faults { try replaceFaults(faults, of: proxy) }
        if let upstream = plan.upstream {
            proxy.server.connect(to: upstream)
            proxy.server.remark("it led to another upstream")
        }
        guard movesProxy else { return }
        let before = proxy.name
        proxy.name = plan.name
        var detail = detail(of: proxy)
        if before != plan.name { detail.append("before", .string(before)) }
        _ = record("change-proxy", detail)
    }

    private func move(_ proxy: SteeredProxy, to address: SocketAddress) throws(Problem) {
        do throws(SystemError) {
            let bound = try BoundListener(on: address)
            try proxy.move(to: bound)
        } catch {
            throw Self.unavailable(
                ProxyError(.addressUnavailable, "cannot listen on \(address): \(error)")
            )
        }
    }

    func setEnabled(_ isEnabled: Bool, _ proxy: SteeredProxy) throws(Problem) {
        do throws(ProxyError) {
            try proxy.setEnabled(isEnabled)
        } catch {
            throw Self.unavailable(error)
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
        nameFaults()
        if proxy === fleet.own { program.onProfile(network.profile) }
        var detail: JSONObject = ["name": .string(network.profile.name)]
        if !network.settings.isEmpty {
            detail.append("settings", Self.document(network.settings))
        }
        _ = record("profile", detail, on: proxy)
    }

    private func replaceFaults(_ faults: [Fault], of proxy: SteeredProxy) throws(Problem) {
        let server = proxy.server
        let kept = server.profile.faults
        for (id, fault) in server.faults where !kept.contains(fault) && !faults.contains(fault) {
            _ = server.remove(id)
        }
        for fault in faults where !server.faults.contains(where: { $0.fault == fault }) {
            _ = try arm(fault, on: proxy)
        }
        let texts = faults.map { JSONValue.string($0.canonicalText) }
        _ = record("faults", ["faults": .array(texts)], on: proxy)
    }
}
