internal import CLibuv
internal import CLibrary

/// Edge-triggered readiness of many descriptors, by epoll.
///
/// Why not one `uv_poll_t` for each socket: with libuv 1.44 that takes five more system calls for a
/// descriptor (a trial registration, FIONBIO, two removals), 4 µs of the 28 that one end of a short
/// connection costs here; it is level-triggered, so that the interest must be changed for every
/// pause; and it reports a reset as EBADF. A socket here is registered once, is told of a reset also
/// while nobody reads it, and leaves by its `close`.
@safe
final class Poller {
    /// A place in the table of watched descriptors.
    ///
    /// The generation tells a late event of an earlier owner from one of the present owner.
    private struct Slot {
        var generation: UInt32
        var tag: UInt32
        var handler: (any ReadinessHandler)?
    }

    private static let batch = 256

    let descriptor: CInt
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private var slots: [Slot] = []
    private var free: [UInt32] = []

    init() throws(SystemError) {
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .last }
        unsafe events = .allocate(capacity: Self.batch)
    }

    deinit {
        unsafe events.deallocate()
        close(descriptor)
    }

    /// How many descriptors are watched.
    var count: Int { slots.count - free.count }

    func add(
        _ watched: CInt,
        _: SocketInterest = SocketInterest(),
        for interest: UInt32,
        edgeTriggered: Bool,
        handler: any ReadinessHandler,
        tag: UInt32
    ) throws(SystemError) -> WatchToken {
        let token = claim(handler, tag)
        var event = unsafe epoll_event()
        unsafe event.events = interest | (edgeTriggered ? EPOLLET.rawValue : 0)
        unsafe event.data.u64 = UInt64(token.generation) << 32 | UInt64(token.slot)
        guard unsafe epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0 else {
            let error = SystemError.last
            release(token)
            throw error
        }
        return token
    }

    /// Changes what edge-triggered reports of `watched` are about; what is ready is reported anew.
    func change(_ watched: CInt, _ token: WatchToken, to interest: UInt32) {
        guard isCurrent(token) else { return }
        var event = unsafe epoll_event()
        unsafe event.events = interest | EPOLLET.rawValue
        unsafe event.data.u64 = UInt64(token.generation) << 32 | UInt64(token.slot)
        _ = unsafe epoll_ctl(descriptor, EPOLL_CTL_MOD, watched, &event)
    }

    func replaceHandler(of token: WatchToken, _ handler: any ReadinessHandler, _ tag: UInt32) {
        guard isCurrent(token) else { return }
        slots[Int(token.slot)].handler = handler
        slots[Int(token.slot)].tag = tag
    }

    /// Takes a descriptor that stays open out of the set.
    func remove(_ watched: CInt, _ token: WatchToken) {
        guard isCurrent(token) else { return }
        epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, nil)
        release(token)
    }

    /// Stops reports at once, also those that the present batch still holds.
    ///
    /// The descriptor leaves the kernel's set when it is closed.
    func release(_ token: WatchToken) {
        guard isCurrent(token) else { return }
        let index = Int(token.slot)
        slots[index].handler = nil
        slots[index].generation &+= 1
        free.append(token.slot)
    }

    /// Waits at most `timeoutMilliseconds` (-1: for ever) and reports what is ready.
    func poll(timeoutMilliseconds: CInt) {
        let count = unsafe epoll_wait(
            descriptor,
            events.baseAddress,
            CInt(Self.batch),
            timeoutMilliseconds
        )
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let event = unsafe events[index]
            let name = unsafe event.data.u64
            report(Readiness(events: unsafe event.events), to: name)
        }
    }

    private func isCurrent(_ token: WatchToken) -> Bool {
        token.slot < slots.count && slots[Int(token.slot)].generation == token.generation
    }

    private func report(_ readiness: Readiness, to name: UInt64) {
        let slot = slots[Int(truncatingIfNeeded: name & 0xFFFF_FFFF)]
        guard slot.generation == UInt32(truncatingIfNeeded: name >> 32) else { return }
        slot.handler?.ready(readiness, tag: slot.tag)
    }

    private func claim(_ handler: any ReadinessHandler, _ tag: UInt32) -> WatchToken {
        if let slot = free.popLast() {
            let index = Int(slot)
            slots[index].handler = handler
            slots[index].tag = tag
            return WatchToken(slot: slot, generation: slots[index].generation)
        }
        slots.append(Slot(generation: 0, tag: tag, handler: handler))
        return WatchToken(slot: UInt32(slots.count - 1), generation: 0)
    }
}
