package import Journal

/// What is counted from records, for metrics.
package struct MetricsCounters: Sendable {
    /// Faults that acted, by the word of their effect; what is done by hand is a change.
    package private(set) var fired: [String: UInt64] = [:]
    package private(set) var unreached: UInt64 = 0
    /// Troubles of the program itself, by kind.
    package private(set) var troubles: [String: UInt64] = [:]
    package private(set) var changes: UInt64 = 0

    package init() {}

    package mutating func take(_ record: JournalRecord) {
        switch record {
        case .fault(let report):
            if case .unreached = report.state {
                unreached += 1
            } else if !report.isByHand {
                let effect = String(report.effect.prefix { $0 != "(" })
                fired[effect, default: 0] += 1
            }
        case .trouble(let kind, _): troubles[kind.rawValue, default: 0] += 1
        case .change: changes += 1
        default: break
        }
    }
}
