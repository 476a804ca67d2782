extension CampaignReport {
    /// The reports of several shards as one: what a run over everything gives.
    ///
    /// - Precondition: at least one report.
    package static func merged(_ reports: [CampaignReport]) -> CampaignReport {
        precondition(!reports.isEmpty, "something to merge")
        let shards = Set(reports.flatMap(\.shards)).sorted { $0.index < $1.index }
        var merged = CampaignReport(
            settings: reports[0].settings,
            baseline: reports.lazy.compactMap(\.baseline).first,
            problem: reports.lazy.compactMap(\.problem).first,
            records: records(of: reports),
            minima: reports.flatMap(\.minima),
            shards: shards,
            isComplete: reports.allSatisfy(\.isComplete) && missing(shards).isEmpty
        )
        merged.remainingPoints = reports.reduce(0) { $0 + $1.remainingPoints }
        return merged
    }

    /// The shards that these are not all of, by their index; empty if nothing is missing.
    package var missingShards: [UInt64] { Self.missing(shards) }

    private static func missing(_ shards: [Shard]) -> [UInt64] {
        guard let count = shards.map(\.count).max() else { return [] }
        let present = Set(shards.filter { $0.count == count }.map(\.index))
        return (1...count).filter { !present.contains($0) }
    }

    /// A neighbour is run by two shards; the run that belongs to the search itself counts.
    private static func records(of reports: [CampaignReport]) -> [PointRecord] {
        reports.flatMap(\.records)
    }
}

extension SuiteReport {
    /// The reports of several shards as one, test by test.
    ///
    /// - Precondition: at least one report.
    package static func merged(_ reports: [SuiteReport]) -> SuiteReport {
        var order: [String?] = []
        var parts: [String?: [CampaignReport]] = [:]
        for test in reports.flatMap(\.tests) {
            if parts[test.settings.test] == nil { order.append(test.settings.test) }
            parts[test.settings.test, default: []].append(test)
        }
        return SuiteReport(order.compactMap { parts[$0].map(CampaignReport.merged) })
    }
}
