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
    private var shrinkers: [Shrinker] = []
    /// The runs that each of them asked for, by what it began with.
    private var shrinking: [PointIdentity: [Point]] = [:]
    /// Failing schedules of several faults that nothing simpler explains yet.
    private var unexplained: [PointRecord] = []
    private var confirmed: [PointIdentity: Int] = [:]
    /// What it takes to run warnings again.
    private var warningMilliseconds: UInt64 = 0
    private var repetitions = Repetitions()
    private var suspicions = Suspicions()
    private var runningWitnesses = 0
    private var runningSilent = 0
    private var realSpeed: RealSpeed
    /// How many runs are under way with faults that do the same.
    private var open: [[String]: Int] = [:]
    private var news: [CampaignNews] = []
    private var issued = 0
    private var ended = 0
    private var running = 0
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
    }

    /// The next run; nil if there is none now.
    ///
    /// - Parameter idle: whether one that mostly waits is wanted, of which many may run at once.
    /// - Returns: a run to be handed in with `finish`.
    package mutating func next(idle: Bool = false) -> SearchRun? {
        guard !isStopped, problem == nil else { return nil }
        guard plan != nil else {
            let runs = settings.looksFirst && baselines.isEmpty ? 1 : Self.baselineRuns
            guard !idle, issued < runs else { return nil }
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
        if running > 0 { return false }
        if isStopped || problem != nil { return true }
        guard plan != nil else { return issued >= Self.baselineRuns }
        while queue.count == 0 {
            guard refill() else { return true }
        }
        return false
    }

    /// Hands in what came of a run.
    package mutating func finish(_ trial: SearchRun, _ outcome: PointOutcome) {
        guard !isStopped else { return }
        running -= 1
        ended += 1
        if trial.isWitness { runningWitnesses -= 1 }
        if trial.isIdle { runningSilent -= 1 }
        guard trial.purpose != nil else {
            baselines.append(outcome)
            let isEnough =
                baselines.count == Self.baselineRuns
                || settings.looksFirst && BaselineReading(baselines, settings).problem != nil
            if isEnough { begin() }
            return
        }
        open[Suspicions.Kind.deeds(trial.point), default: 1] -= 1
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
        let isMissing = queue.count > 0 || running > 0 || plan == nil
        if isMissing, !isUsingRest { cutShort() }
        isStopped = true
        for var record in suspicions.releaseAll() {
            record.judgement = .inconclusive(
                reason: "silent when it was ended, long before the deadline; more --time would"
                    + " confirm a hang"
            )
            append(record)
        }
        (running, runningSilent, runningWitnesses) = (0, 0, 0)
    }

    private mutating func cutShort() {
        isCutShort = true
        remainingPoints += queue.searching
    }

    /// Whether a limit ended what its rest was used for.
    package var hasMore: Bool { isUsingRest && (isSearchEnded || isStopped) }

    package var progress: CampaignProgress {
        var progress = CampaignProgress()
        progress.done = ended
        progress.running = running
        progress.confirmingHangs = runningWitnesses
        progress.silent = runningSilent
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
        issued += 1
        running += 1
        if purpose != nil { open[Suspicions.Kind.deeds(entry.point), default: 0] += 1 }
        let run = SearchRun(
            purpose: purpose,
            point: entry.point,
            number: issued,
            isIdle: entry.point.lane == .waiting,
            isAtRealSpeed: entry.isReal || !realSpeed.isNeeded,
            // A smaller form of what is known to hang need not be waited for.
            isPatient: entry.isPatient || purpose.map { !$0.isSearch && $0 != .shrink } ?? true,
            keepsJournal: repetitions.concern(entry.point)
        )
        if run.isWitness { runningWitnesses += 1 }
        if run.isIdle { runningSilent += 1 }
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
        let isDecided =
            unexplained.isEmpty && shrinkers.isEmpty
            && groups.smallest.allSatisfy {
                confirmed[$0.identity, default: 0] >= settings.confirmations
            }
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
        stepShrinkers()
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
            confirmed[record.point.identity] = settings.confirmations
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
            if !isSmallerForm(record) { unexplained.append(record) }
            return
        }
        let isNew = groups.add(cause, record.positions, record.point)
        if isNew, !realSpeed.isNeeded { tell(cause, record) }
    }

    /// Whether a failing schedule was tried as a smaller form of another one, which fails in the same way.
    private func isSmallerForm(_ record: PointRecord) -> Bool {
        record.purpose == .shrink
            && shrinkers.contains { shrinker in
                shrinker.sign == record.signOfPart
                    && shrinking[shrinker.start.identity]?.contains(record.point) == true
            }
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
        startShrinkers()
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
        let isOpen = { [open, queue] (kind: Suspicions.Kind) in
            open[kind.deeds, default: 0] > 0 || queue.holds(kind.deeds)
        }
        for record in suspicions.takeWitnesses(isOpen) { pushPatient(record) }
    }

    private mutating func startShrinkers() {
        guard let plan else { return }
        // The most telling failures first; those that they explain need no search of their own.
        let waiting = unexplained.sorted { Simplicity($0.point) < Simplicity($1.point) }
        unexplained = []
        for record in waiting {
            guard let cause = FindingCause(record) else { continue }
            if groups.explains(cause, record.positions) {
                groups.addIfSimplest(cause, record.positions, record.point)
                continue
            }
            if shrinkers.contains(where: {
                $0.sign == cause.sign && $0.start.position == record.point.position
                    || cause.sign.isOfLaterRun && !$0.sign.isOfLaterRun
                        && $0.sign.kind == cause.sign.kind
            }) {
                unexplained.append(record)
                continue
            }
            shrinkers.append(
                Shrinker(
                    record.point,
                    sign: cause.sign,
                    effects: settings.effects,
                    positions: plan.positions
                )
            )
        }
        stepShrinkers()
    }

    private mutating func stepShrinkers() {
        guard let plan, !shrinkers.isEmpty else { return }
        let sign: Shrinker.Known = { [known] in known[$0.identity].map(\.signOfPart) }
        var open: [Shrinker] = []
        for shrinker in shrinkers {
            let start = shrinker.start.identity
            // All of them before the next ones are chosen: what is run does not depend on which ends first.
            guard shrinking[start, default: []].allSatisfy({ sign($0) != nil }) else {
                open.append(shrinker)
                continue
            }
            switch shrinker.step(sign) {
            case .needs(let point):
                let count = point.lane == .waiting ? Self.waitingShrinkRuns : 1
                let points = shrinker.needs(sign, atMost: count)
                shrinking[start, default: []] += points
                for point in points { push(.init(point: point, purpose: .shrink), .finding) }
                open.append(shrinker)
            case .done(let point, let tests):
                let positions = plan.positions.names(of: point)
                let larger = shrinking[start, default: []].filter {
                    $0 != point && sign($0) == shrinker.sign
                }
                for form in [shrinker.start] + larger {
                    let minimum = Minimum(
                        of: form,
                        kind: shrinker.sign.kind,
                        point: point,
                        positions: positions,
                        tests: tests
                    )
                    minima.append(minimum)
                    news.append(.minimum(minimum))
                }
                if let cause = known[point.identity].flatMap(FindingCause.init) {
                    groups.add(cause, positions, point)
                }
            }
        }
        shrinkers = open
    }

    /// Runs of one shrinker at once, if they mostly wait.
    private static let waitingShrinkRuns = 8

    /// Runs the smallest schedule of each finding again.
    private mutating func pushConfirmations() {
        for point in groups.smallest {
            let missing = settings.confirmations - confirmed[point.identity, default: 0]
            confirmed[point.identity] = settings.confirmations
            for _ in 0..<max(0, missing) {
                queue.push(.init(point: point, purpose: .verify, isReal: true), .finding)
            }
        }
    }

    /// Runs again what shows best that a rule was broken, unless that takes long.
    private mutating func pushWarnings() {
        for advice in CampaignAdvice.all(in: records) where advice.isOfWarning {
            let identity = advice.simplest.identity
            let missing =
                min(Self.warningRuns, settings.confirmations) - confirmed[identity, default: 0]
            guard missing > 0 else { continue }
            let cost = UInt64(missing) * advice.milliseconds
            guard warningMilliseconds + cost <= Self.warningLimit else { continue }
            warningMilliseconds += cost
            confirmed[identity, default: 0] += missing
            for _ in 0..<missing {
                queue.push(
                    .init(point: advice.simplest, purpose: .verify, isReal: true),
                    .finding
                )
            }
        }
    }

    /// How often a warning is run again, and what all of that may take, in milliseconds of runs.
    private static let warningRuns = 3
    private static let warningLimit: UInt64 = 9_000

    /// What is left of the budget goes to what is likeliest to show something new.
    private mutating func pushRest() {
        guard !isSearchEnded, settings.usesRest, running == 0 else { return }
        isUsingRest = true
        while queue.count == 0, let entries = plan?.rest(), !entries.isEmpty {
            for entry in entries where settings.shard.owns(entry.point) { push(entry, .random) }
        }
    }

    /// Whether something that was found was not run often enough yet.
    package var needsConfirmation: Bool {
        !suspicions.isEmpty
            || groups.smallest.contains {
                confirmed[$0.identity, default: 0] < settings.confirmations
            }
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
