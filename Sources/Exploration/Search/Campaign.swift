/// An exploration without any I/O: it says what to run next and is told what came of it.
///
/// Ask `next` for runs as long as there is room for more of them, and hand in each outcome with
/// `finish`, in any order: what is run and found does not depend on the order, nor on how many run
/// at once. First come two baselines; then remembered failures, the boundaries of the baseline's
/// messages, the edges between unequal neighbours, pairs of faults, and random schedules. What
/// fails is made smaller and run again.
package struct Campaign: Sendable {
    package let settings: CampaignSettings
    /// Set once the baselines are through, if they leave nothing to explore.
    package private(set) var problem: BaselineProblem?
    package private(set) var baseline: BaselineSummary?
    /// What the runs without faults exchanged.
    package private(set) var map: BoundaryMap?
    package private(set) var records: [PointRecord] = []
    package private(set) var minima: [Minimum] = []
    /// How many connections a run without faults makes.
    private(set) var usualConnections = 1
    /// Whether the search was cut short.
    package private(set) var isCutShort = false
    /// How many points waited then; what their runs would have led to is not known.
    package private(set) var remainingPoints = 0

    private let remembered: [Point]
    private var baselines: [PointOutcome] = []
    private var plan: SearchPlan?
    private var queue = PointQueue()
    private var asked: Set<PointIdentity> = []
    private var known: [PointIdentity: PointRecord] = [:]
    private var groups = FindingGroups()
    private var shrinking = Shrinking()
    private var confirmations: Confirmations
    private var repetitions = Repetitions()
    private var suspicions = Suspicions()
    private var realSpeed: RealSpeed
    private var runs = RunsUnderWay()
    private var news: [CampaignNews] = []
    private var searched = 0
    private var nextRandom: UInt64 = 0
    private var isSearchEnded = false
    /// Whether only what is left of a budget is being used: nothing that was asked for is missing.
    private var isUsingRest = false
    private(set) var isStopped = false

    /// - Parameters:
    ///   - settings: what to do.
    ///   - remembered: schedules that failed at an earlier time; they are run first.
    package init(_ settings: CampaignSettings, remembered: [Point] = []) {
        self.settings = settings
        self.remembered = remembered
        realSpeed = RealSpeed(warp: settings.warp)
        confirmations = Confirmations(wanted: settings.confirmations)
    }

    /// The next run; nil if there is none now.
    ///
    /// - Parameter idle: whether one that mostly waits is wanted, of which many may run at once.
    /// - Returns: a run to be handed in with `finish`.
    package mutating func next(idle: Bool = false) -> SearchRun? {
        guard !isStopped, problem == nil else { return nil }
        guard plan != nil else {
            let wanted = settings.looksFirst && baselines.isEmpty ? 1 : Self.baselineRuns
            guard !idle, runs.begun < wanted else { return nil }
            return issue(.init(point: .quiet, purpose: .boundary), purpose: nil)
        }
        while true {
            if let entry = take(idle) {
                return issue(entry, purpose: entry.purpose)
            }
            guard refill() else { return nil }
        }
    }

    /// Whether nothing runs and nothing is left to run.
    package mutating func isFinished() -> Bool {
        if runs.count > 0 { return false }
        if isStopped || problem != nil { return true }
        guard plan != nil else { return runs.begun >= Self.baselineRuns }
        while queue.count == 0 {
            guard refill() else { return true }
        }
        return false
    }

    /// Hands in what came of a run.
    package mutating func finish(_ trial: SearchRun, _ outcome: PointOutcome) {
        guard !isStopped else { return }
        runs.end(trial)
        guard trial.purpose != nil else {
            baselines.append(outcome)
            let isEnough =
                baselines.count == Self.baselineRuns
                || settings.looksFirst && BaselineReading(baselines, settings).problem != nil
            if isEnough { begin() }
            return
        }
        note(trial, outcome)
    }

    /// Ends the search; what was found may still be made smaller and confirmed.
    package mutating func endSearch() {
        let isMissing = queue.searching > 0 || plan == nil || realSpeed.holdsSearch
        if isMissing, !isUsingRest { cutShort() }
        queue.dropSearch()
        isSearchEnded = true
        pushWitnesses()
    }

    /// Ends everything: no further run is asked for, and those that run need not be handed in.
    package mutating func stop() {
        let isMissing = queue.count > 0 || runs.count > 0 || plan == nil
        if isMissing, !isUsingRest { cutShort() }
        isStopped = true
        for var record in suspicions.releaseAll() {
            record.judgement = .inconclusive(
                reason: "silent when it was ended, long before the deadline; more --time would"
                    + " confirm a hang"
            )
            append(record)
        }
        runs.forget()
    }

    private mutating func cutShort() {
        isCutShort = true
        remainingPoints += queue.searching
    }

    /// Whether a limit ended what its rest was used for.
    package var hasMore: Bool { isUsingRest && (isSearchEnded || isStopped) }

    package var progress: CampaignProgress {
        var progress = CampaignProgress()
        progress.done = runs.ended
        progress.running = runs.count
        progress.confirmingHangs = runs.witnesses
        progress.silent = runs.silent
        progress.waiting = queue.count
        progress.findings = groups.count
        progress.unreached = records.count { $0.judgement.letter == "-" && !$0.isGuess }
        return progress
    }

    /// What happened since the last time, in order.
    package mutating func takeNews() -> [CampaignNews] {
        defer { news = [] }
        return news
    }

    private static let baselineRuns = 2

    private mutating func issue(
        _ entry: PointQueue.Entry,
        purpose: PointRecord.Purpose?
    ) -> SearchRun {
        let run = SearchRun(
            purpose: purpose,
            point: entry.point,
            number: runs.begun + 1,
            isIdle: entry.point.lane == .waiting,
            isAtRealSpeed: entry.isReal || !realSpeed.isNeeded,
            // A smaller form of what is known to hang need not be waited for.
            isPatient: entry.isPatient || purpose.map { !$0.isSearch && $0 != .shrink } ?? true,
            keepsJournal: repetitions.concern(entry.point)
        )
        runs.begin(run)
        return run
    }

    private mutating func take(_ idle: Bool) -> PointQueue.Entry? {
        guard let entry = queue.pop(idle ? .waiting : .working) else { return nil }
        if entry.purpose.isSearch {
            searched += 1
            if searched == settings.runLimit { endSearch() }
        }
        return entry
    }
}

