/// The schedule of a run, with what was done by hand while it went on.
///
/// A record `start` cannot know it. So the schedule that repeats a run is the one of its `start`, the
/// faults that `change` records add and take back, and every fault that acted by hand.
package struct SteeredSchedule: Hashable, Sendable {
    private static let separator = UInt8(ascii: ";")

    /// The schedule at the start of the run; nil before its record.
    package internal(set) var start: String?
    /// What acts beside it, or has acted by hand.
    package private(set) var added: [String] = []
    private var removed: [String] = []

    package init() {}

    /// How many faults differ from the schedule of the start.
    package var changeCount: Int { added.count + removed.count }

    /// Takes the next record of the run.
    package mutating func take(_ record: JournalRecord) {
        switch record {
        case .start(let start): self.start = start.schedule
        case .change(let change):
            for fault in change.adds { add(fault) }
            for fault in change.removes { remove(fault) }
        case .fault(let fault) where fault.isByHand: add(Self.text(of: fault.id))
        default: break
        }
    }

    /// What was done, without the number that tells it from what is equal.
    private static func text(of id: String) -> String {
        let digits = id.utf8.reversed().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let rest = id.utf8.dropLast(digits.count)
        guard !digits.isEmpty, rest.last == UInt8(ascii: "#") else { return id }
        return String(Substring(rest.dropLast()))
    }

    /// The schedule that repeats the run; nil without a start.
    ///
    /// Seed and digest stand in front as they were, then the faults by their bytes: a schedule means
    /// the same in any order of its faults.
    package var text: String? {
        guard let start else { return nil }
        var items = start.utf8.split(separator: Self.separator).map { String(Substring($0)) }
        for fault in removed {
            if let place = items.firstIndex(of: fault) { items.remove(at: place) }
        }
        items += added
        let heads = items.filter(Self.isHead)
        let faults = items.filter { !Self.isHead($0) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return (heads + faults).joined(separator: ";")
    }

    /// Whether this is the version, the seed or the base, not a fault.
    private static func isHead(_ item: String) -> Bool {
        item == "lc1" || ["seed=", "base="].contains { item.utf8.starts(with: $0.utf8) }
    }

    private mutating func add(_ fault: String) {
        if let place = removed.firstIndex(of: fault) {
            removed.remove(at: place)
        } else {
            added.append(fault)
        }
    }

    private mutating func remove(_ fault: String) {
        if let place = added.lastIndex(of: fault) {
            added.remove(at: place)
        } else {
            removed.append(fault)
        }
    }
}
