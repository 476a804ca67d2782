internal import Proxy
internal import SystemIO
internal import Trials

/// Finds the runs that only wait, so that others can take their places: a client that sleeps before
/// its next try needs no processor.
struct QuietRuns {
    private struct Look: Equatable {
        let progress: RunningTrial.Progress
        /// Of a program, once nothing else happens.
        var session: SessionActivity?
    }

    private var looks: [Int: Look] = [:]

    /// Looks at runs and answers those in which nothing has happened since the look before: no byte
    /// passed, nothing was told, no process worked.
    ///
    /// Processes are looked at only where nothing else happens, since that takes longer.
    ///
    /// - Parameter runs: by number; nil for one of which nothing can be said now.
    /// - Returns: their numbers, in order.
    mutating func look(at runs: [Int: RunningTrial?]) -> [Int] {
        var now: [Int: Look] = [:]
        var still: [Int: Int] = [:]
        for case (let number, let run?) in runs {
            guard let progress = run.progress else { continue }
            now[number] = Look(progress: progress, session: nil)
            if let leader = run.processGroup, looks[number]?.progress == progress {
                still[number] = leader
            }
        }
        let activities = SessionActivity.all(of: Set(still.values))
        for (number, leader) in still { now[number]?.session = activities[leader] }
        defer { looks = now }
        return now.keys.filter { number in
            guard let new = now[number], let old = looks[number] else { return false }
            guard new.progress == old.progress else { return false }
            guard still[number] != nil else { return true }
            // A program of which nothing is known may be at work.
            guard let session = new.session, let earlier = old.session else { return false }
            return session.isQuiet(since: earlier)
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