// What it is among others.
extension Campaign {
    /// How soon a campaign among others is to go on, the most urgent first.
    enum Need: Int {
        /// It has failures of an earlier time, or findings that are to be made smaller or confirmed.
        case decision
        case search
        /// Only random schedules are left.
        case chance
    }

    /// Whether it is known what is to be searched, or that there is nothing to search.
    var isBegun: Bool { plan != nil || problem != nil }

    /// How many points the baseline gave at each place of the protocol.
    var traffic: [String: UInt64] { plan?.traffic ?? [:] }

    var need: Need {
        if let urgency = queue.mostUrgent {
            return urgency.rawValue <= PointQueue.Urgency.remembered.rawValue ? .decision : .search
        }
        let isDecided = shrinking.isEmpty && !confirmations.isMissing(groups.smallest)
        return isDecided ? .chance : .decision
    }
}

// The course of the search.
extension Campaign {
    private mutating func begin() {
        let start = BaselineReading(baselines, settings)
        problem = start.problem
        guard let summary = start.summary, let map = start.map, problem == nil else { return }
        baseline = summary
        self.map = map
        usualConnections = max(1, map.connections.count)
        news.append(.baseline(summary))
        let plan = SearchPlan(map, summary, settings, expected: start.expected)
        self.plan = plan
        for point in remembered where settings.shard.owns(point) {
            push(.init(point: point, purpose: .remembered), .remembered)
        }
        for entry in plan.firstEntries {
            push(entry.entry, entry.urgency)
        }
        repetitions = Repetitions(
            of: plan.firstEntries.map(\.entry.point),
            every: settings.repeatsEvery
        )
    }

    private mutating func push(_ entry: PointQueue.Entry, _ urgency: PointQueue.Urgency) {
        if isSearchEnded && urgency != .finding {
            if !isUsingRest { isCutShort = true }
            return
        }
        guard asked.insert(entry.point.identity).inserted, !realSpeed.keeps(entry) else { return }
        queue.push(entry, urgency)
    }

