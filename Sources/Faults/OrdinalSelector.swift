package import Basics

/// Which ones of things that are counted from 1, such as the connections of a listener.
package struct OrdinalSelector: Hashable, Sendable {
    package enum Ordinals: Hashable, Sendable {
        case one(UInt32)
        /// `first`, `first + period`, `first + 2 · period` and so on; 1 ≤ first ≤ period.
        case periodic(first: UInt32, period: UInt32)
        /// All from the first to the last one, which is larger.
        case range(ClosedRange<UInt32>)
    }

    package var ordinals: Ordinals
    /// Drawn anew for each one that `ordinals` names; nil means always.
    package var chance: Probability?

    package init(_ ordinals: Ordinals, chance: Probability? = nil) {
        self.ordinals = ordinals
        self.chance = chance
    }

    /// Every one.
    package static let every = OrdinalSelector(.periodic(first: 1, period: 1))

    package static func one(_ ordinal: UInt32) -> OrdinalSelector { OrdinalSelector(.one(ordinal)) }

    /// Whether `ordinals` names this one; the chance is not considered.
    ///
    /// - Parameters:
    ///   - ordinal: from 1.
    ///   - times: how often the fault acts; nil for the default.
    /// - Returns: true if it is one of them.
    package func names(_ ordinal: UInt32, times: FaultTimes? = nil) -> Bool {
        switch ordinals {
        case .one(let first):
            guard ordinal >= first else { return false }
            switch times ?? .count(1) {
            case .all: return true
            case .count(let count): return ordinal - first < count
            }
        case .periodic(let first, let period):
            guard ordinal >= first, (ordinal - first).isMultiple(of: period) else { return false }
            switch times ?? .all {
            case .all: return true
            case .count(let count): return (ordinal - first) / period < count
            }
        case .range(let range):
            guard range.contains(ordinal) else { return false }
            switch times ?? .all {
            case .all: return true
            case .count(let count): return ordinal - range.lowerBound < count
            }
        }
    }

    /// The first one that is named.
    var first: UInt32 {
        switch ordinals {
        case .one(let first), .periodic(let first, _): first
        case .range(let range): range.lowerBound
        }
    }

    /// The last one that is named; nil if there is none.
    func last(times: FaultTimes?) -> UInt32? {
        switch ordinals {
        case .one(let first):
            guard case .count(let count) = times ?? .count(1) else { return nil }
            return first.addingClamped(count - min(1, count), times: 1)
        case .periodic(let first, let period):
            guard case .count(let count) = times ?? .all else { return nil }
            return first.addingClamped(count - min(1, count), times: period)
        case .range(let range):
            guard case .count(let count) = times ?? .all else { return range.upperBound }
            return min(
                range.upperBound,
                range.lowerBound.addingClamped(count - min(1, count), times: 1)
            )
        }
    }

    /// `3`, `1..3`, `*`, `*/3`, `2/5` or one of these with a chance, as in `*?10%`.
    package var canonicalText: String {
        let suffix = chance.map { "?" + Quantity.text($0) } ?? ""
        return switch ordinals {
        case .one(let ordinal): "\(ordinal)\(suffix)"
        case .range(let range): "\(range.lowerBound)..\(range.upperBound)\(suffix)"
        case .periodic(_, period: 1): "*\(suffix)"
        case .periodic(let first, let period) where first == period: "*/\(period)\(suffix)"
        case .periodic(let first, let period): "\(first)/\(period)\(suffix)"
        }
    }

    /// Sorts by the first one named, then by how many.
    var order: [UInt64] {
        let place: [UInt64] =
            switch ordinals {
            case .one(let ordinal): [UInt64(ordinal), 0]
            case .periodic(let first, let period): [UInt64(first), UInt64(period)]
            case .range(let range): [UInt64(range.lowerBound), 1, UInt64(range.upperBound)]
            }
        return place + [chance.map { $0.threshold + 1 } ?? 0]
    }
}

/// How often a fault acts.
///
/// With an address that names one thing: on it and on those that follow it, as many in all; 1
/// unless it is said. With one that names several: on the first so many of them; on all unless it
/// is said.
package enum FaultTimes: Hashable, Sendable {
    case count(UInt32)
    case all

    var canonicalText: String {
        switch self {
        case .all: "all"
        case .count(let count): "\(count)"
        }
    }
}

extension UInt32 {
    /// `self + count · period`, or the largest number.
    fileprivate func addingClamped(_ count: UInt32, times period: UInt32) -> UInt32 {
        UInt32(clamping: UInt64(self) + UInt64(count) * UInt64(period))
    }
}
