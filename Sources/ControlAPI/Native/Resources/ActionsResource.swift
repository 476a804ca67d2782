internal import Basics
internal import Faults
internal import HTTPWire
internal import Proxy

/// `/v1/actions`: what is done by hand.
struct ActionsResource {
    let run: ControlledRun
    let proxies: ProxiesResource

    func addRoutes(to table: inout RouteTable) {
        table.add("POST", "/v1/actions") { request, _ throws(Problem) in try act(request) }
    }

    private enum Action: String, CaseIterable {
        case cut, pause, resume, stall, refuse, outage, handover, restore, mark, reset
    }

    /// What an action was asked with.
    private struct Order {
        var action: Action
        var proxy: SteeredProxy
        var selection: ConnectionSelection
        var kind: ManualCut?
        var duration: Duration?
        var count: UInt32?
        var text: String?
        var profile: String?
        var paths: OutagePaths?
    }

    /// Which paths an outage takes.
    private enum OutagePaths: String, CaseIterable { case first, all }

    /// Takes `{"action": WORD}` with what the action needs.
    private func act(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let order = try order(request)
        let proxy = order.proxy
        let server = proxy.server
        switch order.action {
        case .cut:
            let kind = order.kind ?? .rst
            let places = server.manual.cut(order.selection, kind)
            return outcome(order, ["kind": .string(kind.rawValue)], places)
        case .pause: return outcome(order, [:], server.manual.pause(order.selection))
        case .resume: return outcome(order, [:], server.manual.resume(order.selection))
        case .stall: return stall(order)
        case .refuse: return refuse(order)
        case .outage: return try outage(order)
        case .handover: return try handOver(order)
        case .restore: return try restore(proxy)
        case .mark:
            return run.outcome("mark", ["text": .string(order.text ?? "mark")], [], on: proxy)
        case .reset: return try reset(proxy)
        }
    }

    private func stall(_ order: Order) -> ControlAnswer {
        let duration = order.duration ?? .seconds(5)
        let places = order.proxy.server.manual.stall(order.selection, for: duration)
        return outcome(order, ["for": .string(Quantity.text(duration))], places)
    }

    /// The answer to what was done to connections; one that was named is named though nothing
    /// happened to it.
    private func outcome(
        _ order: Order,
        _ detail: JSONObject,
        _ places: [ManualPlace]
    ) -> ControlAnswer {
        var detail = detail
        if places.isEmpty, case .connection(let id) = order.selection {
            detail.append("connection", .string(ConnectionName.text(id)))
        }
        return run.outcome(order.action.rawValue, detail, places, on: order.proxy)
    }

    private func refuse(_ order: Order) -> ControlAnswer {
        var listener: UInt32?
        if case .listener(let number) = order.selection { listener = number }
        let count = order.count ?? 1
        let faults = order.proxy.server.manual.refuseNext(count, listener: listener)
        return run.outcome("refuse", ["count": .number(count)], [], faults, on: order.proxy)
    }

    private func outage(_ order: Order) throws(Problem) -> ControlAnswer {
        do throws(ProxyError) {
            try order.proxy.server.manual.beginOutage(
                for: order.duration,
                takesSecondPath: order.paths == .all
            )
        } catch {
            throw Problem(503, "internal", error.description)
        }
        let length = order.duration.map { Quantity.text($0) }
        return run.outcome(
            "outage",
            [
                "for": length.map { .string($0) },
                "paths": order.paths.map { .string($0.rawValue) },
            ],
            [],
            on: order.proxy
        )
    }

    /// The numbers change at once: nothing meets them before the silence is over.
    private func handOver(_ order: Order) throws(Problem) -> ControlAnswer {
        let silence = order.duration ?? Self.usualHandover
        if let profile = order.profile { try proxies.switchProfile(of: order.proxy, to: profile) }
        let places: [ManualPlace]
        do throws(ProxyError) {
            places = try order.proxy.server.manual.handOver(for: silence)
        } catch {
            throw Problem(503, "internal", error.description)
        }
        return outcome(
            order,
            [
                "for": .string(Quantity.text(silence)),
                "profile": order.profile.map { .string($0) },
            ],
            places
        )
    }

    /// Between that of one within a mobile network and that of one to another network.
    private static let usualHandover = Duration.milliseconds(500)

