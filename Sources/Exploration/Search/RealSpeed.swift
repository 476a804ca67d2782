internal import Basics
internal import Faults

/// Runs that clocks as everybody's are needed for, in a search with faster ones.
///
/// They wait until nothing else is left to run, so that the speed is seldom changed.
struct RealSpeed {
    /// How many times as fast the search runs.
    let warp: UInt64
    private var waiting: [PointQueue.Entry] = []
    private var asked: Set<PointIdentity> = []
    private var isSampled = false

    /// As many passes are run again at real speed.
    private static let sample = 5

    init(warp: UInt64) { self.warp = warp }

    var isNeeded: Bool { warp > 1 }

    /// Whether points of the search wait.
    var holdsSearch: Bool { !waiting.isEmpty }

    /// Keeps a point for later; false if it can be run like all others.
    mutating func keeps(_ entry: PointQueue.Entry) -> Bool {
        guard isNeeded, entry.point.namesDates else { return false }
        keep(entry)
        return true
    }

    /// Keeps a point whose fast run proves nothing.
    mutating func keepsAgain(_ record: PointRecord, _ outcome: PointOutcome) -> Bool {
        guard isNeeded, record.purpose.isSearch, !outcome.isStillRetrying,
            !outcome.isStillProgressing, case .inconclusive = record.judgement
        else { return false }
        return keep(.init(point: record.point, purpose: record.purpose))
    }

    @discardableResult
    private mutating func keep(_ entry: PointQueue.Entry) -> Bool {
        guard asked.insert(entry.point.identity).inserted else { return false }
        var entry = entry
        entry.isReal = true
        waiting.append(entry)
        return true
    }

    /// What is to be run now that nothing else is.
    mutating func takeWaiting() -> [PointQueue.Entry] {
        defer { waiting = [] }
        return waiting
    }

    /// Once, a few of the passes: those with the least digests, which does not depend on their order.
    mutating func takeSample(of records: [PointRecord]) -> [PointQueue.Entry] {
        guard isNeeded, !isSampled else { return [] }
        isSampled = true
        let passes = records.filter { $0.purpose.isSearch && $0.judgement == .pass }
        return passes.map { ($0.point.identity.text, $0.point) }.sorted { $0.0 < $1.0 }
            .prefix(Self.sample).map {
                PointQueue.Entry(point: $0.1, purpose: .speed, isReal: true)
            }
    }

    /// What a run at real speed says of a pass at the faster one.
    func comparison(_ judgement: PointJudgement) -> PointJudgement {
        guard judgement != .pass else { return .pass }
        let reason = judgement.reason.isEmpty ? judgement.word : judgement.reason
        return .inconclusive(reason: "\(warp) times as fast it passed; at real speed: \(reason)")
    }
}

extension Point {
    /// Whether a client is told a date, which a fast clock soon passes.
    fileprivate var namesDates: Bool {
        faults.contains { $0.effect.hasDate }
    }
}
