internal import Faults

/// Which of two schedules tells its story more simply.
///
/// Fewer faults; then once before again and again; then the earliest places; then the simplest
/// effects (`fin` < `rst` < `hole` < `stall` < the rest); and by their text at last, so that of two
/// schedules one is always simpler.
struct Simplicity: Comparable {
    private let numbers: [UInt64]
    private let places: [FaultAddress]
    private let effects: [Int]
    private let text: String

    init(_ point: Point) {
        numbers = [UInt64(point.faults.count), UInt64(point.faults.reduce(0) { $0 + $1.repeats })]
        places = point.faults.map(\.address)
        effects = point.faults.map { $0.effect.kind.searchRank }
        text = point.schedule
    }

    static func < (a: Simplicity, b: Simplicity) -> Bool {
        if a.numbers != b.numbers { return a.numbers.lexicographicallyPrecedes(b.numbers) }
        if a.places != b.places { return a.places.lexicographicallyPrecedes(b.places) }
        if a.effects != b.effects { return a.effects.lexicographicallyPrecedes(b.effects) }
        return a.text < b.text
    }
}

extension Fault {
    /// 0 for once, 1 for a number of times, 2 for always.
    var repeats: Int {
        isPermanent ? 2 : options.times != nil ? 1 : 0
    }
}