    private func restore(_ proxy: SteeredProxy) throws(Problem) -> ControlAnswer {
        do throws(ProxyError) {
            _ = try proxy.server.manual.endOutage()
        } catch {
            throw Problem(503, "internal", error.description)
        }
        return run.outcome("restore", [:], [], on: proxy)
    }

    private func reset(_ proxy: SteeredProxy) throws(Problem) -> ControlAnswer {
        do throws(ProxyError) {
            return run.outcome("reset", [:], try proxy.server.manual.reset(), on: proxy)
        } catch {
            throw Problem(503, "internal", error.description)
        }
    }

    // MARK: Reading

    private func order(_ request: ControlRequest) throws(Problem) -> Order {
        var body = try RequestObject(try request.json())
        let choice = body.choice("action", Action.self)
        let action = body.require("action", choice, "what to do, as \"cut\"")
        let proxy = body.text("proxy")
        let connection = body.text("connection")
        let listener = body.number("listener", in: UInt32(1)...UInt32.max)
        let kind = body.choice("kind", ManualCut.self)
        let duration = readDuration(&body)
        let count = body.number("count", in: UInt32(1)...ScheduleLimits.refusals)
        let text = body.text("text")
        let profile = body.text("profile")
        let paths = body.choice("paths", OutagePaths.self)
        let selection = selection(connection, listener, &body)
        if let text, text.utf8.count > 1_000 { body.note("text", "longer than 1000 bytes") }
        if let action { Self.check(action, &body) }
        let chosen = try owner(of: selection, named: proxy, &body)
        try body.finish()
        guard let action else { throw .invalid("/action", "is missing") }
        if case .connection(let id) = selection, chosen.server.row(id) == nil {
            var problem = ConnectionsResource.notOpen(id)
            problem.mistakes = [
                .init("/connection", "is not open; GET /v1/connections lists those")
            ]
            throw problem
        }
        return Order(
            action: action,
            proxy: chosen,
            selection: selection,
            kind: kind,
            duration: duration,
            count: count,
            text: text,
            profile: profile,
            paths: paths
        )
    }

    private func selection(
        _ connection: String?,
        _ listener: UInt32?,
        _ body: inout RequestObject
    ) -> ConnectionSelection {
        if let listener, run.fleet.proxy(at: listener) == nil {
            body.note("listener", "there is no listener \(listener); GET /v1/proxies lists them")
        }
        guard let connection else { return listener.map { .listener($0) } ?? .all }
        if let id = ConnectionName.parse(connection) { return .connection(id) }
        body.note("connection", "expected a name like c3, or l2c3")
        return .all
    }

    /// The proxy that is named, or whose the connection or listener is; else the run's own.
    private func owner(
        of selection: ConnectionSelection,
        named name: String?,
        _ body: inout RequestObject
    ) throws(Problem) -> SteeredProxy {
        let owner: SteeredProxy?
        switch selection {
        case .all: owner = nil
        case .listener(let listener): owner = run.fleet.proxy(at: listener)
        case .connection(let id): owner = run.fleet.proxy(of: id)
        }
        guard let name else { return owner ?? run.fleet.own }
        let proxy = try run.proxy(named: name, at: "/proxy")
        if let owner, owner !== proxy { body.note("proxy", "this is of proxy '\(owner.name)'") }
        return proxy
    }

    private func readDuration(_ body: inout RequestObject) -> Duration? {
        let duration = body.parsed("for") { text throws(QuantityError) in
            try Quantity.duration(text)
        }
        guard let duration else { return nil }
        guard duration > .zero, duration <= .seconds(86_400) else {
            body.note("for", "expected a time from 1ns to 24h")
            return nil
        }
        return duration
    }

    /// Refuses what an action cannot do anything with.
    private static func check(_ action: Action, _ body: inout RequestObject) {
        let used: [String] =
            switch action {
            case .cut: ["connection", "listener", "kind"]
            case .pause, .resume: ["connection", "listener"]
            case .stall: ["connection", "listener", "for"]
            case .refuse: ["listener", "count"]
            case .outage: ["for", "paths"]
            case .handover: ["for", "profile"]
            case .mark: ["text"]
            case .restore, .reset: []
            }
        for key in ["connection", "listener", "kind", "for", "count", "text", "profile", "paths"]
        where body.has(key) && !used.contains(key) {
            body.note(key, "'\(action.rawValue)' has no use for this")
        }
        if body.has("connection"), body.has("listener") {
            body.note("listener", "give a connection or a listener, not both")
        }
    }
}
