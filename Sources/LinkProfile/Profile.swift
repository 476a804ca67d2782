package import Basics
package import Faults
package import LinkEngine

/// A network to imitate: checked settings with everything resolved.
///
/// Made by `ProfileLibrary`. Nothing downstream looks at YAML again.
package struct Profile: Hashable, Sendable {
    /// What the user types.
    package var name: String
    /// One line on what it is like.
    package var summary = ""
    /// What the file says it is; nil if it says nothing.
    package var statedKind: Kind?
    /// Where its numbers come from.
    package var source = ""
    /// Whether the numbers were seen at their source, not at second hand.
    package var isConfirmed = false
    package var link = LinkSettings()
    package var path = PathAttributes()
    /// The bytes that a link allows before policy steps in.
    package var budget: DataBudget?
    /// Faults of every run under this profile, in the order in which they were written.
    package var faults: [Fault] = []
    /// Charged once before a connection opens, as a slow name server would.
    package var nameLookupDelay = Duration.zero
    /// What was to choose and what was chosen, in the order of declaration, parents first.
    package var parameters: [ParameterValue] = []
    /// Where the delivery opportunities of a direction come from, if it follows a trace.
    package var traces = TraceSources()
    /// The same for the paths of the link's handovers, one for each.
    package var handoverTraces: [TraceSources] = []
    /// What the path is like after each of them.
    package var handoverPaths: [PathAttributes] = []

    package init(name: String) { self.name = name }

    /// What it imitates, for lists.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case none, cellular, wifi, satellite, wired, internet, broken, policy, interop, other

        /// For people, as the head of a group.
        package var title: String {
            switch self {
            case .none: "No impairment"
            case .cellular: "Cellular"
            case .wifi: "Wi-Fi"
            case .satellite: "Satellite"
            case .wired: "Wired"
            case .internet: "Internet paths"
            case .broken: "Broken"
            case .policy: "Data policy"
            case .interop: "QUIC interoperability tests"
            case .other: "Other"
            }
        }
    }

    /// As the file says, or as follows from the interface.
    package var kind: Kind {
        if let statedKind { return statedKind }
        switch path.interface {
        case .wifi: return .wifi
        case .cellular: return .cellular
        case .wired: return .wired
        case .other: return .other
        }
    }
}

/// What an operating system says about a path, shaped like Apple's `NWPath`.
///
/// Not link physics.
package struct PathAttributes: Hashable, Sendable {
    package enum Interface: String, Hashable, Sendable, CaseIterable {
        case wifi, cellular, wired, other
    }

    package var interface = Interface.other
    /// Use costs money, as on most cellular links.
    package var isExpensive = false
    /// The user asked for little traffic (Low Data Mode).
    package var isConstrained = false
    /// How long the path takes to come up once the first connection asks for it; nil if it is there from
    /// the start.
    package var onDemand: Duration?

    package init() {}
}

/// A limit on payload bytes, both directions of all connections added up.
package struct DataBudget: Hashable, Sendable {
    /// What happens once the hard limit is reached.
    package enum AtHardLimit: Hashable, Sendable {
        /// Open connections are reset and new ones refused.
        case refuse
        /// Connections stay open and nothing more passes.
        case stall
    }

    /// After so many bytes the link slows down to `rateAfterSoftLimit`.
    package var softLimitBytes: UInt64?
    /// Rate of each direction beyond the soft limit.
    ///
    /// Set if and only if there is a soft limit.
    package var rateAfterSoftLimit: BitRate?
    /// No byte beyond this one passes.
    ///
    /// At least the soft limit.
    package var hardLimitBytes: UInt64?
    package var atHardLimit = AtHardLimit.refuse

    package init() {}
}

/// The origin of the delivery trace of each direction.
package struct TraceSources: Hashable, Sendable {
    package var down: TraceSource?
    package var up: TraceSource?

    package init() {}

    package subscript(direction: Direction) -> TraceSource? {
        get { direction == .down ? down : up }
        set { if direction == .down { down = newValue } else { up = newValue } }
    }
}

/// Where delivery opportunities come from.
package enum TraceSource: Hashable, Sendable {
    /// A file in mahimahi's format, its path as the profile names it.
    case file(String)
    case generated(TraceGenerator)
}

/// One parameter of a profile with the value that was used.
package struct ParameterValue: Hashable, Sendable {
    package var name: String
    /// The value in canonical form.
    package var value: String
    /// The value used when nothing is set, in canonical form.
    package var defaultValue: String
    /// The values it takes, in words: `0B ... 1TiB`, `down or up`.
    package var allowed: String
    package var help: String
}