    private mutating func note(_ trial: SearchRun, _ outcome: PointOutcome) {
        guard let purpose = trial.purpose, let plan else { return }
        var outcome = outcome
        if let expected = plan.expected { outcome.compare(with: expected) }
        if plan.mayHaveActed(trial.point, outcome) { outcome.mayHaveActed = true }
        outcome.failedChecks.removeAll { plan.ignoredChecks.contains($0.name) }
        if purpose == .repetition { return compare(trial, outcome, plan) }
        let judgement = settings.judge.judge(trial.point, outcome)
        let record = plan.record(trial.point, purpose, judgement, outcome)
        if trial.isAtRealSpeed, realSpeed.isNeeded, confirm(record) { return }
        if !trial.isAtRealSpeed, realSpeed.keepsAgain(record, outcome) { return }
        if outcome.isSilent, !trial.point.asksForEver {
            suspect(.init(record: record, outcome: outcome))
        } else if suspicions.isWitness(record), trial.isPatient {
            take(witness: record, outcome)
        } else {
            conclude(record, outcome)
        }
        pushWitnesses()
        shrink()
    }

    /// Takes a run of which it is certain what it shows, and plans what is to be run because of it.
    private mutating func conclude(_ record: PointRecord, _ outcome: PointOutcome) {
        append(record)
        if record.purpose != .verify, repetitions.takeFirst(record.point, outcome) {
            queue.push(.init(point: record.point, purpose: .repetition), .finding)
        }
        for entry in plan?.consequences(of: record, outcome) ?? [] {
            push(entry.entry, entry.urgency)
        }
    }

    /// Takes a run that was ended early.
    ///
    /// Nothing follows from it before it is certain: what is searched next must not depend on how soon a
    /// run was ended.
    private mutating func suspect(_ suspect: Suspicions.Suspect) {
        switch suspicions.finding(of: suspect.record) {
        case nil: suspicions.add(suspect)
        case .hangs: conclude(suspect.record, suspect.outcome)
        case .goesOn: pushPatient(suspect.record)
        }
    }

    private mutating func pushPatient(_ record: PointRecord) {
        queue.push(
            .init(point: record.point, purpose: record.purpose, isPatient: true),
            .finding
        )
    }

    /// Takes a run at real speed of what the fast one has shown; false if there was none.
    private mutating func confirm(_ record: PointRecord) -> Bool {
        switch record.purpose {
        case .speed:
            var record = record
            record.judgement = realSpeed.comparison(record.judgement)
            append(record)
        case .verify:
            guard let fast = known[record.point.identity] else { return false }
            if FindingSign(record) == FindingSign(fast) {
                append(record)
                if let cause = FindingCause(fast) { tell(cause, fast) }
            } else {
                correct(fast, by: record)
            }
        default: return false
        }
        return true
    }

    /// What is so only with a faster clock is none of the client's doing.
    private mutating func correct(_ fast: PointRecord, by real: PointRecord) {
        groups.withdraw(fast.point)
        records.removeAll { $0.point.identity == fast.point.identity && $0.purpose.isSearch }
        var real = real
        real.purpose = fast.purpose
        real.corrects = true
        append(real)
    }

    private mutating func append(_ record: PointRecord) {
        records.append(record)
        news.append(.run(record))
        guard record.purpose.isOfItself else { return }
        known[record.point.identity] = record
        group(record)
    }

    /// Takes a run that was not ended early: if it hangs, those like it do, and if not, each of them has
    /// to be run so.
    private mutating func take(witness record: PointRecord, _ outcome: PointOutcome) {
        let (finding, suspects) = suspicions.take(witness: record)
        switch finding {
        case .goesOn:
            conclude(record, outcome)
            for suspect in suspects where suspect.record.point.identity != record.point.identity {
                pushPatient(suspect.record)
            }
        case .hangs:
            for suspect in suspects { conclude(suspect.record, suspect.outcome) }
            guard !realSpeed.isNeeded else { return }
            var confirmation = record
            confirmation.purpose = .verify
            append(confirmation)
            confirmations.settle(record.point)
        }
    }

