internal import Basics

/// When the next step of a transfer may begin: retry policy, path and timer together.
///
/// A machine hands over the step that it wants to take and is told to open it now or what to wait
/// for. Early, late and repeated calls do no harm.
struct Pacing<Step: Sendable> {
    private enum State {
        case idle
        case sleeping(Step, until: Duration)
        case holding(Step)
    }

    /// What follows from a call: actions for the driver, and the step to open now, if any.
    struct Turn {
        var actions: [TransferAction] = []
        var open: Step?
    }

    var retry: RetryTracker
    private(set) var policy: PathPolicy
    private(set) var status: PathStatus?
    /// Whether the latest status was the first to tell of a better path.
    private var gotBetterPath = false
    private(set) var startedAt: Duration = .zero
    private var state: State = .idle
    /// What the latest `waiting` event said; nil outside of a wait.
    private var notice: PathWait?
    /// Whether attempts are made during the wait because nobody tells when it is over.
    private var isProbing = false
    /// Whether a request is open that nothing has answered.
    private var isUnanswered = false
    /// Whether no request has been sent.
    private var isFirst = true
    private var waits: UInt64 = 0
    private let draws: RandomDraws

    init(_ policy: PathPolicy, retry: RetryTracker, path: PathStatus?, draws: RandomDraws) {
        self.policy = policy
        self.retry = retry
        self.status = path
        self.draws = draws
    }

    mutating func start(_ step: Step, at now: Duration) -> Turn {
        startedAt = now
        return begin(step, at: now)
    }

    /// Opens the step now if the path allows, else waits for it.
    mutating func begin(_ step: Step, at now: Duration) -> Turn {
        switch policy.start(status, at: now, isFirst: isFirst) {
        case .mayStart:
            state = .idle
            isFirst = false
            isUnanswered = true
            // Made all the same, since the status can be wrong; but nobody should wonder.
            if isOffline {
                return Turn(actions: endOfWait() + beginOfWait(.unsatisfied), open: step)
            }
            return Turn(actions: isProbing ? [] : endOfWait(), open: step)
        case .mustWait(let wait, let until?):
            state = .sleeping(step, until: until)
            return Turn(actions: beginOfWait(wait) + [.wait(until - now)])
        case .mustWait(let wait, nil):
            state = .holding(step)
            return Turn(actions: beginOfWait(wait) + [.waitForPath(wait)])
        }
    }

    /// Begins the step after a delay.
    mutating func sleep(_ step: Step, for delay: Duration, at now: Duration) -> Turn {
        state = .sleeping(step, until: now + delay)
        return Turn(actions: [.wait(delay)])
    }

    /// Decides about a failed attempt and waits for what is needed before `next`; the reason if
    /// there is no next attempt.
    mutating func failed(
        _ failure: AttemptFailure,
        retryAfter: Duration?,
        authority: String,
        next: Step,
        at now: Duration
    ) -> Result<Turn, GivenUp> {
        switch decide(failure, retryAfter: retryAfter, authority: authority, at: now) {
        case .giveUp(let reason, let isResumable):
            return .failure(GivenUp(reason: reason, isResumable: isResumable))
        case .waitForPath:
            return .success(begin(next, at: now))
        case .retry(let delay, _):
            var turn = sleep(next, for: delay, at: now)
            isProbing = isWaitingBlindly(failure)
            let notice = isProbing ? beginOfWait(.unsatisfied) : []
            turn.actions.insert(
                contentsOf: notice + [.report(.retrying(after: delay, failure))],
                at: 0
            )
            return .success(turn)
        }
    }

    private mutating func decide(
        _ failure: AttemptFailure,
        retryAfter: Duration?,
        authority: String,
        at now: Duration
    ) -> RetryDecision {
        if retry.isRetried(failure), retry.policy.resumesByItself, case .transport = failure,
            case .mustWait(let wait, nil) = policy.start(status, at: now, isFirst: false)
        {
            return .waitForPath(wait)
        }
        return retry.failed(
            failure,
            retryAfter: retryAfter,
            authority: authority,
            elapsed: now - startedAt,
            usesBudget: !isWaitingBlindly(failure)
        )
    }

