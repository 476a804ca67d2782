internal import LinkEngine

/// What was asked for by hand and lasts: a pause, an outage, refusals.
struct LiveConditions {
    /// Whether connections that open now are held back from their first byte.
    var isPaused = false
    /// When the outage ends, on the loop's clock; nil without one.
    private(set) var outageEndNanoseconds: UInt64?
    /// Tells one pause of a connection from another.
    var pauseCount = 0
    /// Tells one outage from another.
    private(set) var outageCount = 0
    /// By route: the next connections that are refused, and by which fault.
    private var refusals: [Int: (left: UInt32, fault: String)] = [:]

    /// An outage without an end that is known lasts longer than anybody waits.
    static let endlessNanoseconds: UInt64 = 1_000_000_000 * 86_400 * 365

    var isInOutage: Bool { outageEndNanoseconds != nil }

    mutating func beginOutage(untilNanoseconds end: UInt64) {
        outageEndNanoseconds = end
        outageCount += 1
    }

    /// Ends the outage; false if there is none.
    mutating func endOutage() -> Bool {
        defer { outageEndNanoseconds = nil }
        return outageEndNanoseconds != nil
    }

    /// Lets nothing over a link whose time begins now, until the outage ends.
    ///
    /// The link's own outages begin anew after that.
    func applyOutage(to settings: inout LinkSettings, nowNanoseconds now: UInt64) {
        guard let end = outageEndNanoseconds, end > now else { return }
        let length = LinkEngine.Duration(nanoseconds: Int64(end - now))
        let schedule = Outages.Schedule.windows([.init(at: .zero, length: length)], period: nil)
        settings.down.outages.schedule = schedule
        settings.up.outages.schedule = schedule
    }

    mutating func refuse(_ count: UInt32, by fault: String, on route: Int) {
        refusals[route] = (count, fault)
    }

    /// The fault that refuses the connection that comes now, if one does.
    mutating func takeRefusal(_ route: Int) -> String? {
        guard let (left, fault) = refusals[route] else { return nil }
        refusals[route] = left > 1 ? (left - 1, fault) : nil
        return fault
    }

    mutating func forgetRefusals() { refusals.removeAll() }
}
