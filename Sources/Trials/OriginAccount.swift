internal import Journal
internal import Origin

/// What an embedded origin did with uploads, as records of the journal.
///
/// They are made at the end of a trial, so they tell what happened and not when.
enum OriginAccount {
    /// - Parameters:
    ///   - state: of the origin.
    ///   - prefix: how paths of resources begin; the identifier follows.
    /// - Returns: creations before what came of them, upload by upload.
    static func records(of state: OriginState, prefix: String) -> [JournalRecord] {
        // Plain uploads have no resource of their own.
        state.uploads.filter { $0.protocol != "plain" }
            .flatMap { records(of: $0, resource: prefix + $0.identifier) }
    }

    private static func records(
        of upload: OriginState.Upload,
        resource: String
    ) -> [JournalRecord] {
        var records: [JournalRecord] = []
        for _ in 0..<upload.creations {
            records.append(.origin(OriginReport(.created, resource: resource)))
        }
        if upload.completions == 0, upload.bytes > 0 {
            records.append(
                .origin(OriginReport(.committed, resource: resource, offset: upload.bytes))
            )
        }
        for _ in 0..<upload.completions {
            let report = OriginReport(
                .complete,
                resource: resource,
                offset: upload.bytes,
                digest: upload.digest
            )
            records.append(.origin(report))
        }
        switch upload.state {
        case "cancelled": records.append(.origin(OriginReport(.cancelled, resource: resource)))
        case "invalid": records.append(.origin(OriginReport(.invalid, resource: resource)))
        default: break
        }
        return records
    }
}
