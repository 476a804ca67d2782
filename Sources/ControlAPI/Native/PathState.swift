package import Basics
package import LinkProfile
internal import Proxy

/// What the path is like, as an operating system would tell: shaped like Apple's `NWPath`.
package struct PathState: Hashable, Sendable {
    package enum Interface: String, Hashable, Sendable, CaseIterable {
        case wifi, cellular, wired, other
    }

    package var isSatisfied = true
    package var isConstrained = false
    package var isExpensive = false
    package var interface = Interface.other
    /// Whether the device is connected to power.
    package var hasPower = true
    /// Grows with each change.
    package var sequence: UInt64 = 0

    package init() {}

    package var json: JSONObject {
        [
            "status": .string(isSatisfied ? "satisfied" : "unsatisfied"),
            "isConstrained": .bool(isConstrained), "isExpensive": .bool(isExpensive),
            "interface": .string(interface.rawValue), "power": .bool(hasPower),
            "seq": .number(sequence),
        ]
    }

    /// What a profile says, on a link that carries something or not.
    init(_ path: PathAttributes, isOut: Bool) {
        isSatisfied = !isOut
        isConstrained = path.isConstrained
        isExpensive = path.isExpensive
        interface =
            switch path.interface {
            case .wifi: .wifi
            case .cellular: .cellular
            case .wired: .wired
            case .other: .other
            }
    }
}

/// What was put in place of what profile and link say; nil for what was not.
package struct PathOverride: Hashable, Sendable {
    package var isSatisfied: Bool?
    package var isConstrained: Bool?
    package var isExpensive: Bool?
    package var interface: PathState.Interface?
    package var hasPower: Bool?

    package init() {}

    /// Lays this over a state.
    package func apply(to state: inout PathState) {
        if let isSatisfied { state.isSatisfied = isSatisfied }
        if let isConstrained { state.isConstrained = isConstrained }
        if let isExpensive { state.isExpensive = isExpensive }
        if let interface { state.interface = interface }
        if let hasPower { state.hasPower = hasPower }
    }

    /// Lays this over the attributes that a profile says.
    package func apply(to attributes: inout PathAttributes) {
        if let isConstrained { attributes.isConstrained = isConstrained }
        if let isExpensive { attributes.isExpensive = isExpensive }
        switch interface {
        case .wifi: attributes.interface = .wifi
        case .cellular: attributes.interface = .cellular
        case .wired: attributes.interface = .wired
        case .other: attributes.interface = .other
        case nil: break
        }
    }
}
