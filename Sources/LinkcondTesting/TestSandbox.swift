internal import Exploration
internal import SystemIO
internal import Trials

/// The trials whose clients are tests; on the loop's thread alone.
final class TestSandbox {
    private let sandbox: Result<Sandbox, SandboxError>
    private var clients: [UInt64: TestClient] = [:]
    private var running: [UInt64: RunningTrial] = [:]
    private var explorations: [UInt64: TestExploration] = [:]
    /// Of the runs of explorations: what to call when the client has come to its end.
    private var expected: [UInt64: (Int) -> Void] = [:]
    private var nextExpected: UInt64 = 1

    /// What a test's client keeps open does not delay the next test for long.
    private static let drainMilliseconds: UInt64 = 200

    init(_ loop: EventLoop) {
        var settings = SandboxSettings(tool: "LinkcondTesting", temporaryFolder: "/tmp")
        settings.drainMilliseconds = Self.drainMilliseconds
        sandbox = Result { () throws(SandboxError) in try Sandbox(loop: loop, settings: settings) }
    }

    func close() {
        for exploration in explorations.values { exploration.close() }
        if case .success(let sandbox) = sandbox { sandbox.close() }
    }

    /// Opens a network.
    ///
    /// - Parameters:
    ///   - number: by which it is ended.
    ///   - options: what it is like.
    ///   - onEnd: called once it has ended, unless it could not be opened.
    /// - Returns: where it is, or why it is not.
    func open(
        _ number: UInt64,
        _ options: LinkcondOptions,
        onEnd: @escaping (TrialOutcome) -> Void
    ) -> Result<Linkcond, LinkcondError> {
        let client = TestClient()
        var place: Linkcond?
        do throws(LinkcondError) {
            let trial = try options.trial(client)
            let sandbox = try get()
            do throws(SandboxError) {
                let started = try sandbox.start(
                    trial,
                    onReady: { place = Linkcond($0, number: number) }
                ) { [weak self] outcome in
                    self?.clients[number] = nil
                    self?.running[number] = nil
                    onEnd(outcome)
                }
                running[number] = started
            } catch {
                throw LinkcondError(error.description)
            }
            clients[number] = client
            guard let place else { throw LinkcondError("the network has no place") }
            return .success(place)
        } catch {
            return .failure(error)
        }
    }

    /// A network that is open; nil if it is over.
    func network(_ number: UInt64) -> LiveNetwork? {
        guard let trial = running[number], let proxy = trial.proxy else { return nil }
        return LiveNetwork(trial: trial, proxy: proxy)
    }

    /// The client of a network has come to its end.
    func end(_ number: UInt64, code: Int) { clients[number]?.end(code) }

    // MARK: Explorations

    /// Explores a client.
    ///
    /// - Parameters:
    ///   - number: that nobody else has.
    ///   - order: what to explore.
    ///   - thread: of this sandbox.
    ///   - onEnd: called once, on the loop.
    func explore(
        _ number: UInt64,
        _ order: ExplorationOrder,
        on thread: LoopThread<TestSandbox>,
        onEnd: @escaping (Result<LinkcondExploration, LinkcondError>) -> Void
    ) {
        do throws(LinkcondError) {
            let exploration = try TestExploration(order, in: self, on: thread) {
                [weak self] result in
                self?.explorations.removeValue(forKey: number)?.close()
                onEnd(result)
            }
            explorations[number] = exploration
            exploration.start()
        } catch {
            onEnd(.failure(error))
        }
    }

    /// The sandbox itself; why there is none otherwise.
    func get() throws(LinkcondError) -> Sandbox {
        do throws(SandboxError) {
            return try sandbox.get()
        } catch {
            throw LinkcondError(error.description)
        }
    }

    /// A client was started whose end comes from another thread, by a number.
    func expect(_ done: @escaping (Int) -> Void) -> UInt64 {
        defer { nextExpected += 1 }
        expected[nextExpected] = done
        return nextExpected
    }

    /// The client of a run has come to its end.
    func endRun(_ number: UInt64, code: Int) { expected.removeValue(forKey: number)?(code) }
}

/// A test body as the client of a trial.
final class TestClient: ClientCode {
    private var done: ((Int) -> Void)?

    func start(_ place: TrialPlace, done: @escaping (Int) -> Void) { self.done = done }

    func cancel() {}

    func end(_ code: Int) { done?(code) }
}
