// Toxics of proxies.
extension ToxiproxyRegistry {
    package func addToxic(
        _ fields: inout ToxicFields,
        to proxy: NamedProxy
    ) throws(ToxiproxyError) -> RegisteredToxic {
        toxicSerial += 1
        let toxic = try RegisteredToxic(&fields, serial: toxicSerial) { proxy.toxic($0) != nil }
        proxy.set(proxy.toxics + [toxic])
        log(proxy, "toxic \(toxic.name) added")
        return toxic
    }

    package func updateToxic(
        _ name: String,
        _ fields: inout ToxicFields,
        of proxy: NamedProxy
    ) throws(ToxiproxyError) -> RegisteredToxic {
        guard let toxic = proxy.toxic(name) else { throw .toxicNotFound }
        let new = try toxic.updated(&fields)
        proxy.set(proxy.toxics.map { $0.serial == new.serial ? new : $0 })
        log(proxy, "toxic \(name) changed")
        return new
    }

    package func removeToxic(_ name: String, of proxy: NamedProxy) throws(ToxiproxyError) {
        guard let toxic = proxy.toxic(name) else { throw .toxicNotFound }
        proxy.set(proxy.toxics.filter { $0.serial != toxic.serial })
        log(proxy, "toxic \(name) removed")
    }

    func makeToxics(
        _ fields: inout ProxyFields
    ) throws(ToxiproxyError) -> [RegisteredToxic] {
        var made: [RegisteredToxic] = []
        guard var list = fields.toxics else { return [] }
        for index in list.indices {
            toxicSerial += 1
            let taken = Set(made.map(\.name))
            made.append(
                try RegisteredToxic(&list[index], serial: toxicSerial) { taken.contains($0) }
            )
        }
        fields.toxics = list
        return made
    }
}
