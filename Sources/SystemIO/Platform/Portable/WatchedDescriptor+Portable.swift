internal import CLibrary
internal import CLibuv

/// A descriptor that libuv watches, and what of it is still to be reported.
///
/// libuv holds one reference from `init` until its close callback.
@safe
final class WatchedDescriptor {
    private let memory: UnsafeMutablePointer<uv_poll_t>
    private let number: CInt
    private unowned let poller: Poller
    private let token: WatchToken
    /// Whether what was reported is not asked for again by itself.
    private let isOnceOnly: Bool
    /// What its owner wants to hear of.
    private var wanted: UInt32
    /// What of that is asked for now.
    private var asked: UInt32
    /// Whether its failure, or the end of both halves, is still to be reported.
    private var mayFail: Bool
    /// What libuv was told to look for.
    private var started: CInt = 0
    private var isReporting = false
    private var isClosed = false

    init(
        _ number: CInt,
        on loop: UnsafeMutablePointer<uv_loop_t>,
        of poller: Poller,
        _ token: WatchToken,
        for events: UInt32,
        isOnceOnly: Bool
    ) throws(SystemError) {
        self.number = number
        self.poller = poller
        self.token = token
        self.isOnceOnly = isOnceOnly
        wanted = events
        asked = events
        mayFail = isOnceOnly
        unsafe memory = .allocate(capacity: 1)
        let status = unsafe uv_poll_init(loop, memory, number)
        guard status == 0 else {
            unsafe memory.deallocate()
            throw .libuv(status)
        }
        unsafe memory.pointee.data = Unmanaged.passRetained(self).toOpaque()
        start()
    }

    deinit { unsafe memory.deallocate() }

    /// Asks for one more report of this kind.
    func ask(for event: UInt32) {
        guard isOnceOnly, asked & event == 0 else { return }
        asked |= wanted & event
        if !isReporting { start() }
    }

    /// Asks for arrivals in a moment.
    func askSoon() { if !isClosed { poller.askSoon(for: self) } }

    /// Wants other events from now on, and asks for all of them.
    func change(to events: UInt32) {
        wanted = events
        asked = events
        mayFail = isOnceOnly
        if !isReporting { start() }
    }

    /// Ends the watch; the descriptor may be closed then.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        unsafe uv_poll_stop(memory)
        let memory = unsafe UnsafeMutableRawPointer(memory)
        let handle = unsafe memory.assumingMemoryBound(to: uv_handle_t.self)
        unsafe uv_close(handle) { handle in
            guard let data = unsafe handle?.pointee.data else { return }
            unsafe Unmanaged<WatchedDescriptor>.fromOpaque(data).release()
        }
    }

    // MARK: libuv

    /// Lets libuv look for what is asked for.
    private func start() {
        let events = needed
        guard !isClosed, events != started else { return }
        started = events
        unsafe uv_poll_start(memory, events) { handle, status, events in
            guard let data = unsafe handle?.pointee.data else { return }
            unsafe Unmanaged<WatchedDescriptor>.fromOpaque(data).takeUnretainedValue()
                .happened(status, UInt32(bitPattern: events))
        }
    }

    /// A failure alone is reported only where libuv looks for something: urgent data, which never
    /// comes, stands in for it.
    private var needed: CInt {
        var events: UInt32 = 0
        if asked & Readiness.input != 0 { events |= UV_READABLE.rawValue }
        if asked & Readiness.output != 0 { events |= UV_WRITABLE.rawValue }
        if asked & Readiness.peerEnded != 0 { events |= UV_DISCONNECT.rawValue }
        if mayFail { events |= UV_PRIORITIZED.rawValue }
        return CInt(bitPattern: events)
    }

    private func happened(_ status: CInt, _ events: UInt32) {
        guard !isClosed else { return }
        var bits: UInt32 = 0
        if events & UV_READABLE.rawValue != 0 { bits |= Readiness.input }
        if events & UV_WRITABLE.rawValue != 0 { bits |= Readiness.output }
        if events & UV_DISCONNECT.rawValue != 0 { bits |= Readiness.peerEnded }
        // libuv names a failure EBADF, and has stopped to look then.
        if status < 0 { started = 0 }
        let isEnding = events & (UV_DISCONNECT.rawValue | UV_PRIORITIZED.rawValue) != 0
        if status < 0 || isEnding { bits |= state }
        if isOnceOnly {
            asked &= ~bits
            if status < 0 || bits & (Readiness.failed | Readiness.hungUp) != 0
                || events & UV_PRIORITIZED.rawValue != 0
            {
                mayFail = false
            }
            if status < 0 { asked = 0 }
        }
        report(bits)
    }

    private func report(_ bits: UInt32) {
        isReporting = true
        if bits != 0 { poller.report(Readiness(events: bits), to: token) }
        isReporting = false
        start()
    }

    /// What poll(2) says of the descriptor, of which libuv tells only a part.
    private var state: UInt32 {
        var request = pollfd(fd: number, events: Int16(POLLIN | POLLOUT), revents: 0)
        guard unsafe poll(&request, 1, 0) > 0 else { return 0 }
        let events = CInt(request.revents)
        var bits: UInt32 = 0
        if events & CInt(POLLIN) != 0 { bits |= Readiness.input }
        if events & CInt(POLLOUT) != 0 { bits |= Readiness.output }
        if events & CInt(POLLHUP) != 0 { bits |= Readiness.hungUp }
        if events & CInt(POLLERR) != 0 { bits |= Readiness.failed }
        return bits
    }
}
