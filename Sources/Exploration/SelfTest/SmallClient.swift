internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import Proxy
internal import SystemIO
internal import Trials

/// What the small clients have in common: where they are, what they have open, how they end.
class SmallClient: ClientCode {
    let habits: ClientHabits
    let alarms: TimerQueue
    let loop: EventLoop
    private var http: HTTPClient?
    private let seed: UInt64
    private(set) var place: TrialPlace?
    private var done: ((Int) -> Void)?
    private var retries: RetryLoop?
    /// Requests under way; more than one only by mistake.
    private var exchanges: [SmallExchange] = []

    /// How long a request that was left open stays so.
    private static let openTime = Duration.milliseconds(300)

    /// What a client with an honest failure answers.
    static let failureCode = 1

    init(_ habits: ClientHabits, loop: EventLoop, seed: UInt64) throws(SystemError) {
        self.habits = habits
        self.seed = seed
        self.loop = loop
        alarms = try TimerQueue(loop: loop)
    }

    func start(_ place: TrialPlace, done: @escaping (Int) -> Void) {
        self.place = place
        self.done = done
        retries = RetryLoop(habits, seed: seed ^ place.seed, alarms: alarms)
        http = try? HTTPClient(loop: loop, settings: settings(place.trust))
        begin()
    }

    private func settings(_ trust: TrialPlace.Trust?) throws(TLSError) -> HTTPClientSettings {
        var settings = HTTPClientSettings()
        // Each has its own limit, except the one that has none.
        settings.progressTime = .seconds(3_600)
        let isLimited = habits.hasTimeLimit && habits.limitsHandshakes
        settings.connectTime = isLimited ? .milliseconds(1_500) : .seconds(3_600)
        guard let trust else { return settings }
        settings.tls = try .client(
            authorities: trust.certificate,
            verifiesPeer: habits.checksCertificates
        )
        return settings
    }

    func cancel() { finish(Self.failureCode) }

    /// Makes the first try.
    func begin() {}

    /// Sends a request to the trial's address.
    func send(
        _ method: String,
        _ target: String,
        _ fields: HeaderFields = [:],
        body: MessageBody = .none,
        hearsEarlyAnswers: Bool = true,
        onEnd: @escaping (SmallExchange.Ending) -> Void
    ) {
        guard let endpoint, let http else { return finish(Self.failureCode) }
        let request = ClientRequest(method, endpoint, target: target, fields: fields, body: body)
        exchanges.append(
            SmallExchange(
                request,
                http,
                alarms,
                habits,
                hearsEarlyAnswers: hearsEarlyAnswers,
                onEnd: onEnd
            )
        )
    }

    /// The request that was sent last.
    var latest: SmallExchange? { exchanges.last }

    /// Whether this is not the first try.
    var isRetrying: Bool { (retries?.tries ?? 1) > 1 }

    /// Tries again after a while, or fails.
    func again(
        after answer: ResponseHead? = nil,
        atLeastMilliseconds least: UInt64 = 0,
        _ action: @escaping () -> Void
    ) {
        guard habits.isHonest else { return finish(0) }
        // Only the one mistake leaves a request open.
        if habits.endsOldRequest { exchanges.removeAll() }
        let isPatient = retries?.again(after: answer, atLeastMilliseconds: least) { [weak self] in
            guard let self, done != nil else { return }
            action()
        }
        if isPatient != true { fail() }
    }

    /// Ends well; whoever has left a request open waits for it, in vain.
    func succeed() {
        guard !habits.endsOldRequest, exchanges.count > 1 else { return finish(0) }
        _ = alarms.set(after: Self.openTime) { [weak self] in self?.finish(0) }
    }

    func fail() { finish(Self.failureCode) }

    func finish(_ code: Int) {
        guard let done else { return }
        self.done = nil
        retries?.close()
        for exchange in exchanges { exchange.cancel() }
        // Whoever calls this may be in the middle of the client's work.
        _ = alarms.set(after: .zero) { [self] in
            exchanges.removeAll()
            http?.close()
            alarms.close()
            done(code)
        }
    }

    /// Whether another try may have another end.
    static func isPassing(_ status: Int) -> Bool {
        status >= 500 && status != 501 || [408, 423, 425, 429].contains(status)
    }

    private var endpoint: ClientEndpoint? {
        guard let place, let url = try? HTTPURL("\(place.url)/") else { return nil }
        return ClientEndpoint(url)
    }
}
