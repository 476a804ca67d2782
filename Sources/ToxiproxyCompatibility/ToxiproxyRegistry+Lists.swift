internal import Proxy

// Several proxies at once, as `/populate` and a configuration file ask for.
extension ToxiproxyRegistry {
    /// Makes or replaces proxies so that these are there; all or none.
    ///
    /// A proxy that listens and connects as the list asks for changes only in what the list gives:
    /// without `enabled` it stays as it is, without `toxics` it keeps them, and its connections live.
    /// Ports can pass from one proxy of the list to another.
    package func populate(
        _ list: inout [ProxyFields],
        _ addresses: ListenAddresses
    ) throws(ToxiproxyError) -> [NamedProxy] {
        try check(list)
        var entries: [Entry] = []
        for index in list.indices { entries.append(try entry(&list[index], addresses)) }
        var undo: [() -> Void] = []
        do throws(ToxiproxyError) {
            releasePorts(of: entries, &undo)
            for index in entries.indices { try prepare(&entries[index], &undo) }
        } catch {
            undoAll(undo)
            throw error
        }
        var made: [NamedProxy] = []
        for entry in entries { made.append(try commit(entry)) }
        return made
    }

    /// What an entry of a list asks for.
    private struct Entry {
        let name: String
        let upstream: String
        let listen: String
        /// Nil if the list gives none.
        let toxics: [RegisteredToxic]?
        /// How a proxy of this name changes; nil if there is none.
        let plan: Plan?
        /// Where to listen anew; nil if nothing changes there.
        let place: ListenPlace?
        /// A proxy that did not exist before.
        var new: NamedProxy?
        var bound: BoundListener?
    }

    private func check(_ list: [ProxyFields]) throws(ToxiproxyError) {
        var names: Set<String> = []
        for (index, fields) in list.enumerated() {
            let place = " at proxy \(index + 1)"
            guard let name = fields.name, !name.isEmpty else {
                throw .missing("name", place: place)
            }
            guard let upstream = fields.upstream, !upstream.isEmpty else {
                throw .missing("upstream", place: place)
            }
            guard names.insert(name).inserted else {
                throw ToxiproxyError(400, "duplicate name: \(name)\(place)")
            }
        }
    }

    private func entry(
        _ fields: inout ProxyFields,
        _ addresses: ListenAddresses
    ) throws(ToxiproxyError) -> Entry {
        let name = fields.name ?? ""
        let plan = try proxies[name].map { proxy throws(ToxiproxyError) in
            try replacement(of: proxy, fields, addresses)
        }
        var place = plan?.place
        if plan == nil, fields.isEnabled ?? true {
            place = try addresses.place(of: fields.listen ?? "")
        }
        return Entry(
            name: name,
            upstream: fields.upstream ?? "",
            listen: fields.listen ?? "",
            toxics: fields.toxics == nil ? nil : try makeToxics(&fields),
            plan: plan,
            place: place
        )
    }

    /// How a proxy changes that a list names; one that becomes another is enabled unless the list
    /// gives something else.
    private func replacement(
        of proxy: NamedProxy,
        _ fields: ProxyFields,
        _ addresses: ListenAddresses
    ) throws(ToxiproxyError) -> Plan {
        func plan(isEnabled: Bool) throws(ToxiproxyError) -> Plan {
            try self.plan(
                proxy,
                listen: fields.listen,
                upstream: fields.upstream,
                isEnabled: fields.isEnabled ?? isEnabled,
                addresses
            )
        }
        let change = try plan(isEnabled: proxy.isEnabled)
        return change.isOther ? try plan(isEnabled: true) : change
    }

    /// Closes the listeners of proxies that move or stop, so that others can have their ports.
    private func releasePorts(of entries: [Entry], _ undo: inout [() -> Void]) {
        for plan in entries.compactMap(\.plan)
        where plan.proxy.isEnabled && (plan.place != nil || !plan.isEnabled) {
            plan.proxy.server.suspendListening()
            undo.append { try? plan.proxy.server.resumeListening() }
        }
    }

    /// Does everything that can fail.
    private func prepare(
        _ entry: inout Entry,
        _ undo: inout [() -> Void]
    ) throws(ToxiproxyError) {
        if let place = entry.place {
            let bound = try bind(place)
            undo.append { bound.close() }
            entry.bound = bound
        }
        guard entry.plan == nil else { return }
        let proxy = try makeProxy(entry.name, listen: entry.listen, upstream: entry.upstream)
        undo.append { [weak self] in self?.retire(proxy) }
        entry.new = proxy
    }

    private func commit(_ entry: Entry) throws(ToxiproxyError) -> NamedProxy {
        if let plan = entry.plan {
            if plan.isOther || entry.toxics != nil { plan.proxy.set(entry.toxics ?? []) }
            try carryOut(plan, entry.bound)
            return plan.proxy
        }
        guard let proxy = entry.new else { throw .proxyNotFound }
        proxy.set(entry.toxics ?? [])
        if let bound = entry.bound { try start(proxy, on: bound) }
        proxies[entry.name] = proxy
        return proxy
    }
}
