package import Analysis

/// A rule that runs broke without failing.
package struct CampaignAdvice: Hashable, Sendable {
    package let check: Check
    /// What the simplest of them did.
    package let words: String
    package let simplest: Point
    /// How many different schedules showed it.
    package let points: Int
    /// How often the simplest one was run again, if it is a warning, and how often the rule was broken again.
    package let confirmations: Finding.Confirmations
    /// How long the simplest one took.
    let milliseconds: UInt64

    /// Whether the rule is one whose breach is worth a warning, if it comes every time.
    var isOfWarning: Bool { check.level == .warning }

    /// A warning that does not come every time is worth no more than a note.
    package var level: Check.Level {
        confirmations.equal < confirmations.of ? .note : check.level
    }

    /// How often it came again; nil of a note, which is not run again.
    package var repetition: String? {
        guard isOfWarning else { return nil }
        guard confirmations.of > 0 else { return "not run again" }
        return level == .warning
            ? "again: \(confirmations.text)"
            : "came again in \(confirmations.equal) of \(confirmations.of) runs"
    }

    /// Warnings first, then those that did not come again each time, then notes; within each, in the order
    /// of the checks.
    static func all(in records: [PointRecord]) -> [CampaignAdvice] {
        var found: [Check: Sighting] = [:]
        for record in records where record.isCounted {
            for advice in record.advice { found[advice.check, default: Sighting()].add(record) }
        }
        let advice = Check.allCases.compactMap { check in
            found[check].flatMap { CampaignAdvice(check, $0, records) }
        }
        return advice.filter { $0.level == .warning }
            + advice.filter { $0.isOfWarning && $0.level != .warning }
            + advice.filter { !$0.isOfWarning }
    }

    private init?(_ check: Check, _ sighting: Sighting, _ records: [PointRecord]) {
        guard let record = sighting.simplest else { return nil }
        self.check = check
        words = record.advice.first { $0.check == check }?.words ?? ""
        simplest = record.point
        points = sighting.points.count
        milliseconds = record.milliseconds
        let again = records.filter {
            check.level == .warning && $0.purpose == .verify
                && $0.point.identity == record.point.identity
        }
        let equal = again.count { $0.advice.contains { $0.check == check } }
        confirmations = .init(equal: equal, of: again.count)
    }

    /// Where a rule was broken.
    private struct Sighting {
        var simplest: PointRecord?
        var points: Set<PointIdentity> = []

        mutating func add(_ record: PointRecord) {
            points.insert(record.point.identity)
            if let simplest, Simplicity(simplest.point) <= Simplicity(record.point) { return }
            simplest = record
        }
    }
}

extension CampaignReport {
    /// Warnings first, then notes.
    package var advice: [CampaignAdvice] { CampaignAdvice.all(in: records) }
}
