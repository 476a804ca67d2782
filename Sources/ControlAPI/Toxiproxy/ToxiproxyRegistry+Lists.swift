internal import Proxy

// Several proxies at once, as `/populate` and a configuration file ask for.
extension ToxiproxyRegistry {
    /// Makes or replaces proxies so that these are there; all or none.
    ///
    /// One that listens and connects as asked for keeps its toxics, unless the list has others, and
    /// its connections.
    package func populate(
        _ list: inout [ProxyFields],
        _ addresses: ListenAddresses
    ) throws(ToxiproxyError) -> [NamedProxy] {
        try check(list)
        var undo: [() -> Void] = []
        var steps: [() throws(ToxiproxyError) -> NamedProxy] = []
        do throws(ToxiproxyError) {
            for index in list.indices { steps.append(try prepare(&list[index], addresses, &undo)) }
        } catch {
            undoAll(undo)
            throw error
        }
        var made: [NamedProxy] = []
        for step in steps { made.append(try step()) }
        return made
    }

    func check(_ list: [ProxyFields]) throws(ToxiproxyError) {
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

    /// Does everything that can fail, and says how to do the rest.
    func prepare(
        _ fields: inout ProxyFields,
        _ addresses: ListenAddresses,
        _ undo: inout [() -> Void]
    ) throws(ToxiproxyError) -> () throws(ToxiproxyError) -> NamedProxy {
        let name = fields.name ?? ""
        let upstream = fields.upstream ?? ""
        let listen = fields.listen ?? ""
        let isEnabled = fields.isEnabled ?? true
        let givesToxics = fields.toxics != nil
        let toxics = try makeToxics(&fields)
        guard let proxy = proxies[name] else {
            let bound: BoundListener? =
                isEnabled ? try bind(addresses.address(of: listen)) : nil
            if let bound { undo.append { bound.close() } }
            let proxy = try makeProxy(name, listen: listen, upstream: upstream)
            undo.append { [weak self] in self?.retire(proxy) }
            return { () throws(ToxiproxyError) in
                proxy.set(toxics)
                if let bound { try self.start(proxy, on: bound) }
                self.proxies[name] = proxy
                return proxy
            }
        }
        let plan = try plan(
            proxy,
            listen: listen,
            upstream: upstream,
            isEnabled: isEnabled,
            addresses
        )
        let bound = try plan.address.map { address throws(ToxiproxyError) in
            try bind(address, replacing: proxy, &undo)
        }
        return { () throws(ToxiproxyError) in
            if plan.isOther { proxy.set([]) }
            if plan.isOther || givesToxics { proxy.set(toxics) }
            try self.carryOut(plan, bound)
            return proxy
        }
    }
}
