import Basics
import ResumableClient
import Testing

@Suite struct RetryPolicyTests {
    private let lost = AttemptFailure.transport(.connectionLost)

    private func tracker(
        _ policy: RetryPolicy = .foreground,
        draws: RandomDraws = .half,
        tokens: RetryTokens = RetryTokens()
    ) -> RetryTracker {
        RetryTracker(policy, draws: draws, tokens: tokens)
    }

    private func delay(_ decision: RetryDecision) -> Duration? {
        guard case .retry(let delay, _) = decision else { return nil }
        return delay
    }

    @Test func `the numbers of the foreground`() {
        let policy = RetryPolicy.foreground
        #expect(policy.base == .milliseconds(500))
        #expect(policy.cap == .seconds(30))
        #expect(policy.floor == .milliseconds(100))
        #expect(policy.failuresWithoutProgress == 8)
        #expect(policy.attempts == 100)
        #expect(policy.deadline == nil)
        #expect(policy.longestRetryAfter == .seconds(300))
        #expect(!policy.restartsFromZero)
        #expect(policy.connectTimeout == .seconds(10))
        #expect(policy.idleTimeout == .seconds(30))
    }

    @Test func `the numbers of the background (S14)`() {
        let policy = RetryPolicy.background
        #expect(policy.base == .seconds(5))
        #expect(policy.cap == .seconds(900))
        #expect(policy.failuresWithoutProgress == 100)
        #expect(policy.attempts == 1_000)
        #expect(policy.longestRetryAfter == .seconds(86_400))
        #expect(policy.restartsFromZero)
        #expect(policy.idleTimeout == .seconds(60))
    }

