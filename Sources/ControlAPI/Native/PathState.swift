package import Basics
package import Journal
package import LinkProfile
internal import Proxy

/// What the path is like, as an operating system would tell: shaped like Apple's `NWPath`.
package struct PathState: Hashable, Sendable {
    package typealias Interface = PathAttributes.Interface

    package var isSatisfied = true
    package var isConstrained = false
    package var isExpensive = false
    package var interface = Interface.other
    /// Whether the device is connected to power.
    package var hasPower = true
    /// Connections are still on a second path, though the first one is back.
    package var hasBetter = false
    /// Grows with each change.
    package var sequence: UInt64 = 0

    package init() {}

    package var json: JSONObject {
        [
            "status": .string(isSatisfied ? "satisfied" : "unsatisfied"),
            "isConstrained": .bool(isConstrained), "isExpensive": .bool(isExpensive),
            "interface": .string(interface.rawValue), "power": .bool(hasPower),
            "betterPath": hasBetter ? .bool(true) : nil, "seq": .number(sequence),
        ]
    }

    /// As in `cellular, expensive, without power`.
    var words: String {
        let report = PathReport(
            interface: interface.rawValue,
            isExpensive: isExpensive,
            isConstrained: isConstrained,
            isSatisfied: isSatisfied
        )
        return report.words + (hasPower ? "" : ", without power")
    }

    /// What profiles and links say.
    init(_ condition: PathCondition) {
        isSatisfied = !condition.isOut
        isConstrained = condition.attributes.isConstrained
        isExpensive = condition.attributes.isExpensive
        interface = condition.attributes.interface
        hasBetter = condition.hasBetter
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

    /// Lays this over what a profile says, for the journal.
    package func apply(to report: inout PathReport) {
        if let isSatisfied { report.isSatisfied = isSatisfied }
        if let isConstrained { report.isConstrained = isConstrained }
        if let isExpensive { report.isExpensive = isExpensive }
        if let interface { report.interface = interface.rawValue }
    }
}
