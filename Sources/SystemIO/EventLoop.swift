package import Basics
internal import CLibuv
internal import CLibrary

/// One thread's events: sockets, timers, signals, names.
///
/// How it waits is `LoopWait`'s, which depends on the system; timers, signals, name lookup and child
/// processes are libuv's.
///
/// All calls come from the thread that runs the loop, but for `LoopWakeup.wake()`.
@safe
package final class EventLoop {
    private let loop: UnsafeMutablePointer<uv_loop_t>
    let wait: LoopWait
    private var deferred: [Deferred] = []
    private var running: [Deferred] = []
    private var line = WaitingLine()
    /// Bytes that were moved since the last look at the descriptors.
    private var movedBytes = 0
    private var isStopping = false
    /// Work in the background, and name lookups, without an answer; the loop must not end before.
    package internal(set) var pendingWork = 0
    /// For all that waits on its connections.
    package let chunks = ChunkPool()
    /// For what the other ends of its connections have not read.
    package private(set) lazy var diagnosis = SocketDiagnosis()

    private struct Deferred {
        let handler: any ReadinessHandler
        let tag: UInt32
    }

    /// So many bytes move between two looks at the descriptors, and what the last one in line adds.
    package static let bytesPerTurn = 262_144

    /// Makes a loop, and ignores SIGPIPE in the whole process.
    ///
    /// `splice` to a socket whose peer is gone would end the process otherwise: unlike `send` it
    /// has no flag against that.
    package init() throws(SystemError) {
        signal(SIGPIPE, SIG_IGN)
        let memory = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
        unsafe loop = memory
        do throws(SystemError) {
            try SystemError.check(unsafe uv_loop_init(memory))
        } catch {
            unsafe memory.deallocate()
            throw error
        }
        do throws(SystemError) {
            wait = try unsafe LoopWait(memory)
        } catch {
            unsafe uv_loop_close(memory)
            unsafe memory.deallocate()
            throw error
        }
    }

    /// Ends a loop on which no handle is open any more; an open one is a programmer's error.
    deinit {
        wait.end()
        // Close callbacks that are still due run here.
        unsafe uv_run(loop, UV_RUN_NOWAIT)
        let status = unsafe uv_loop_close(loop)
        precondition(status == 0, "an event loop ended with open handles")
        unsafe loop.deallocate()
    }

    /// The time on the loop's clock: the monotonic one, unless `setSpeed` has made it faster.
    package var now: Instant { clock.time(atReal: realNow) }

    /// The time on the monotonic clock.
    package var realNow: Instant { Instant(nanoseconds: Int64(uv_hrtime())) }

    private(set) var clock = LoopClock()

    /// How many times as fast as the monotonic clock this one runs.
    package var speed: UInt64 { clock.speed }

    /// Makes the loop's clock run this many times as fast, and with it everything that waits for it.
    ///
    /// To be called while nothing waits for one: a time that was waited for before may come late.
    package func setSpeed(_ speed: UInt64) { clock.setSpeed(speed, atReal: realNow) }

    /// How often the loop has looked for events.
    package private(set) var turnCount: UInt64 = 0

    /// How many descriptors are watched: sockets, listeners, timers that are descriptors, and two of the
    /// loop's own.
    package var watchedDescriptors: Int { wait.poller.count }

    /// Runs until `stop()`.
    package func run() {
        isStopping = false
        while !isStopping { turn() }
    }

    /// Waits for something to happen, handles it, and returns.
    package func runOnce() { turn() }

    /// Runs until no work in the background is left.
    package func finishPendingWork() {
        while pendingWork > 0 { turn() }
    }

    /// Lets what was closed be seen to be closed; waits for nothing.
    package func finishClosing() {
        // A loop that is told to stop does not wait for events. A handle closes within two turns,
        // and may close another then.
        stop()
        for _ in 0..<4 { turn() }
    }

    /// Lets `run()` return after the present turn.
    package func stop() {
        isStopping = true
        wait.noteWork()
    }

    /// Watches `socket`, edge-triggered, for everything that can happen to it.
    ///
    /// Each change is reported once: read and write until the socket would block. A reset is
    /// reported whether or not anybody reads.
    package func watch(
        _ socket: borrowing Socket,
        handler: any ReadinessHandler,
        tag: UInt32 = 0
    ) throws(SystemError) -> WatchToken {
        try wait.poller.add(
            socket.descriptor,
            socket.interest,
            for: Readiness.allEvents,
            edgeTriggered: true,
            handler: handler,
            tag: tag
        )
    }

    /// Watches a listening socket or one for datagrams, level-triggered, for reading.
    func watchReading(
        _ socket: borrowing Socket,
        handler: any ReadinessHandler,
        tag: UInt32 = 0
    ) throws(SystemError) -> WatchToken {
        try wait.poller.add(
            socket.descriptor,
            socket.interest,
            for: Readiness.readingEvents,
            edgeTriggered: false,
            handler: handler,
            tag: tag
        )
    }

    /// Lets another handler have the reports of `token`.
    package func rewatch(_ token: WatchToken, handler: any ReadinessHandler, tag: UInt32 = 0) {
        wait.poller.replaceHandler(of: token, handler, tag)
    }

    /// Says whether the arrival of bytes is reported; the end and the failure of `socket` always are.
    ///
    /// A full socket that nobody reads for now would report each segment that still comes.
    package func reportArrivals(_ reports: Bool, at socket: borrowing Socket, _ token: WatchToken) {
        let interest = reports ? Readiness.allEvents : Readiness.withoutArrivals
        wait.poller.change(socket.descriptor, token, to: interest)
    }

    /// Ends reports for `token`.
    ///
    /// Call it before the descriptor is closed. It may be called twice.
    package func unwatch(_ token: WatchToken) { wait.poller.release(token) }

    /// Ends reports for a socket that stays open, and may be watched again.
    package func unwatch(_ socket: borrowing Socket, _ token: WatchToken) {
        wait.poller.remove(socket.descriptor, token)
    }

    /// Calls `handler.ready(.none, tag:)` once after the events of the present turn.
    ///
    /// What is deferred meanwhile runs a turn later, after a look at all descriptors.
    package func runLater(_ handler: any ReadinessHandler, tag: UInt32 = 0) {
        deferred.append(Deferred(handler: handler, tag: tag))
        wait.noteWork()
    }

    /// Calls `handler.ready(.none, tag: 0)` once all who wait in line already have had their turn.
    ///
    /// For work in bulk: a turn of the loop serves so many of the line as move `bytesPerTurn`, but at
    /// least one. So what has little to do never waits for all who have much.
    package func waitInLine(_ handler: any ReadinessHandler) {
        line.append(handler)
        wait.noteWork()
    }

    /// Notes what a handler has moved.
    package func noteMoved(_ bytes: Int) { movedBytes += bytes }

    /// Whether as much has moved as should between two looks at the descriptors.
    package var isTurnSpent: Bool { movedBytes >= Self.bytesPerTurn }

    /// Makes a libuv handle of `type` on this loop.
    func makeHandle(
        _ type: uv_handle_type,
        initialize: (UnsafeMutablePointer<uv_loop_t>, UnsafeMutableRawPointer) -> CInt
    ) throws(SystemError) -> Handle {
        noteChange()
        return try unsafe Handle(type) { memory in unsafe initialize(loop, memory) }
    }

    /// Starts a libuv request on this loop.
    func startRequest(
        _ start: (UnsafeMutablePointer<uv_loop_t>) -> CInt
    ) throws(SystemError) {
        noteChange()
        try SystemError.check(unsafe start(loop))
    }

    /// Says that a handle was started, stopped or closed.
    func noteChange() { wait.noteChange() }

    /// Brings libuv's idea of now up to date: it runs only when it has work.
    func updateTime() { unsafe uv_update_time(loop) }

    /// Waits unless there is work, then does all work that came up.
    private func turn() {
        turnCount &+= 1
        movedBytes = 0
        wait.turn(waits: deferred.isEmpty && line.isEmpty && !isStopping)
        runDeferred()
        serveLine()
    }

    private func runDeferred() {
        guard !deferred.isEmpty else { return }
        swap(&deferred, &running)
        for entry in running { entry.handler.ready(.none, tag: entry.tag) }
        running.removeAll(keepingCapacity: true)
    }

    private func serveLine() {
        // Who comes back to the line meanwhile waits for the next look.
        for round in 0..<line.count where round == 0 || !isTurnSpent {
            line.popFirst()?.ready(.none, tag: 0)
        }
    }
}
