/// The properties of the network path, as a system would report them.
package struct PathStatus: Hashable, Sendable {
    package enum Interface: String, Hashable, Sendable, CaseIterable {
        case wifi, cellular, wired, other
    }

    /// Whether there is a path at all.
    package var isSatisfied: Bool
    /// The user asked to save data (Low Data Mode).
    package var isConstrained: Bool
    /// Data costs money, as on a cellular network or a hotspot.
    package var isExpensive: Bool
    /// For reports; decisions go by properties.
    package var interface: Interface
    /// The device is connected to power.
    package var hasPower: Bool
    /// Connections are still on another path, though a better one is there.
    package var hasBetterPath: Bool
    /// Grows with each change; an older status than the last one is passed over.
    package var sequence: UInt64
    /// Whether this transfer has its turn among the discretionary ones, as its driver says; no source
    /// of statuses knows.
    package var hasTurn = true

    package init(
        isSatisfied: Bool = true,
        isConstrained: Bool = false,
        isExpensive: Bool = false,
        interface: Interface = .other,
        hasPower: Bool = true,
        hasBetterPath: Bool = false,
        sequence: UInt64 = 0
    ) {
        self.isSatisfied = isSatisfied
        self.isConstrained = isConstrained
        self.isExpensive = isExpensive
        self.interface = interface
        self.hasPower = hasPower
        self.hasBetterPath = hasBetterPath
        self.sequence = sequence
    }
}

/// What a transfer waits for; the raw values appear in `waiting` events.
package enum PathWait: String, Hashable, Sendable, CaseIterable {
    /// There is no path.
    case unsatisfied
    /// The path saves data and the transfer must not use such a path.
    case constrained
    /// The path costs money and the transfer must not use such a path.
    case expensive
    /// The transfer is discretionary and conditions are not good: the path is constrained or
    /// expensive, or the device is not connected to power.
    case discretionary
    /// Other discretionary transfers go first.
    case turn
    /// The transfer must not begin yet.
    case earliestBegin = "earliest-begin"
}