    /// Waits for connectivity, but nobody tells when it is back: attempts find out.
    private func isWaitingBlindly(_ failure: AttemptFailure) -> Bool {
        guard policy.waitsForConnectivity, status == nil, case .transport(let kind) = failure else {
            return false
        }
        return kind.isConnect
    }

    /// The server was reached.
    mutating func connected() -> [TransferAction] {
        isProbing = false
        isUnanswered = false
        return endOfWait()
    }

    /// A request failed, which may show that the server was reached.
    mutating func connected(despite failure: TransportFailure) -> [TransferAction] {
        isUnanswered = false
        if failure.isConnect || failure == .idleTimeout && isOffline { return [] }
        return connected()
    }

    /// Waits for connectivity, and the path's status says that there is none.
    private var isOffline: Bool { policy.waitsForConnectivity && status?.isSatisfied == false }

    mutating func timerFired(at now: Duration) -> Turn {
        guard case .sleeping(let step, let until) = state else { return Turn() }
        if now < until { return Turn(actions: [.wait(until - now)]) }
        return begin(step, at: now)
    }

    /// Takes a new status; false if it is older than the last one.
    mutating func learn(_ new: PathStatus) -> Bool {
        if let status, new.sequence < status.sequence { return false }
        gotBetterPath = new.hasBetterPath && status?.hasBetterPath != true
        status = new
        return true
    }

    mutating func nudge() { policy.isUserInitiated = true }

    /// Looks again at a step that is held back; it begins within a second of becoming possible.
    mutating func reconsider(at now: Duration) -> Turn {
        guard case .holding(let step) = state else { return Turn() }
        switch policy.start(status, at: now, isFirst: isFirst) {
        case .mayStart: return sleepShortly(step, at: now)
        case .mustWait: return begin(step, at: now)
        }
    }

    /// Begins the step within a second, so that not all clients come at once.
    mutating func sleepShortly(_ step: Step, at now: Duration) -> Turn {
        isUnanswered = false
        defer { waits += 1 }
        return sleep(
            step,
            for: draws.duration(below: .seconds(1), for: .pathChange, at: waits),
            at: now
        )
    }

    /// Tells that an open request which nothing has answered waits for a path.
    mutating func noticeOutage() -> [TransferAction] {
        isUnanswered && isOffline ? beginOfWait(.unsatisfied) : []
    }

    /// Whether a path is back, and what the open request sent into the outage may be lost: another one
    /// gets through at once, where this one would be known to have failed after its timeout only.
    var isLeftInOutage: Bool {
        isUnanswered && notice == .unsatisfied && policy.waitsForConnectivity
            && status?.isSatisfied == true
    }

    /// Whether the open request had better continue over a new connection.
    ///
    /// Once for each better path: others may stay on the old one for long.
    var shouldMove: Bool {
        policy.movesToBetterPath && gotBetterPath && status?.isSatisfied == true
    }

    /// Why the open request must end now.
    var refusal: PathWait? { status.flatMap { policy.refusal(of: $0) } }

    /// The step that waits, which then waits no more.
    mutating func takeWaiting() -> Step? {
        defer { state = .idle }
        switch state {
        case .idle: return nil
        case .sleeping(let step, _), .holding(let step): return step
        }
    }

    /// One `waiting` event for each wait, also if what it waits for changes meanwhile, unless it begins
    /// or stops being a turn: whatever gives the turns has to know.
    private mutating func beginOfWait(_ wait: PathWait) -> [TransferAction] {
        guard notice == nil || (notice == .turn) != (wait == .turn) else { return [] }
        notice = wait
        return [.report(.waiting(wait))]
    }

    private mutating func endOfWait() -> [TransferAction] {
        guard notice != nil else { return [] }
        notice = nil
        return [.report(.resumed)]
    }
}

extension TransferAction {
    static let explainMove = TransferAction.explain(
        "a better path is there: continuing over a new connection"
    )
}

/// No further attempt is made.
struct GivenUp: Error {
    var reason: GiveUpReason
    var isResumable: Bool
}
