internal import CLibuv
internal import CLibrary

/// A loop on a thread of its own, with state that only this thread sees.
///
/// Other threads hand it work; `LoopWakeup` is the only way in. The thread takes no signals.
@safe
package final class LoopThread<State>: Sendable {
    package typealias Work = @Sendable (State) -> Void

    private let inbox = Locked(Inbox())
    private let wakeup: LoopWakeup
    /// Touched by the thread alone, once it runs.
    private nonisolated(unsafe) let loop: EventLoop
    private nonisolated(unsafe) let state: State
    private let close: Work

    private struct Inbox: Sendable {
        var work: [Work] = []
        var isStopped = false
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - make: makes the state; runs before this returns.
    ///   - close: runs as the last work of the thread.
    /// - Throws: what the system says when it has no descriptor or thread left.
    package init(
        make: (EventLoop) throws(SystemError) -> State,
        close: @escaping Work
    ) throws(SystemError) {
        let loop = try EventLoop()
        let bell = Bell()
        wakeup = try LoopWakeup(loop: loop) { bell.ring() }
        do throws(SystemError) {
            unsafe state = try make(loop)
        } catch {
            wakeup.close()
            loop.stop()
            for _ in 0..<4 { loop.runOnce() }
            throw error
        }
        unsafe self.loop = loop
        self.close = close
        bell.ring = { [weak self] in self?.work() }
        try start()
    }

    private final class Bell {
        var ring: () -> Void = {}
    }

    /// Lets the thread do something soon, in the order of the calls; nothing after `stop`.
    package func run(_ work: @escaping Work) {
        inbox.withLock { inbox in
            guard !inbox.isStopped else { return }
            inbox.work.append(work)
            wakeup.wake()
        }
    }

    /// Ends the thread once the work so far is done.
    package func stop() {
        inbox.withLock { inbox in
            guard !inbox.isStopped else { return }
            inbox.isStopped = true
            wakeup.wake()
        }
    }

    /// What the thread runs: all that came, then the end if it was asked for.
    private func work() {
        let (work, isStopped) = inbox.withLock { inbox in
            defer { inbox.work.removeAll() }
            return (inbox.work, inbox.isStopped)
        }
        for item in work { unsafe item(state) }
        guard isStopped else { return }
        unsafe close(state)
        unsafe loop.stop()
    }

    private func runToEnd() {
        unsafe loop.run()
        unsafe loop.finishPendingWork()
        wakeup.close()
        unsafe loop.stop()
        // What is closed is seen to be closed.
        for _ in 0..<4 { unsafe loop.runOnce() }
    }

    private func start() throws(SystemError) {
        try DetachedThread.start { [self] in runToEnd() }
    }
}
