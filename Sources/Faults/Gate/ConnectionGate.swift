package import Basics
package import HTTPWire

/// What every byte of a connection passes, whatever it speaks: a `FaultGate`, and behind it, where the
/// client begins with the preface of HTTP/2, a `StreamGates`.
///
/// It is used as a `FaultGate` is. Faults at bytes of the connection act in either protocol.
///
/// It is not copyable, so that asking it costs no copy of all that it holds: a copyable one in a class is
/// copied for each call that does not change it.
package struct ConnectionGate: ~Copyable {
    private var whole: FaultGate
    /// Nil once it is known whether this is HTTP/2, or if nobody follows messages.
    private var watch: PrefaceWatch?
    private var streams: StreamGates?
    private var plan = RequestPlan(seed: 0)

    /// Makes a gate at which only faults at bytes act.
    package init(faults: ConnectionFaults? = nil) { whole = FaultGate(faults: faults) }

    /// Makes a gate that looks at messages; the parameters are those of `FaultGate`.
    package init(
        faults: ConnectionFaults? = nil,
        plan: RequestPlan,
        connection: UInt32,
        hosts: HostOrdinals = [:],
        rewrites: RequestRewrites = RequestRewrites()
    ) {
        whole = FaultGate(
            faults: faults,
            plan: plan,
            connection: connection,
            hosts: hosts,
            rewrites: rewrites
        )
        self.plan = plan
        watch = PrefaceWatch()
    }

    /// Takes it for known that this is HTTP/1.x, before anything has passed.
    package mutating func expectHTTP1() { watch = nil }

    // What comes in.

    package var followsMessages: Bool { whole.followsMessages }
    /// Whether this is HTTP/2.
    package var hasStreams: Bool { streams != nil }

    /// Looks at the next bytes of a direction; needless if nobody follows messages.
    package mutating func read(_ bytes: Span<UInt8>, _ direction: Direction) {
        if let streams { return streams.read(bytes, direction) }
        guard watch != nil else { return whole.read(bytes, direction) }
        watch?.read(bytes, direction)
        settle()
    }

    /// Notes that the sender of a direction has ended; by a FIN if that was orderly.
    package mutating func end(_ direction: Direction, isOrderly: Bool = true) {
        watch?.end()
        settle()
        streams?.end(direction)
        whole.end(direction, isOrderly: isOrderly)
    }

    /// Shows what was read to those who understand it, once that is known.
    private mutating func settle() {
        guard let watch, watch.verdict != .undecided else { return }
        self.watch = nil
        if watch.verdict == .http2 {
            streams = StreamGates(
                plan: plan,
                connection: whole.connection,
                hosts: whole.hosts,
                rewrites: whole.rewrites
            )
        }
        if !watch.client.isEmpty { read(watch.client.span, .up) }
        if !watch.server.isEmpty { read(watch.server.span, .down) }
    }

    // Faults at bytes.

    package mutating func begin(_ direction: Direction, at position: UInt64) {
        whole.begin(direction, at: position)
    }

    package mutating func arm(_ fault: ArmedFault) -> Bool { whole.arm(fault) }
    package mutating func disarm(_ id: String) -> Bool { whole.disarm(id) }
    package func unobstructed(_ direction: Direction) -> UInt64? { whole.unobstructed(direction) }

    package func passes(_ count: Int, _ direction: Direction) -> Bool {
        whole.passes(count, direction)
    }

    package mutating func pass(_ count: Int, _ direction: Direction) {
        whole.pass(count, direction)
    }

    // What holds a direction.

    package func isOpen(_ direction: Direction) -> Bool { whole.isOpen(direction) }

    /// Ends what this fault holds back, or passes what a `late` has kept.
    package mutating func resume(_ fault: ArmedFault) {
        if let streams, fault.request != nil { return streams.resume(fault) }
        whole.resume(fault.direction)
    }

    package mutating func resume(_ direction: Direction) { whole.resume(direction) }

    package mutating func close(_ direction: Direction, by fault: String) {
        whole.close(direction, by: fault)
    }

    package func isBuffering(_ direction: Direction) -> Bool { whole.isBuffering(direction) }
    package mutating func stopBuffering(_ direction: Direction) { whole.stopBuffering(direction) }
    package var hasPassedLateBytes: Bool { whole.hasPassedLateBytes }
    package var isGated: Bool { streams?.isGated ?? whole.isGated }

    package mutating func openGates() {
        streams?.openGates()
        whole.openGates()
    }

    package var awaitsDelivery: Bool { streams?.awaitsDelivery ?? whole.awaitsDelivery }

    package mutating func noteAnswerDelivered() {
        streams?.noteAnswerDelivered()
        whole.noteAnswerDelivered()
    }

    /// The direction in which the end of a stream waits for its receiver to take what is before it.
    package var directionToEnd: Direction? { streams?.directionToEnd }

    /// Notes that the receiver of a direction has taken all that has passed.
    package mutating func noteTaken(_ direction: Direction) { streams?.noteTaken(direction) }

    /// Whether part of a request's content has passed, and part is still to come; false if messages
    /// are not followed.
    package var isWithinRequest: Bool { streams?.isWithinRequest ?? whole.isWithinRequest }

    /// Whether every request that was read has its answer, and nothing of either waits.
    package var isBetweenExchanges: Bool { streams == nil && whole.isBetweenExchanges }

    /// When more of a stream may pass that is slowed down; nil if none waits for that.
    package var wakesAt: Instant? { streams?.wakesAt }

    /// Says what time it is, on the clock that streams are slowed down by.
    package func tell(time: Instant) { streams?.time = time }

    // What goes out.

    package var addsHints: Bool { whole.rewrites.addsHints }
    package var needsTime: Bool { whole.needsTime }

    /// Says what servers are told of the path as it is now.
    package mutating func tell(_ hints: RequestHints?) {
        whole.hints = hints
        streams?.hints = hints
    }

    /// Says what dates in answers are counted from.
    package mutating func tell(_ now: HTTPDate) {
        whole.now = now
        streams?.now = now
    }

    /// Whether messages hold, change or await nothing from here on: bytes need only be shown.
    package var onlyWatches: Bool { watch == nil && streams == nil && whole.onlyWatches }

    package mutating func takeNotes() -> [GateNote] {
        guard let streams else { return whole.takeNotes() }
        return whole.takeNotes() + streams.takeNotes()
    }

    /// What to do with the waiting bytes of a direction where nobody follows messages.
    package mutating func next(
        _ direction: Direction,
        available: Int,
        ended: Bool = false
    ) -> FaultGate.Answer {
        whole.next(direction, available: available, ended: ended)
    }

    /// What to do with the waiting bytes of a direction; all were shown to `read`.
    package mutating func next(
        _ direction: Direction,
        available: Int,
        ended: Bool,
        run: inout RequestRun
    ) -> FaultGate.Answer {
        if let streams {
            return whole.next(direction, available: available, ended: ended, of: streams, &run)
        }
        let count = watch == nil ? available : 0
        return whole.next(
            direction,
            available: count,
            ended: ended && count == available,
            run: &run
        )
    }

    /// Notes what did not happen and did not end; call it once, when the connection is over.
    package mutating func close(run: inout RequestRun) {
        streams?.close(run: &run)
        whole.close(run: &run)
    }

    package func unfired(_ direction: Direction) -> [UnfiredFault] { whole.unfired(direction) }

    /// Goes by another plan from the next request on, as `FaultGate.adopt` does.
    package mutating func adopt(
        _ plan: RequestPlan,
        adding id: String? = nil
    ) -> FaultGate.Adoption {
        self.plan = plan
        if let streams {
            whole.begun = streams.requests
            streams.adopt(plan)
        }
        return whole.adopt(plan, adding: id)
    }
}

extension FaultGate {
    /// The next step for bytes in which streams are: the fault at a byte, or what the streams say of
    /// the bytes before it.
    fileprivate mutating func next(
        _ direction: Direction,
        available: Int,
        ended: Bool,
        of streams: StreamGates,
        _ run: inout RequestRun
    ) -> Answer {
        let lane = self.lane(direction)
        if let fault = lane.nextByteFault(available: available) { return .act(fault) }
        guard isOpen(direction) else { return .wait }
        let count = lane.unobstructed(available)
        let isLast = ended && count == available
        let answer = streams.next(direction, available: count, ended: isLast, run: &run)
        switch answer {
        case .pass(let count, _):
            lane.bytes.pass(count)
            lane.progress.advance(count, isContent: false, isDelivered: true)
            reach(direction)
        case .drop(let count, _):
            lane.progress.advance(count, isContent: false, isDelivered: false)
        case .finish: lane.phase = .finished
        case .insert, .act, .endPace, .wait: break
        }
        return answer
    }
}
