package import Basics

/// Counts delivered bytes against a budget that all connections and both directions share.
///
/// Ask `allowance` before bytes pass, tell `add` after; so both limits are met to the byte.
package struct DataBudgetMeter: Sendable {
    /// A limit that was just reached.
    package enum Crossing: Hashable, Sendable { case soft, hard }

    /// Bytes delivered so far.
    package private(set) var used: UInt64
    private let soft: (bytes: UInt64, rate: BitRate)?
    private let hardBytes: UInt64?
    private var reported: Set<Crossing> = []

    /// - Parameters:
    ///   - used: bytes delivered before; what limits they reach is said by the next `add`.
    ///   - soft: beyond so many bytes everything flows at the rate; nil for never.
    ///   - hardBytes: beyond so many bytes nothing passes; nil for no end.
    package init(used: UInt64 = 0, soft: (bytes: UInt64, rate: BitRate)?, hardBytes: UInt64?) {
        self.used = used
        self.soft = soft
        self.hardBytes = hardBytes
    }

    /// How many bytes may pass before the next limit is reached; nil for no limit, 0 for nothing.
    package var allowance: UInt64? {
        if let soft, used < soft.bytes { return min(soft.bytes, hardBytes ?? .max) - used }
        return hardBytes.map { $0 > used ? $0 - used : 0 }
    }

    /// Counts delivered bytes; says which limits they reached, each once, the soft one first.
    ///
    /// Limits of 0 are reached by the first call, also with a count of 0.
    package mutating func add(_ count: UInt64) -> [Crossing] {
        let (sum, overflow) = used.addingReportingOverflow(count)
        used = overflow ? .max : sum
        var crossings: [Crossing] = []
        if reducedRate != nil, reported.insert(.soft).inserted { crossings.append(.soft) }
        if isExhausted, reported.insert(.hard).inserted { crossings.append(.hard) }
        return crossings
    }

    /// The rate for everything from now on; nil while the budget changes nothing.
    package var reducedRate: BitRate? {
        guard let soft, used >= soft.bytes else { return nil }
        return soft.rate
    }

    /// Whether that many bytes fit below the hard limit.
    package func fits(_ count: UInt64) -> Bool { hardBytes.map { used + count <= $0 } ?? true }

    /// Whether the hard limit is reached: nothing passes any more.
    package var isExhausted: Bool { hardBytes.map { used >= $0 } ?? false }
}
