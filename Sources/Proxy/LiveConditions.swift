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
    /// How many of the next connections are refused, by route.
    private var refusals: [Int: UInt32] = [:]

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

    mutating func refuse(_ count: UInt32, on route: Int) { refusals[route] = count }

    /// Whether the connection that comes now is refused.
    mutating func takeRefusal(_ route: Int) -> Bool {
        guard let left = refusals[route] else { return false }
        refusals[route] = left > 1 ? left - 1 : nil
        return true
    }

    mutating func forgetRefusals() { refusals.removeAll() }
}
