/// Whether the link carries anything now.
package struct LinkOutage: Hashable, Sendable {
    /// A direction carries nothing.
    package var isPresent: Bool
    /// When to look again, on the loop's clock; nil if nothing will change.
    package var changesAtNanoseconds: UInt64?

    static let none = LinkOutage(isPresent: false)
}

extension ProxyServer {
    /// What the link's outages say of this moment, for whoever reports the path's status.
    package var outage: LinkOutage { link?.outage ?? .none }
}
