internal import Basics
internal import Faults
internal import HTTPWire
internal import LinkProfile
internal import Proxy
internal import SystemIO

/// `/v1/proxies`: the proxies of the run, which come, go and change.
struct ProxiesResource {
    let run: ControlledRun
    let profiles: ProfilesResource
    let faults: FaultsResource
    /// Measures the links of all proxies.
    let linkMeter: LinkMeter

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/proxies") { _, _ in list }
        table.add("POST", "/v1/proxies") { request, _ throws(Problem) in try create(request) }
        table.add("GET", "/v1/proxies/{proxy}") { _, p throws(Problem) in try show(p) }
        table.add("PUT", "/v1/proxies/{proxy}") { request, p throws(Problem) in
            try change(request, p, isWhole: true)
        }
        table.add("PATCH", "/v1/proxies/{proxy}") { request, p throws(Problem) in
            try change(request, p, isWhole: false)
        }
        table.add("DELETE", "/v1/proxies/{proxy}") { request, p throws(Problem) in
            try remove(request, p)
        }
    }

    private var list: ControlAnswer {
        .json(["proxies": .array(run.fleet.all.map(document))], fields: ["ETag": run.tag])
    }

    private func show(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        .json(document(try run.proxy(named: parameters["proxy"])), fields: ["ETag": run.tag])
    }

    func document(_ proxy: SteeredProxy) -> JSONValue {
        let server = proxy.server
        let snapshot = server.snapshot(rows: 0)
        let first = server.listenerNumbers.lowerBound
        return [
            "name": .string(proxy.name),
            "enabled": .bool(proxy.isEnabled),
            "listeners": .array(
                zip(first..., server.routes).map { number, route in
                    [
                        "listener": .number(number), "listen": .string(route.listen),
                        "upstream": .string(upstreamText(route.upstream)),
                        "testServer": .optional(testServer(route.upstream)),
                    ]
                }
            ),
            "profile": .string(server.profile.name),
            "settings": Self.document(proxy.settings),
            "routes": .array(server.hostNetworks.map { .string($0.text) }),
            "seed": .number(server.seed),
            "conditions": [
                "paused": .bool(server.manual.isPaused),
                "outage": .bool(server.link.outage.isPresent),
            ],
            "connections": [
                "open": .number(snapshot.openConnections),
                "total": .number(snapshot.totalConnections),
            ],
            "flows": snapshot.flows.map(Self.flows) ?? .null,
            "bytesUp": .number(snapshot.up.bytes), "bytesDown": .number(snapshot.down.bytes),
            "queuedBytesUp": .number(snapshot.up.queuedBytes),
            "queuedBytesDown": .number(snapshot.down.queuedBytes),
            "faults": .array(server.faults.all.map { .string($0.fault.canonicalText) }),
            "troubles": .number(snapshot.troubles),
        ]
    }

    /// A server as the first line of the program names it: the test server's port means nothing to people.
    private func upstreamText(_ address: String) -> String {
        testServer(address) == nil ? address : "embedded"
    }

    /// The address of a server if it is the test server.
    private func testServer(_ address: String) -> String? {
        run.program.testServer == address ? address : nil
    }

    private static func flows(_ flows: ProxySnapshot.Flows) -> JSONValue {
        [
            "open": .number(flows.open), "total": .number(flows.total),
            "datagramsUp": .number(flows.up.count),
            "datagramsDown": .number(flows.down.count),
            "deliveredUp": .number(flows.up.delivered),
            "deliveredDown": .number(flows.down.delivered),
        ]
    }

    static func document(_ settings: [ProfileSetting]) -> JSONValue {
        var object = JSONObject()
        // The last one of a key counts.
        for setting in settings.reversed() where object[setting.key] == nil {
            object.append(setting.key, .string(setting.value))
        }
        return .object(object)
    }

    // MARK: Coming and going

    /// Takes a `ProxyRequest` with a name and an upstream.
    private func create(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let order = try ProxyRequest(request)
        guard let name = order.name else {
            throw .invalid("/name", "is missing: a name for the proxy, as \"api\"")
        }
        guard run.fleet[name] == nil else { throw Self.taken(name) }
        return try create(order, name)
    }

    private func remove(
        _ request: ControlRequest,
        _ parameters: RouteTable.Parameters
    ) throws(Problem) -> ControlAnswer {
        let proxy = try run.proxy(named: parameters["proxy"])
        try run.checkTag(request)
        guard proxy !== run.fleet.own else {
            throw Problem(
                409,
                "own",
                "'\(proxy.name)' begins and ends with the run; PATCH it with {\"enabled\": false}."
            )
        }
        _ = run.record("delete-proxy", ["name": .string(proxy.name)])
        run.fleet.remove(proxy)
        return .empty()
    }

    /// Makes a proxy; all that was asked for holds before its first connection.
    private func create(_ order: ProxyRequest, _ name: String) throws(Problem) -> ControlAnswer {
        guard !run.fleet.isFull else {
            throw Problem(
                409,
                "full",
                "There are \(ProxyFleet<SteeredProxy>.limit) proxies; DELETE some."
            )
        }
        guard let upstream = order.upstream else {
            throw .invalid("/upstream", "is missing: where connections go, as \"127.0.0.1:80\"")
        }
        let listen = order.listen ?? .tcp(host: "127.0.0.1", port: 0)
        try checkUpstream(upstream, behind: listen)
        let reference = order.profile ?? "none"
        let settings = order.settings ?? []
        let profile = try profiles.load(reference, settings)
        let server = try makeServer(order, name, listen, upstream, profile)
        let proxy = SteeredProxy(
            name: name,
            server: server,
            profileReference: reference,
            settings: settings
        )
        run.fleet.add(proxy)
        // The address is known to be good only if it was listened on.
        if order.isEnabled == false { try setEnabled(false, proxy) }
        faults.nameFaults()
        _ = run.record("create-proxy", detail(of: proxy))
        return .json(
            document(proxy),
            status: 201,
            fields: ["Location": "/v1/proxies/\(name)", "ETag": run.tag]
        )
    }

    private func makeServer(
        _ order: ProxyRequest,
        _ name: String,
        _ listen: Endpoint,
        _ upstream: Endpoint,
        _ profile: Profile
    ) throws(Problem) -> ProxyServer {
        var configuration = ProxyConfiguration(
            routes: [.init(listen: listen, upstream: upstream)],
            profile: profile
        )
        configuration.name = name
        configuration.seed = order.seed ?? run.program.seed
        configuration.faults = profile.faults
        for fault in order.faults ?? [] where !configuration.faults.contains(fault) {
            configuration.faults.append(fault)
        }
        configuration.findsUpstreamsLate = true
        configuration.firstListener = run.fleet.nextListenerNumber()
        let server: ProxyServer
        do throws(ProxyError) {
            server = try run.program.makeServer(configuration)
        } catch {
            throw Problem(503, "internal", error.description)
        }
        do throws(Problem) {
            try check(order.faults ?? [], profile, of: server)
            try start(server)
        } catch {
            server.stop()
            throw error
        }
        server.linkMeter = linkMeter
        return server
    }

    private func start(_ server: ProxyServer) throws(Problem) {
        do throws(ProxyError) {
            _ = try server.start()
        } catch {
            switch error.kind {
            case .addressUnavailable: throw Self.unavailable(error)
            case .internal: throw Problem(503, "internal", error.description)
            case .badEndpoint, .refused, .upstreamUnavailable:
                throw .invalid("/listen", error.description)
            }
        }
    }

    // MARK: Changing

    /// Takes a `ProxyRequest`.
    ///
    /// Whole: what is not given of profile, settings, faults and `enabled` is as at the start of a
    /// run, and a proxy that is not there is made. Otherwise it stays, and settings lie over those of
    /// now. Name, addresses and seed stay unless they are given.
    private func change(
        _ request: ControlRequest,
        _ parameters: RouteTable.Parameters,
        isWhole: Bool
    ) throws(Problem) -> ControlAnswer {
        let name = parameters["proxy"] ?? ""
        guard let proxy = run.fleet[name] else {
            guard isWhole else { throw run.unknown(name) }
            return try createAtPath(request, name)
        }
        try run.checkTag(request)
        if isWhole, request.head.fields["If-None-Match"] != nil {
            throw Problem(412, "exists", "There is a proxy '\(name)' already.")
        }
        let order = try ProxyRequest(request)
        try ProxyChange(proxies: self).apply(order, to: proxy, isWhole: isWhole)
        return .json(document(proxy), fields: ["ETag": run.tag])
    }

    /// Lets a proxy imitate another network.
    func switchProfile(of proxy: SteeredProxy, to name: String) throws(Problem) {
        try ProxyChange(proxies: self).apply(ProxyRequest(profile: name), to: proxy, isWhole: false)
    }

    private func createAtPath(
        _ request: ControlRequest,
        _ name: String
    ) throws(Problem) -> ControlAnswer {
        guard request.head.fields["If-Match"] == nil else {
            throw Problem(412, "changed", "There is no proxy '\(name)' any more.")
        }
        guard ProxyName.isValid(name) else { throw .invalid("", ProxyName.rule) }
        let order = try ProxyRequest(request)
        guard order.name ?? name == name else {
            throw .invalid("/name", "is '\(name)' in the path; leave it out")
        }
        return try create(order, name)
    }

    func setEnabled(_ isEnabled: Bool, _ proxy: SteeredProxy) throws(Problem) {
        do throws(ProxyError) {
            try proxy.setEnabled(isEnabled)
        } catch {
            throw Self.unavailable(error)
        }
    }

    // MARK: Refusals

    static func taken(_ name: String) -> Problem {
        Problem(
            409,
            "taken",
            "There is a proxy '\(name)'; choose another name, or PUT /v1/proxies/\(name).",
            mistakes: [.init("/name", "is taken")]
        )
    }

    /// Somebody else has the address.
    static func unavailable(_ error: ProxyError) -> Problem {
        Problem(
            409,
            "taken",
            error.description,
            mistakes: [.init("/listen", error.description)]
        )
    }

    /// Nothing is forwarded to ourselves; a name is looked up, and looked at, when it is needed.
    func checkUpstream(_ upstream: Endpoint, behind listen: Endpoint?) throws(Problem) {
        let known =
            upstream.isLocalhost
            ? .loopback(port: upstream.port ?? 0) : upstream.numericAddress
        guard let address = known?.canonical else { return }
        let isItself = listen?.numericAddress?.answers(at: address) ?? false
        guard isItself || run.fleet.answers(at: address) else { return }
        throw .invalid(
            "/upstream",
            "\(upstream) is this linkcond's own; name the server's address"
        )
    }

    /// Throws if these cannot be the faults of a proxy beside those of a profile.
    func check(
        _ faults: [Fault],
        _ profile: Profile,
        of server: ProxyServer
    ) throws(Problem) {
        let count = faults.count + profile.faults.count
        guard count <= ScheduleLimits.faults else {
            throw .invalid("/faults", "\(count) faults with the profile's; the most is 1024")
        }
        var mistakes: [Problem.Mistake] = []
        for (index, fault) in faults.enumerated() {
            do throws(ProxyError) {
                try server.faults.requireOrigin(for: fault)
            } catch {
                mistakes.append(.init("/faults/\(index)", error.description))
            }
        }
        for fault in profile.faults {
            do throws(ProxyError) {
                try server.faults.requireOrigin(for: fault)
            } catch {
                mistakes.append(.init("/profile", error.description))
            }
        }
        guard mistakes.isEmpty else { throw .invalid(mistakes) }
    }

    /// What a record says of a proxy that is made or changed.
    func detail(of proxy: SteeredProxy) -> JSONObject {
        let route = proxy.server.routes.first
        var detail: JSONObject = [
            "name": .string(proxy.name), "enabled": .bool(proxy.isEnabled),
            "listener": .number(proxy.server.listenerNumbers.lowerBound),
            "listen": .optional(route?.listen),
            "upstream": .optional(route.map { upstreamText($0.upstream) }),
            "profile": .string(proxy.server.profile.name),
        ]
        if !proxy.settings.isEmpty { detail.append("settings", Self.document(proxy.settings)) }
        detail.append("seed", .number(proxy.server.seed))
        let faults = proxy.server.faults.all.map { JSONValue.string($0.fault.canonicalText) }
        if !faults.isEmpty { detail.append("faults", .array(faults)) }
        return detail
    }
}
