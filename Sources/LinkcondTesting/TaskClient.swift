internal import SystemIO
internal import Trials

/// A client that is a task, on threads of its own; only its end comes to the loop's thread.
final class TaskClient: ClientCode {
    private let body: @Sendable (Linkcond) async throws -> Void
    private unowned let sandbox: TestSandbox
    private let thread: LoopThread<TestSandbox>
    private var task: Task<Void, Never>?

    init(
        _ body: @escaping @Sendable (Linkcond) async throws -> Void,
        of sandbox: TestSandbox,
        on thread: LoopThread<TestSandbox>
    ) {
        self.body = body
        self.sandbox = sandbox
        self.thread = thread
    }

    func start(_ place: TrialPlace, done: @escaping (Int) -> Void) {
        let network = Linkcond(place)
        let number = sandbox.expect(done)
        task = Task(executorPreference: TaskThreads.shared) { [body, thread] in
            var code = 0
            do {
                try await Linkcond.$current.withValue(network) { try await body(network) }
            } catch {
                code = 1
            }
            thread.run { [code] in $0.endRun(number, code: code) }
        }
    }

    func cancel() { task?.cancel() }
}
