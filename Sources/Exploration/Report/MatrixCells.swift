internal import Faults

/// The runs of single faults by place and effect, from which the table is made.
struct MatrixCells {
    /// Places of one kind of traffic, at which the faults have the same options.
    struct Group: Hashable {
        /// As in `GET(/a)#1`.
        let whose: String
        /// As in `,times=2`, or nothing.
        let options: String

        var text: String {
            whose + options.split(separator: ",").map { ", \($0)" }.joined()
        }
    }

    /// A column of the table, and the forms of an effect that it stands for.
    struct Column: Hashable {
        let name: String
        let forms: [String]
    }

    private var runs: [Group: [FaultAddress: [String: Matrix.Run]]] = [:]
    /// The simplicity of each effect, by the name of its column.
    private var ranks: [String: Int] = [:]

    init(_ records: [PointRecord]) {
        for record in records where record.isCounted && record.isSingle {
            guard let fault = record.point.faults.first else { continue }
            add(record, fault)
        }
    }

    /// Of several forms of an effect at one place, the worst is kept.
    private mutating func add(_ record: PointRecord, _ fault: Fault) {
        let run = Matrix.Run(
            letter: record.judgement.letter,
            schedule: record.point.schedule,
            reason: record.judgement.reason
        )
        let group = Group(whose: fault.address.whose, options: fault.options.canonicalText)
        ranks[fault.column] = fault.effect.kind.searchRank
        let known = runs[group]?[fault.address]?[fault.column]
        if let known, Self.weight(run.letter) <= Self.weight(known.letter) { return }
        runs[group, default: [:]][fault.address, default: [:]][fault.column] = run
    }

    private static func weight(_ letter: Character) -> Int {
        [".", "h", "-", "?", "X"].firstIndex(of: letter) ?? 0
    }

    /// What was run at a place, by column.
    func runs(at address: FaultAddress, of group: Group) -> [String: Matrix.Run] {
        runs[group]?[address] ?? [:]
    }

    /// The groups with their places, in the order of a schedule line; without options first.
    var groups: [(group: Group, places: [FaultAddress])] {
        var first: [String: FaultAddress] = [:]
        for (group, places) in runs {
            guard let least = places.keys.min() else { continue }
            first[group.whose] = min(first[group.whose] ?? least, least)
        }
        let sorted = runs.keys.sorted { a, b in
            if let (x, y) = first[a.whose].flatMap({ x in first[b.whose].map { (x, $0) } }), x != y
            {
                return x < y
            }
            return (a.whose, a.options) < (b.whose, b.options)
        }
        return sorted.map { ($0, (runs[$0] ?? [:]).keys.sorted()) }
    }

    /// The simplest effect first; the forms of one share a column if they differ at no place.
    var foldedColumns: [Column] {
        let names = ranks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        var forms: [Substring: [String]] = [:]
        for name in names { forms[Self.effect(name), default: []].append(name) }
        return names.flatMap { name -> [Column] in
            let all = forms[Self.effect(name)] ?? []
            guard all.count > 1, areAlike(all) else { return [Column(name: name, forms: [name])] }
            return name == all[0] ? [Column(name: String(Self.effect(name)), forms: all)] : []
        }
    }

    private static func effect(_ column: String) -> Substring { column.prefix { $0 != "(" } }

    /// Whether these came to the same wherever more than one of them was run.
    private func areAlike(_ forms: [String]) -> Bool {
        runs.values.lazy.flatMap(\.values).allSatisfy { place in
            Set(forms.compactMap { place[$0]?.letter }).count < 2
        }
    }
}

extension Fault {
    /// What stands at the head of its column: the forms of one effect on a whole message share theirs.
    fileprivate var column: String {
        let isAtBytes = effect.kind.isByteWise || address.anchor == .connect
        return isAtBytes || effect.kind == .query ? effect.canonicalText : effect.kind.name
    }
}
