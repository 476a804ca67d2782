internal import Libuv
internal import Proxy

/// Finds the runs that only wait, so that others can take their places: a client that sleeps before
/// its next try needs no processor.
struct QuietRuns {
    private struct Look: Equatable {
        let progress: RunningTrial.Progress
        let session: SessionActivity?
    }

    private var looks: [Int: Look] = [:]

    /// Looks at runs and answers those in which nothing has happened since the look before: no byte
    /// passed, nothing was told, no process worked.
    ///
    /// - Parameter runs: by number; nil for one of which nothing can be said now.
    /// - Returns: their numbers, in order.
    mutating func look(at runs: [Int: RunningTrial?]) -> [Int] {
        let sessions = Set(runs.values.compactMap { $0?.processGroup })
        let activities = SessionActivity.all(of: sessions)
        var now: [Int: Look] = [:]
        for (number, run) in runs {
            guard let progress = run?.progress else { continue }
            let activity = run?.processGroup.map { activities[$0] } ?? nil
            // A program of which nothing is known may be at work.
            if run?.processGroup != nil, activity == nil { continue }
            now[number] = Look(progress: progress, session: activity)
        }
        defer { looks = now }
        return now.keys.filter { number in
            guard let new = now[number], let old = looks[number] else { return false }
            guard new.progress == old.progress else { return false }
            guard let session = new.session else { return old.session == nil }
            return old.session.map(session.isQuiet) ?? false
        }.sorted()
    }
}

extension RunningTrial {
    /// How far a trial is, to be compared with a later look.
    struct Progress: Equatable {
        let records: Int
        let bytes: UInt64
    }

    /// Nil unless its client is at work: everything else is ours, and soon done.
    var progress: Progress? {
        guard hasClient, let proxy else { return nil }
        let snapshot = proxy.snapshot(rows: 0)
        return Progress(
            records: outcome.records.count,
            bytes: snapshot.up.bytes + snapshot.down.bytes
        )
    }
}