    /// Takes the second run of a point that is run twice.
    private mutating func compare(
        _ trial: SearchRun,
        _ outcome: PointOutcome,
        _ plan: SearchPlan
    ) {
        let judgement = repetitions.judgeSecond(trial.point, outcome)
        append(plan.record(trial.point, .repetition, judgement, outcome))
    }

    private mutating func group(_ record: PointRecord) {
        guard record.judgement.failure != nil, let cause = FindingCause(record) else { return }
        guard record.isSingle else {
            return shrinking.add(record)
        }
        let isNew = groups.add(cause, record.positions, record.point)
        if isNew, !realSpeed.isNeeded { tell(cause, record) }
    }

    private mutating func tell(_ cause: FindingCause, _ record: PointRecord) {
        news.append(
            .found(
                cause.sign.kind,
                id: Finding.id(cause),
                position: record.positions.joined(separator: " + "),
                record.point,
                reason: record.judgement.reason
            )
        )
    }

    /// Finds more to do once the queue is empty; false if there is nothing.
    private mutating func refill() -> Bool {
        guard queue.count == 0 else { return false }
        startShrinking()
        if queue.count == 0 { for entry in realSpeed.takeWaiting() { push(real: entry) } }
        if queue.count == 0 { pushConfirmations() }
        if queue.count == 0 { pushWarnings() }
        if queue.count == 0 { pushRest() }
        if queue.count == 0 { pushRandom() }
        if queue.count == 0 {
            for entry in realSpeed.takeSample(of: records) { push(real: entry) }
        }
        return queue.count > 0
    }

    private mutating func push(real entry: PointQueue.Entry) {
        if !isSearchEnded || !entry.purpose.isSearch { queue.push(entry, .finding) }
    }

    /// Runs the simplest of each kind of silent runs up to the deadline.
    private mutating func pushWitnesses() {
        let isOpen = { [runs, queue] (kind: Suspicions.Kind) in
            runs.includeOne(doing: kind.deeds) || queue.holds(kind.deeds)
        }
        for record in suspicions.takeWitnesses(isOpen) { pushPatient(record) }
    }

    private mutating func startShrinking() {
        guard let plan else { return }
        shrinking.start(settings.effects, plan.positions, &groups)
        shrink()
    }

    private mutating func shrink() {
        guard let plan else { return }
        let step = shrinking.step(known, plan.positions)
        for point in step.needed { push(.init(point: point, purpose: .shrink), .finding) }
        minima += step.minima
        news += step.minima.map { .minimum($0) }
        for (point, positions) in step.smallest {
            guard let cause = known[point.identity].flatMap(FindingCause.init) else { continue }
            groups.add(cause, positions, point)
        }
    }

    /// Runs the smallest schedule of each finding again.
    private mutating func pushConfirmations() {
        verify(confirmations.runs(for: groups.smallest))
    }

    /// Runs again what shows best that a rule was broken, unless that takes long.
    private mutating func pushWarnings() {
        verify(confirmations.runs(for: CampaignAdvice.all(in: records).filter(\.isOfWarning)))
    }

    private mutating func verify(_ points: [Point]) {
        for point in points {
            queue.push(.init(point: point, purpose: .verify, isReal: true), .finding)
        }
    }

    /// What is left of the budget goes to what is likeliest to show something new.
    private mutating func pushRest() {
        guard !isSearchEnded, settings.usesRest, runs.count == 0 else { return }
        isUsingRest = true
        while queue.count == 0, let entries = plan?.rest(), !entries.isEmpty {
            for entry in entries where settings.shard.owns(entry.point) { push(entry, .random) }
        }
    }

    /// Whether something that was found was not run often enough yet.
    package var needsConfirmation: Bool {
        !suspicions.isEmpty || confirmations.isMissing(groups.smallest)
    }

    private mutating func pushRandom() {
        guard let plan, !plan.random.isEmpty, !isSearchEnded else { return }
        let limit = settings.randomSchedules ?? .max
        // A small space of schedules is soon known: then there is nothing new to draw.
        var tries = 0
        while nextRandom < limit, queue.count < 64, tries < 10_000 {
            let point = plan.random.schedule(nextRandom)
            nextRandom += 1
            tries += 1
            guard settings.shard.owns(point) else { continue }
            push(.init(point: point, purpose: .random), .random)
        }
    }
}
