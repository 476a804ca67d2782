internal import FaultInjection
internal import HTTPWire
internal import Journal
internal import LinkEngine
internal import Proxy

// What is done by hand.
extension NativeAPI {
    private enum Action: String, CaseIterable {
        case cut, pause, resume, stall, refuse, outage, restore, mark, reset
    }

    /// What an action was asked with.
    private struct Order {
        var action: Action
        var selection: LiveSelection
        var kind: LiveCut?
        var duration: LinkEngine.Duration?
        var count: UInt32?
        var text: String?
    }

    /// Takes `{"action": WORD}` with what the action needs.
    func act(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let order = try order(request)
        switch order.action {
        case .cut:
            let kind = order.kind ?? .rst
            let places = server.cut(order.selection, kind)
            let detail: JSONObject = ["kind": .string(kind.rawValue)]
            return outcome("cut", detail, places)
        case .pause: return outcome("pause", [:], server.pause(order.selection))
        case .resume: return outcome("resume", [:], server.resume(order.selection))
        case .stall: return stall(order)
        case .refuse: return refuse(order)
        case .outage: return try outage(order)
        case .restore: return try restore()
        case .mark:
            return outcome("mark", ["text": .string(order.text ?? "mark")], [])
        case .reset: return try reset()
        }
    }

    private func stall(_ order: Order) -> ControlAnswer {
        let duration = order.duration ?? .seconds(5)
        let places = server.stall(order.selection, for: duration)
        return outcome("stall", ["for": .string(Quantity.text(duration))], places)
    }

    private func refuse(_ order: Order) -> ControlAnswer {
        var listener: UInt32?
        if case .listener(let number) = order.selection { listener = number }
        let count = order.count ?? 1
        let faults = server.refuseNext(count, listener: listener)
        return outcome("refuse", ["count": .number(count)], [], faults)
    }

    private func outage(_ order: Order) throws(Problem) -> ControlAnswer {
        do throws(ProxyError) {
            try server.beginOutage(for: order.duration)
        } catch {
            throw Problem(503, "internal", error.description)
        }
        let length = order.duration.map { Quantity.text($0) }
        return outcome("outage", ["for": length.map { .string($0) }], [])
    }

    private func restore() throws(Problem) -> ControlAnswer {
        do throws(ProxyError) {
            _ = try server.endOutage()
        } catch {
            throw Problem(503, "internal", error.description)
        }
        return outcome("restore", [:], [])
    }

    private func reset() throws(Problem) -> ControlAnswer {
        do throws(ProxyError) {
            return outcome("reset", [:], try server.reset())
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
        let listener = body.number("listener", in: UInt32(1)...UInt32(max(1, server.routes.count)))
        let kind = body.choice("kind", LiveCut.self)
        let duration = readDuration(&body)
        let count = body.number("count", in: UInt32(1)...ScheduleLimits.refusals)
        let text = body.text("text")
        var selection = LiveSelection.all
        if let listener { selection = .listener(listener) }
        if let connection {
            if let id = ConnectionName.parse(connection) {
                selection = .connection(id)
            } else {
                body.note("connection", "expected a name like c3, or l2c3")
            }
        }
        if let text, text.utf8.count > 1_000 { body.note("text", "longer than 1000 bytes") }
        if let action { Self.check(action, &body) }
        try body.finish()
        try checkProxy(proxy)
        guard let action else { throw .invalid("/action", "is missing") }
        return Order(
            action: action,
            selection: selection,
            kind: kind,
            duration: duration,
            count: count,
            text: text
        )
    }

    private func readDuration(_ body: inout RequestObject) -> LinkEngine.Duration? {
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
            case .outage: ["for"]
            case .mark: ["text"]
            case .restore, .reset: []
            }
        for key in ["connection", "listener", "kind", "for", "count", "text"]
        where body.has(key) && !used.contains(key) {
            body.note(key, "'\(action.rawValue)' has no use for this")
        }
        if body.has("connection"), body.has("listener") {
            body.note("listener", "give a connection or a listener, not both")
        }
    }
}
