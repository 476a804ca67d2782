internal import CLibuv

/// Readiness of many descriptors by `uv_poll_t`, reported once for each change like edge-triggered
/// epoll(7) reports it.
///
/// What was reported is not asked for again until a read or a write has shown that the socket was
/// empty or full (`SocketInterest`).
@safe
final class Poller {
    /// A place in the table of watched descriptors.
    ///
    /// The generation tells a token of an earlier owner from one of the present owner.
    private struct Slot {
        var generation: UInt32
        var tag: UInt32
        var handler: (any ReadinessHandler)?
        var descriptor: WatchedDescriptor?
    }

    private let loop: UnsafeMutablePointer<uv_loop_t>
    private var slots: [Slot] = []
    private var free: [UInt32] = []
    /// Descriptors whose bytes were looked at, but not taken.
    private var waiting: [WatchedDescriptor] = []
    private let pause: Pause

    init(_ loop: UnsafeMutablePointer<uv_loop_t>) throws(SystemError) {
        unsafe self.loop = loop
        pause = try unsafe Pause(loop)
        pause.onEnd = { [unowned self] in askAgain() }
    }

    /// How many descriptors are watched, and the two by which libuv's loop waits and is woken.
    var count: Int { slots.count - free.count + 2 }

    func add(
        _ watched: CInt,
        _ interest: SocketInterest,
        for events: UInt32,
        edgeTriggered: Bool,
        handler: any ReadinessHandler,
        tag: UInt32
    ) throws(SystemError) -> WatchToken {
        let token = claim(handler, tag)
        do throws(SystemError) {
            let descriptor = try unsafe WatchedDescriptor(
                watched,
                on: loop,
                of: self,
                token,
                for: events,
                isOnceOnly: edgeTriggered
            )
            slots[Int(token.slot)].descriptor = descriptor
            interest.watched = descriptor
        } catch {
            release(token)
            throw error
        }
        return token
    }

    /// Changes what is reported of a descriptor; what is ready is reported again.
    func change(_: CInt, _ token: WatchToken, to events: UInt32) {
        guard isCurrent(token) else { return }
        slots[Int(token.slot)].descriptor?.change(to: events)
    }

    func replaceHandler(of token: WatchToken, _ handler: any ReadinessHandler, _ tag: UInt32) {
        guard isCurrent(token) else { return }
        slots[Int(token.slot)].handler = handler
        slots[Int(token.slot)].tag = tag
    }

    /// Takes a descriptor that stays open out of the set.
    func remove(_: CInt, _ token: WatchToken) { release(token) }

    /// Stops reports at once.
    func release(_ token: WatchToken) {
        guard isCurrent(token) else { return }
        let index = Int(token.slot)
        slots[index].descriptor?.close()
        slots[index].descriptor = nil
        slots[index].handler = nil
        slots[index].generation &+= 1
        free.append(token.slot)
    }

    /// Closes all that is watched.
    func end() {
        for slot in slots { slot.descriptor?.close() }
        pause.close()
    }

    func report(_ readiness: Readiness, to token: WatchToken) {
        guard isCurrent(token) else { return }
        let slot = slots[Int(token.slot)]
        slot.handler?.ready(readiness, tag: slot.tag)
    }

    /// Asks for arrivals at a descriptor again in a moment, and not at once.
    func askSoon(for descriptor: WatchedDescriptor) {
        if waiting.isEmpty { pause.begin() }
        waiting.append(descriptor)
    }

    private func askAgain() {
        let descriptors = waiting
        waiting.removeAll()
        for descriptor in descriptors { descriptor.ask(for: Readiness.input) }
    }

    private func isCurrent(_ token: WatchToken) -> Bool {
        token.slot < slots.count && slots[Int(token.slot)].generation == token.generation
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

    /// A pause of two milliseconds.
    @safe
    private final class Pause {
        private let handle: Handle
        var onEnd: () -> Void = {}

        private static let milliseconds: UInt64 = 2

        init(_ loop: UnsafeMutablePointer<uv_loop_t>) throws(SystemError) {
            handle = try unsafe Handle(UV_TIMER) { memory in
                unsafe uv_timer_init(loop, memory.assumingMemoryBound(to: uv_timer_t.self))
            }
            handle.setEvent { [unowned self] in onEnd() }
        }

        func begin() {
            unsafe uv_timer_start(
                handle.memory.assumingMemoryBound(to: uv_timer_t.self),
                { unsafe Handle.event($0) },
                Self.milliseconds,
                0
            )
        }

        func close() { handle.close() }
    }
}
