internal import Analysis
internal import Faults

/// Which faults a command survives if they act once.
struct SurvivalReading {
    /// A fault at a place, however often it acts.
    private struct Deed: Hashable {
        let positions: [String]
        let effect: Effect
    }

    private var survived: Set<Deed> = []
    private var failed: Set<Deed> = []

    init(_ records: [PointRecord]) {
        for record in records where record.purpose.isOfItself {
            guard let (deed, repeats) = Self.deed(of: record), repeats == 1 else { continue }
            if record.judgement == .pass { survived.insert(deed) }
            if record.judgement.failure == .giveup { failed.insert(deed) }
        }
    }

    /// How often in a row the fault of a record acts, if the command survives it once.
    func repeats(of record: PointRecord) -> UInt32? {
        guard let (deed, repeats) = Self.deed(of: record), repeats > 1, survived.contains(deed),
            !failed.contains(deed)
        else { return nil }
        return repeats
    }

    private static func deed(of record: PointRecord) -> (deed: Deed, repeats: UInt32)? {
        guard record.isSingle, let fault = record.point.faults.first, !fault.isPermanent else {
            return nil
        }
        if case .refuse(let count) = fault.effect {
            return (Deed(positions: record.positions, effect: .refuse(1)), count)
        }
        let deed = Deed(positions: record.positions, effect: fault.effect)
        switch fault.options.times {
        case nil: return (deed, 1)
        case .count(let count): return (deed, count)
        case .all: return nil
        }
    }
}
