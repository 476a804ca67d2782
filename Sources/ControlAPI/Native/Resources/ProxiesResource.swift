internal import FaultInjection
internal import HTTPWire
internal import Journal
internal import LinkProfile
internal import Libuv
internal import Proxy

// The proxies of the run.
extension NativeAPI {
    var proxies: ControlAnswer {
        .json(["proxies": .array(fleet.all.map(document))], fields: ["ETag": tag])
    }

    func proxy(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        .json(document(try proxy(named: parameters["proxy"])), fields: ["ETag": tag])
    }

    /// A proxy by its name; the run's own without one.
    ///
    /// - Parameters:
    ///   - name: what the request says.
    ///   - pointer: where it says so; empty for its path.
    /// - Returns: the proxy.
    /// - Throws: a problem that names those that there are.
    func proxy(named name: String?, at pointer: String = "") throws(Problem) -> SteeredProxy {
        guard let name else { return fleet.own }
        if let proxy = fleet[name] { return proxy }
        throw unknown(name, at: pointer)
    }

    /// The proxy that a query's `proxy` names; the run's own without it.
    func proxy(in query: RequestQuery) throws(Problem) -> SteeredProxy {
        try proxy(named: query.value("proxy"), at: "?proxy")
    }

    func unknown(_ name: String, at pointer: String = "") -> Problem {
        let names = fleet.all.map(\.name)
        let nearest = NearestName.of(name, among: names)
        let hint = nearest.map { " Did you mean '\($0)'?" } ?? ""
        let more = names.count - Self.shownNames
        let rest = more > 0 ? " and \(more) more; GET /v1/proxies lists them" : ""
        let known = names.prefix(Self.shownNames).joined(separator: ", ") + rest
        var problem = Problem.notFound("There is no proxy of this name.\(hint) Known: \(known).")
        if !pointer.isEmpty {
            let message = "unknown proxy (known: \(known))"
            problem.mistakes = [.init(pointer, message, suggestion: nearest)]
        }
        return problem
    }

    private static let shownNames = 8

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
                        "upstream": .string(route.upstream),
                    ]
                }
            ),
            "profile": .string(server.profile.name),
            "settings": Self.document(proxy.settings),
            "seed": .number(server.seed),
            "conditions": [
                "paused": .bool(server.isPaused), "outage": .bool(server.outage.isPresent),
            ],
            "connections": [
                "open": .number(snapshot.openConnections),
                "total": .number(snapshot.totalConnections),
            ],
            "bytesUp": .number(snapshot.up.bytes), "bytesDown": .number(snapshot.down.bytes),
            "queuedBytesUp": .number(snapshot.up.queuedBytes),
            "queuedBytesDown": .number(snapshot.down.queuedBytes),
            "faults": .array(server.faults.map { .string($0.fault.canonicalText) }),
            "troubles": .number(snapshot.troubles),
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

    /// Takes a `ProxyOrder` with a name and an upstream.
    func addProxy(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let order = try ProxyOrder(request)
        guard let name = order.name else {
            throw .invalid("/name", "is missing: a name for the proxy, as \"api\"")
        }
        guard fleet[name] == nil else { throw Self.taken(name) }
        return try create(order, name)
    }

    func removeProxy(
        _ request: ControlRequest,
        _ parameters: RouteTable.Parameters
    ) throws(Problem) -> ControlAnswer {
        let proxy = try proxy(named: parameters["proxy"])
        try checkTag(request)
        guard proxy !== fleet.own else {
            throw Problem(
                409,
                "own",
                "'\(proxy.name)' begins and ends with the run; PATCH it with {\"enabled\": false}."
            )
        }
        _ = record("delete-proxy", ["name": .string(proxy.name)])
        fleet.remove(proxy)
        return .empty()
    }

    /// Makes a proxy; all that was asked for holds before its first connection.
    func create(_ order: ProxyOrder, _ name: String) throws(Problem) -> ControlAnswer {
        guard !fleet.isFull else {
            throw Problem(409, "full", "There are \(ProxyFleet.limit) proxies; DELETE some.")
        }
        guard let upstream = order.upstream else {
            throw .invalid("/upstream", "is missing: where connections go, as \"127.0.0.1:80\"")
        }
        let listen = order.listen ?? .tcp(host: "127.0.0.1", port: 0)
        try checkUpstream(upstream, behind: listen)
        let reference = order.profile ?? "none"
        let settings = order.settings ?? []
        let profile = try load(reference, settings)
        let server = try makeServer(order, name, listen, upstream, profile)
        let proxy = SteeredProxy(
            name: name,
            server: server,
            profileReference: reference,
            settings: settings
        )
        fleet.add(proxy)
        // The address is known to be good only if it was listened on.
        if order.isEnabled == false { try setEnabled(false, proxy) }
        nameFaults()
        _ = record("create-proxy", detail(of: proxy))
        return .json(
            document(proxy),
            status: 201,
            fields: ["Location": "/v1/proxies/\(name)", "ETag": tag]
        )
    }

    private func makeServer(
        _ order: ProxyOrder,
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
        configuration.seed = order.seed ?? program.seed
        configuration.faults = profile.faults
        for fault in order.faults ?? [] where !configuration.faults.contains(fault) {
            configuration.faults.append(fault)
        }
        configuration.findsUpstreamsLate = true
        configuration.firstListener = fleet.takeListenerNumber()
        let server: ProxyServer
        do throws(ProxyError) {
            server = try program.makeServer(configuration)
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
        guard isItself || fleet.answers(at: address) else { return }
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
                try server.requireOrigin(for: fault)
            } catch {
                mistakes.append(.init("/faults/\(index)", error.description))
            }
        }
        for fault in profile.faults {
            do throws(ProxyError) {
                try server.requireOrigin(for: fault)
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
            "listen": .optional(route?.listen), "upstream": .optional(route?.upstream),
            "profile": .string(proxy.server.profile.name),
        ]
        if !proxy.settings.isEmpty { detail.append("settings", Self.document(proxy.settings)) }
        detail.append("seed", .number(proxy.server.seed))
        let faults = proxy.server.faults.map { JSONValue.string($0.fault.canonicalText) }
        if !faults.isEmpty { detail.append("faults", .array(faults)) }
        return detail
    }
}
