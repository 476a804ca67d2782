internal import Basics
internal import SystemIO
internal import Trials

/// Ends the runs that have waited long enough: silent ones, and those that take much longer than one
/// without faults.
final class RunWatch {
    private let settings: RunnerSettings
    private let loop: EventLoop
    private var quietRuns = QuietRuns()
    private var silences = Silences()
    /// Numbers of runs whose command runs again.
    private var recovering: Set<Int> = []
    /// Numbers of runs whose clients were seen to wait for a time when their own was over.
    private var waited: Set<Int> = []
    /// How many looks at a late, idle run have found no sign that it waits for a time.
    private var signlessLooks: [Int: Int] = [:]

    init(_ settings: RunnerSettings, loop: EventLoop) {
        self.settings = settings
        self.loop = loop
    }

    /// The numbers of the runs in which nothing has happened since the last look.
    func look(at runs: [Int: PointRun]) -> [Int] { quietRuns.look(at: runs.mapValues(\.running)) }

    /// Forgets a run that has ended.
    func end(_ number: Int, isByDeadline: Bool) {
        if isByDeadline { silences.didEnd(number) }
        silences.end(number, at: loop.now)
        recovering.remove(number)
        waited.remove(number)
        signlessLooks[number] = nil
    }

    /// Ends the runs that are silent for longer than this client was ever seen to wait.
    ///
    /// - Parameters:
    ///   - quiet: what the look at them has found.
    ///   - runs: those under way, by number.
    func endSilent(_ quiet: [Int], of runs: [Int: PointRun]) {
        guard let least = settings.silenceMilliseconds else { return }
        let now = loop.now
        for (number, run) in runs
        where run.isRecovering && recovering.insert(number).inserted {
            // Its first client may have been silent up to its deadline.
            silences.didEnd(number)
            silences.end(number, at: now)
        }
        for number in silences.note(quiet, at: now, least: .milliseconds(clamping: least)) {
            guard let run = runs[number], run.mayBeSuspected, !awaits(number, run) else { continue }
            silences.didEnd(number)
            run.endSilence(patience: patience(run))
        }
    }

    /// Ends the runs that take much longer than those without faults, or try again and again.
    ///
    /// - Parameters:
    ///   - runs: the runs under way, by number.
    ///   - find: returns the campaign of a test, by the test's place in the suite.
    func endLate(_ runs: [Int: PointRun], of find: (_ test: Int) -> Campaign) {
        for (number, run) in runs where run.clientTime > .zero {
            let campaign = find(run.test)
            guard let limit = derivedDeadline(campaign) else { continue }
            let usual = UInt64(campaign.usualConnections)
            let isLate = run.clientTime > .milliseconds(Int64(limit))
            // Who waits for another try is not found to hang.
            let isRetrying = run.connections > usual
            let isTireless = run.connections > Self.mostTries * usual
            // Who was seen to wait for a time may go on when it has come, up to the trial's deadline.
            if isLate, !isRetrying || !WaitingCall.isKnown, mayAwait(number, run) {
                waited.insert(number)
            }
            let isOver = isLate && !waited.contains(number)
            guard isTireless || isOver && (isRetrying || isIdle(number) && isHopeless(number))
            else {
                continue
            }
            silences.didEnd(number)
            // A client that tries this often is judged by what its tries brought.
            run.endLate(
                isBetweenTries: isTireless || isRetrying && awaits(number, run),
                patience: isTireless ? nil : patience(run)
            )
        }
    }

    /// Whether nothing has happened in a run for a while, so that it is not about to end.
    private func isIdle(_ number: Int) -> Bool {
        silence(of: number) >= .seconds(1)
    }

    /// Whether several looks in a row have found no sign that a run may go on: one alone may come just
    /// when a client has woken up and waits for nothing.
    private func isHopeless(_ number: Int) -> Bool {
        signlessLooks[number, default: 0] += 1
        return signlessLooks[number, default: 0] >= 3
    }

    /// As many as no client needs, for each connection of a run without faults.
    private static let mostTries: UInt64 = 50

    /// Between two looks of a client that polls without ever giving up: curl's waits take a second.
    private static let longestPollingPause = Duration.seconds(1)

    /// Whether a client is seen to wait for a time that will come.
    ///
    /// - Parameters:
    ///   - number: of the run.
    ///   - run: the client's.
    ///   - least: a shorter timeout is no sign.
    /// - Returns: false if nothing of the kind is seen.
    private func awaits(_ number: Int, _ run: PointRun, longerThan least: Duration = .zero) -> Bool
    {
        waits(of: run)?.endInTime(longerThan: max(silence(of: number), least)) ?? false
    }

    /// How long a client is seen to wait, if that is longer than a run waits for it.
    private func patience(_ run: PointRun) -> Duration? { waits(of: run)?.patience }

    /// Nil if its client does not run.
    private func waits(of run: PointRun) -> ClientWaits? {
        run.running?.processGroup.map { ClientWaits(of: $0, speed: loop.speed) }
    }

    /// For how long nothing has happened in a run.
    private func silence(of number: Int) -> Duration {
        silences.length(number, at: loop.now)
    }

    /// Whether a client may go on after a timeout: it is seen to wait for one, or it wakes up repeatedly
    /// and may check a timeout that cannot be seen.
    ///
    /// If the system does not show what programs wait for, every client may.
    private func mayAwait(_ number: Int, _ run: PointRun) -> Bool {
        guard WaitingCall.isKnown else { return true }
        guard !settings.pollsForever else {
            return awaits(number, run, longerThan: Self.longestPollingPause)
        }
        return awaits(number, run)
            || waits(of: run)?.wakeUp(within: silence(of: number)) ?? false
    }

    /// Of a run with faults, in milliseconds: what those without needed, many times over.
    private func derivedDeadline(_ campaign: Campaign) -> UInt64? {
        guard let least = settings.derivedDeadlineMilliseconds, let baseline = campaign.baseline
        else { return nil }
        return max(least, Self.deadlineFactor * baseline.milliseconds)
    }

    private static let deadlineFactor: UInt64 = 20
}