    @Test func `the bound doubles from the base up to the cap, however many failures`() {
        let policy = RetryPolicy.foreground
        let bounds = (0..<9).map { policy.bound(after: $0) }
        #expect(
            bounds
                == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]
                .map { .milliseconds($0) }
        )
        #expect(policy.bound(after: .max) == .seconds(30))
        #expect(policy.bound(after: -1) == .milliseconds(500))
    }

    @Test func `each failure in a row draws below the next bound`() {
        var tracker = tracker()
        let delays = (0..<7).map { _ in
            delay(tracker.failed(lost, authority: "a", elapsed: .zero))
        }
        #expect(
            delays == [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000].map { .milliseconds($0) }
        )
    }

    /// Seed 20,251, 10,000 draws below 500 ms.
    ///
    /// The mean of uniform draws has the standard deviation
    /// 500/√12/√10,000 = 1.44 ms, so 250 ± 7.2 holds with five of them; each of ten equal classes
    /// has 1,000 ± 30 (√(10,000·0.1·0.9)), so ±150 holds with five of them.
    @Test func `full jitter is even over the whole of the bound`() {
        let draws = RandomDraws.seeded(20_251)
        var classes = Array(repeating: 0, count: 10)
        var sum: Int64 = 0
        for ordinal in 0..<10_000 {
            let drawn = draws.duration(
                below: .milliseconds(500),
                for: .backoff,
                at: UInt64(ordinal)
            )
            #expect(drawn >= .zero && drawn < .milliseconds(500))
            let nanoseconds = drawn.nanoseconds
            sum += nanoseconds
            classes[Int(nanoseconds / 50_000_000)] += 1
        }
        let mean = sum / 10_000
        #expect((242_800_000...257_200_000).contains(mean))
        #expect(classes.allSatisfy { (850...1_150).contains($0) }, "\(classes)")
    }

    @Test func `delays depend only on seed and failures, so runs repeat`() {
        func delays() -> [Duration?] {
            var tracker = tracker(draws: .seeded(7))
            return (0..<7).map { _ in
                delay(tracker.failed(lost, authority: "a", elapsed: .zero))
            }
        }
        #expect(delays() == delays())
        #expect(Set(delays()).count == 7)
    }

    @Test func `the first retry after a lost connection may be at once, all others after 100 ms`() {
        var lossy = tracker(draws: .none)
        #expect(delay(lossy.failed(lost, authority: "a", elapsed: .zero)) == .zero)
        #expect(
            delay(lossy.failed(lost, authority: "a", elapsed: .zero)) == .milliseconds(100)
        )
        var refused = tracker(draws: .none)
        #expect(
            delay(refused.failed(.status(503), authority: "a", elapsed: .zero))
                == .milliseconds(100)
        )
    }

    @Test func `eight failures without progress are the budget`() {
        var tracker = tracker()
        for _ in 0..<7 {
            #expect(delay(tracker.failed(lost, authority: "a", elapsed: .zero)) != nil)
        }
        #expect(
            tracker.failed(lost, authority: "a", elapsed: .zero)
                == .giveUp(.noProgress(failures: 8, last: lost), isResumable: true)
        )
    }

    @Test func `only progress resets the failures in a row, the total goes on`() {
        var tracker = tracker()
        for _ in 0..<99 {
            #expect(delay(tracker.failed(lost, authority: "a", elapsed: .zero)) != nil)
            tracker.progressed(authority: "a")
            #expect(tracker.failures == 0)
        }
        #expect(
            tracker.failed(lost, authority: "a", elapsed: .zero)
                == .giveUp(.tooManyAttempts(100, last: lost), isResumable: true)
        )
    }

    @Test func `a delay that passes the deadline ends the transfer with resume data`() {
        var policy = RetryPolicy.foreground
        policy.deadline = .seconds(10)
        var tracker = tracker(policy)
        #expect(
            delay(tracker.failed(lost, authority: "a", elapsed: .milliseconds(9_749))) != nil
        )
        #expect(
            tracker.failed(lost, authority: "a", elapsed: .milliseconds(9_500))
                == .giveUp(.deadline(last: lost), isResumable: true)
        )
    }

    @Test func `the longest Retry-After is waited for, a longer one is not`() {
        let busy = AttemptFailure.status(503)
        func decision(_ seconds: Int64) -> RetryDecision {
            var tracker = tracker(.foreground)
            return tracker.failed(
                busy,
                retryAfter: .seconds(seconds),
                authority: "a",
                elapsed: .zero
            )
        }
        #expect(delay(decision(300)) != nil)
        #expect(decision(301) == .giveUp(.retryAfterTooLong(.seconds(301)), isResumable: true))
    }

    @Test func `without resuming by itself the first failure ends, resumable (S8)`() {
        var policy = RetryPolicy.foreground
        policy.resumesByItself = false
        var tracker = tracker(policy)
        #expect(
            tracker.failed(lost, authority: "a", elapsed: .zero)
                == .giveUp(.notByItself(lost), isResumable: true)
        )
    }

    // MARK: Tokens

    @Test func `all transfers to one authority share twenty tokens`() {
        let tokens = RetryTokens()
        var policy = RetryPolicy.foreground
        policy.failuresWithoutProgress = 100
        var one = tracker(policy, tokens: tokens)
        var other = tracker(policy, tokens: tokens)
        for _ in 0..<10 {
            _ = one.failed(lost, authority: "a", elapsed: .zero)
            _ = other.failed(lost, authority: "a", elapsed: .zero)
        }
        #expect(tokens.left("a") == 0)
        #expect(tokens.left("b") == 20)
        var fresh = tracker(tokens: tokens)
        #expect(delay(fresh.failed(lost, authority: "a", elapsed: .zero)) == .seconds(30))
        #expect(delay(fresh.failed(lost, authority: "b", elapsed: .zero)) != .seconds(30))
    }

    @Test func `success and progress after a failure give one token back, and no more than it has`()
    {
        let tokens = RetryTokens()
        var tracker = tracker(tokens: tokens)
        for _ in 0..<3 { _ = tracker.failed(lost, authority: "a", elapsed: .zero) }
        #expect(tokens.left("a") == 17)
        tracker.progressed(authority: "a")
        tracker.progressed(authority: "a")
        #expect(tokens.left("a") == 18)
        tracker.succeeded(authority: "a")
        tracker.succeeded(authority: "a")
        tracker.succeeded(authority: "a")
        #expect(tokens.left("a") == 20)
    }

    // MARK: Retry-After

    @Test(arguments: [
        // After the first failure the delay without the field is 250 ms.
        (0, 500), (1, 1_550), (10, 11_000), (100, 105_500), (300, 315_000),
    ])
    func `Retry-After is kept with a tenth and a second of spread, never earlier`(
        seconds: Int64,
        expected: Int64
    ) {
        var tracker = tracker()
        let decision = tracker.failed(
            .status(503),
            retryAfter: .seconds(seconds),
            authority: "a",
            elapsed: .zero
        )
        #expect(delay(decision) == .milliseconds(expected))
    }

    @Test func `a longer computed delay stands beside a short Retry-After`() {
        var tracker = tracker()
        for _ in 0..<5 { _ = tracker.failed(.status(503), authority: "a", elapsed: .zero) }
        let decision = tracker.failed(
            .status(503),
            retryAfter: .seconds(1),
            authority: "a",
            elapsed: .zero
        )
        #expect(delay(decision) == .seconds(8))
    }

    @Test func `a Retry-After above the limit ends the transfer with resume data`() {
        var tracker = tracker()
        #expect(
            tracker.failed(
                .status(503),
                retryAfter: .seconds(301),
                authority: "a",
                elapsed: .zero
            ) == .giveUp(.retryAfterTooLong(.seconds(301)), isResumable: true)
        )
    }

    @Test func `the spread of a Retry-After is at most the cap`() {
        var tracker = tracker(.background)
        let decision = tracker.failed(
            .status(503),
            retryAfter: .seconds(80_000),
            authority: "a",
            elapsed: .zero
        )
        // 10 % would be 8,000 s; the cap is 900 s and half of it is drawn.
        #expect(delay(decision) == .seconds(80_450))
    }

    // MARK: What is retried

    @Test(arguments: 300..<600)
    func `a status is retried only if it is one that may pass`(status: Int) {
        var tracker = tracker()
        let isRetried = delay(
            tracker.failed(.status(status), authority: "a", elapsed: .zero)
        )
        #expect(
            (isRetried != nil) == [408, 425, 429, 500, 502, 503, 504].contains(status)
        )
    }

    @Test(arguments: [408, 425, 429])
    func `no 4xx is retried by a strict client`(status: Int) {
        var policy = RetryPolicy.foreground
        policy.strictClientErrors = true
        var tracker = tracker(policy)
        #expect(delay(tracker.failed(.status(status), authority: "a", elapsed: .zero)) == nil)
    }

    @Test(arguments: TransportFailure.allCases)
    func `failures of the transport are retried, but not what is no HTTP or not trusted`(
        failure: TransportFailure
    ) {
        var tracker = tracker()
        let isRetried =
            delay(tracker.failed(.transport(failure), authority: "a", elapsed: .zero)) != nil
        #expect(isRetried == (failure != .malformed && failure != .untrusted))
    }

    @Test func `failures that use no budget still lengthen the delay`() {
        var tracker = tracker()
        let delays = (0..<20).map { _ in
            delay(
                tracker.failed(
                    .transport(.notConnected),
                    authority: "a",
                    elapsed: .zero,
                    usesBudget: false
                )
            )
        }
        #expect(Array(delays[..<3]) == [250, 500, 1_000].map { .milliseconds($0) })
        #expect(delays.last == .some(.seconds(15)))
        #expect(tracker.failures == 0)
    }
}
