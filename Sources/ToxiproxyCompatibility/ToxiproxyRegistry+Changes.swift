internal import Proxy
internal import SystemIO

// How a proxy changes: a plan, then what can fail, then the rest.
extension ToxiproxyRegistry {
    /// Changes a proxy; after a failure it is as before.
    package func update(
        _ proxy: NamedProxy,
        _ fields: ProxyFields,
        _ addresses: ListenAddresses
    ) throws(ToxiproxyError) {
        let plan = try plan(
            proxy,
            listen: fields.listen,
            upstream: fields.upstream,
            isEnabled: fields.isEnabled ?? proxy.isEnabled,
            addresses
        )
        var undo: [() -> Void] = []
        let bound: BoundListener?
        do throws(ToxiproxyError) {
            bound = try plan.place.map { place throws(ToxiproxyError) in
                try bind(place, replacing: proxy, &undo)
            }
        } catch {
            undoAll(undo)
            throw error
        }
        try carryOut(plan, bound)
    }

    /// What must change so that a proxy is as asked for.
    struct Plan {
        let proxy: NamedProxy
        /// Where to listen anew; nil if nothing changes there.
        var place: ListenPlace?
        /// What to show while it does not listen; nil for no change.
        var listenText: String?
        var upstream: String?
        var isEnabled: Bool

        /// Whether open connections belong to what it was.
        var isOther: Bool { listenText != nil || upstream != nil }
    }

    func plan(
        _ proxy: NamedProxy,
        listen: String?,
        upstream: String?,
        isEnabled: Bool,
        _ addresses: ListenAddresses
    ) throws(ToxiproxyError) -> Plan {
        var plan = Plan(proxy: proxy, isEnabled: isEnabled)
        if let listen {
            let place = try addresses.place(of: listen)
            if place.port == 0 || place.description != proxy.listenText {
                plan.listenText = listen
                if isEnabled { plan.place = place }
            }
        }
        if let upstream, upstream != proxy.upstreamText { plan.upstream = upstream }
        if isEnabled, !proxy.isEnabled, plan.place == nil {
            plan.place = try place(of: proxy, addresses)
        }
        return plan
    }

    /// Where a proxy listened last, or is to listen first.
    func place(
        of proxy: NamedProxy,
        _ addresses: ListenAddresses
    ) throws(ToxiproxyError) -> ListenPlace {
        if let place = proxy.place { return place }
        return try addresses.place(of: proxy.listenText)
    }

    /// Does what a plan says; nothing of it can fail but for want of descriptors.
    func carryOut(_ plan: Plan, _ bound: BoundListener?) throws(ToxiproxyError) {
        let proxy = plan.proxy
        let wasEnabled = proxy.isEnabled
        if let bound { try start(proxy, on: bound) }
        if !plan.isEnabled, wasEnabled { proxy.disable() }
        if let upstream = plan.upstream {
            proxy.setUpstream(upstream)
        } else if plan.isOther {
            proxy.server.finishConnections()
        }
        if let text = plan.listenText, bound == nil { proxy.moved(to: text) }
        if plan.isOther || wasEnabled != proxy.isEnabled {
            let state = proxy.isEnabled ? "enabled" : "disabled"
            log(proxy, "\(state), \(proxy.listenText) to \(proxy.upstreamText)")
        }
    }

    func start(_ proxy: NamedProxy, on bound: BoundListener) throws(ToxiproxyError) {
        do throws(SystemError) {
            try proxy.listen(on: bound)
        } catch {
            throw ToxiproxyError(500, "listen tcp \(bound.address): \(error)")
        }
    }

    func bind(_ place: ListenPlace) throws(ToxiproxyError) -> BoundListener {
        do throws(SystemError) {
            return try BoundListener.bind(at: place)
        } catch {
            throw ToxiproxyError(500, "listen tcp \(place): bind: \(error)")
        }
    }

    /// Binds an address that a proxy's own listener may be in the way of.
    func bind(
        _ place: ListenPlace,
        replacing proxy: NamedProxy,
        _ undo: inout [() -> Void]
    ) throws(ToxiproxyError) -> BoundListener {
        if proxy.isEnabled, place.port != 0, place.port == proxy.place?.port {
            proxy.server.suspendListening()
            undo.append { try? proxy.server.resumeListening() }
        }
        let bound = try bind(place)
        undo.append { bound.close() }
        return bound
    }

    /// What was done last is undone first.
    func undoAll(_ undo: [() -> Void]) {
        for step in undo.reversed() { step() }
    }
}
