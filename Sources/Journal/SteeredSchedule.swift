/// The schedule of a run, with what was done by hand while it went on.
///
/// A record `start` cannot know it. So the schedule that repeats a run is the one of its `start`, the
/// faults that `change` records add and take back, and every fault that acted by hand.
struct SteeredSchedule: Hashable, Sendable {
    private static let separator = UInt8(ascii: ";")

    /// The schedule at the start of the run; nil before its record.
    var start: String?
    private var added: [String] = []
    private var removed: [String] = []

    /// Takes a `change` or `fault` record.
    mutating func take(_ object: JSONObject, type: String) {
        switch type {
        case "change":
            for fault in Self.texts(object["adds"]) { add(fault) }
            for fault in Self.texts(object["removes"]) { remove(fault) }
        case "fault":
            guard object["by_hand"] == .bool(true), case .string(let id) = object["id"] else {
                return
            }
            add(id)
        default: break
        }
    }

    /// Whether somebody ended a connection with this: at a byte to the client, by something else than
    /// a pause.
    static func isEnd(_ object: JSONObject, type: String) -> Bool {
        guard type == "fault", object["by_hand"] == .bool(true),
            case .string(let address) = object["address"],
            case .string(let effect) = object["effect"]
        else {
            return false
        }
        return address.utf8.starts(with: "down+".utf8)
            && !effect.utf8.starts(with: "stall(".utf8)
    }

    /// The schedule that repeats the run; nil without a start.
    ///
    /// Seed and digest stand in front as they were, then the faults by their bytes: a schedule means
    /// the same in any order of its faults.
    var text: String? {
        guard let start else { return nil }
        var items = start.utf8.split(separator: Self.separator).map { String(Substring($0)) }
        items.removeAll { removed.contains($0) }
        items += added.filter { !items.contains($0) }
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
        removed.removeAll { $0 == fault }
        if !added.contains(fault) { added.append(fault) }
    }

    private mutating func remove(_ fault: String) {
        added.removeAll { $0 == fault }
        removed.append(fault)
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        guard case .array(let values)? = value else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
