internal import Origin
internal import SystemIO

/// Tells requests that came to an embedded origin through its proxy from those that did not.
struct OriginWatch {
    private var own: Set<String> = []
    private var foreign = 0
    private var first = ""
    /// Whether requests count; those of oracles do not.
    var isWatching = true

    /// The proxy has connected to the origin from this address.
    mutating func add(_ address: SocketAddress) { own.insert(address.description) }

    mutating func note(_ record: AccessRecord) {
        guard isWatching, !own.contains(record.peer), !Self.isControl(record.target) else { return }
        foreign += 1
        if first.isEmpty { first = "\(record.method) \(record.target)" }
    }

    /// Whether a request is for the origin's own resources, which clients may ask directly.
    private static func isControl(_ target: String) -> Bool { target.hasPrefix("/.linkcond/") }

    var escapes: [Escape] {
        foreign > 0 ? [.foreignRequests(count: foreign, first: first)] : []
    }
}
