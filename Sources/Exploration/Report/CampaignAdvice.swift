package import Analysis

/// A rule that runs broke without failing.
package struct CampaignAdvice: Hashable, Sendable {
    package let check: Check
    /// What the simplest of them did.
    package let words: String
    package let simplest: Point
    /// How many different schedules showed it.
    package let points: Int
}

extension CampaignReport {
    /// Warnings first, then notes, each in order of the checks.
    package var advice: [CampaignAdvice] {
        var found: [Check: (record: PointRecord, words: String, points: Set<PointIdentity>)] = [:]
        for record in records where record.isCounted {
            for advice in record.advice {
                let known = found[advice.check]
                let isSimpler =
                    known.map { Simplicity(record.point) < Simplicity($0.record.point) } ?? true
                let points = (known?.points ?? []).union([record.point.identity])
                found[advice.check] =
                    isSimpler || known == nil
                    ? (record, advice.words, points)
                    : known.map { ($0.record, $0.words, points) }
            }
        }
        return Check.allCases.compactMap { check in
            found[check].map {
                CampaignAdvice(
                    check: check,
                    words: $0.words,
                    simplest: $0.record.point,
                    points: $0.points.count
                )
            }
        }
        .sorted { ($0.check.level == .warning ? 0 : 1) < ($1.check.level == .warning ? 0 : 1) }
    }
}
