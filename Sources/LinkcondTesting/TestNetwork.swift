internal import Exploration
internal import SystemIO
internal import Trials

/// The network of one test while it is there.
struct TestNetwork: Sendable {
    let place: Linkcond
    private let number: UInt64
    private let thread: LoopThread<TestSandbox>
    private let outcome: AsyncStream<TrialOutcome>

    /// Opens a network.
    static func open(_ options: LinkcondOptions) async throws(LinkcondError) -> TestNetwork {
        let (thread, number) = try SharedThread.take()
        let (outcome, end) = AsyncStream.makeStream(of: TrialOutcome.self)
        let opened: Result<Linkcond, LinkcondError> = await withCheckedContinuation { waiting in
            thread.run { sandbox in
                let opened = sandbox.open(number, options) {
                    end.yield($0)
                    end.finish()
                }
                waiting.resume(returning: opened)
            }
        }
        do throws(LinkcondError) {
            let place = try opened.get()
            return TestNetwork(place: place, number: number, thread: thread, outcome: outcome)
        } catch {
            SharedThread.giveBack()
            throw error
        }
    }

    /// Ends the network once the test's client has come to its end; call it once.
    ///
    /// - Parameter isSuccess: what the client says of itself.
    /// - Returns: what came of it.
    func close(isSuccess: Bool) async -> TrialOutcome? {
        thread.run { [number] in $0.end(number, code: isSuccess ? 0 : 1) }
        var last: TrialOutcome?
        for await found in outcome { last = found }
        SharedThread.giveBack()
        return last
    }
}

/// The one thread that the networks of all tests share; it is there as long as there are any.
enum SharedThread {
    private struct State: Sendable {
        var thread: LoopThread<TestSandbox>?
        var users = 0
        var taken: UInt64 = 0
    }

    private static let state = Locked(State())

    /// The thread, and a number that nobody else gets.
    static func take() throws(LinkcondError) -> (LoopThread<TestSandbox>, UInt64) {
        let taken: Result<(LoopThread<TestSandbox>, UInt64), LinkcondError> = state.withLock {
            state in
            do throws(SystemError) {
                let thread: LoopThread<TestSandbox>
                if let running = state.thread {
                    thread = running
                } else {
                    thread = try LoopThread { loop throws(SystemError) in
                        TestSandbox(loop)
                    } close: {
                        $0.close()
                    }
                }
                state.thread = thread
                state.users += 1
                state.taken += 1
                return .success((thread, state.taken))
            } catch {
                return .failure(LinkcondError("cannot start the network's thread: \(error)"))
            }
        }
        return try taken.get()
    }

    /// The thread if there is one, to be given back.
    static func join() -> LoopThread<TestSandbox>? {
        state.withLock { state in
            if state.thread != nil { state.users += 1 }
            return state.thread
        }
    }

    static func giveBack() {
        state.withLock { state in
            state.users -= 1
            guard state.users == 0 else { return }
            state.thread?.stop()
            state.thread = nil
        }
    }
}
