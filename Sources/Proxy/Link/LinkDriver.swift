internal import Basics
internal import LinkEngine
internal import SystemIO

/// What receives the events of one connection on the link.
protocol LinkSink: AnyObject {
    /// Receives an event; returns whether `linkSettled` must follow and was not asked for before.
    func receive(_ event: LinkEvent.Kind) -> Bool
    /// All events that are due were received.
    func linkSettled()
}

/// The one place where a deadline of the engine meets a timer.
///
/// The link is brought up to date at the end of each turn of the loop in which it was touched, and
/// at its own deadlines. Events are taken at or after their time, never before it.
final class LinkDriver: ReadinessHandler {
    private unowned let loop: EventLoop
    private var link: Link
    private var clock: LinkClock
    private var timer: PreciseTimer?
    private var armedFor = Instant.never
    /// The timer does not fire before this.
    private var earliestWake = Instant.start
    private var isQueued = false
    private var sinks: [UInt32: any LinkSink] = [:]
    private var touched: [any LinkSink] = []
    private let onLate: (_ lateness: Duration, _ isStill: Bool) -> Void
    /// The worst since events have been handled too late; nil if the latest ones were not.
    private var worstLateness: Duration?
    /// Handovers that `onHandover` was told of.
    private var handovers: UInt64 = 0
    /// Called when the path has become another one.
    var onHandover: (() -> Void)?
    /// How many of the profile's handovers have begun.
    var begunHandovers: Int { link.begunHandovers }
    /// Nil unless somebody asked for it.
    var meter: LinkMeter?

    /// Beyond this the output is not the link's any more.
    private static let lateLimit = Duration.milliseconds(20)
    /// Least time between two wake-ups by the timer: beyond 60 Mbit/s packets leave in groups, by
    /// which one is at most so much late, and a wake-up costs more than a packet.
    private static let wakeSpacing = Duration.microseconds(200)
    /// Rounds of one turn; a link without delay answers a read at once, without end.
    private static let roundsPerTurn = 4

    /// Makes a link whose time begins now.
    ///
    /// - Parameters:
    ///   - loop: whose clock is the link's.
    ///   - settings: of the link.
    ///   - seed: of its random decisions.
    ///   - onLate: called when an event is handled more than `lateLimit` after its time, and then,
    ///     until events are on time again, whenever one is later still.
    /// - Throws: what the system says when it has no descriptor left.
    init(
        loop: EventLoop,
        settings: LinkSettings,
        seed: UInt64,
        onLate: @escaping (_ lateness: Duration, _ isStill: Bool) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.onLate = onLate
        link = Link(settings: settings, seed: seed)
        link.keptBySenders = SocketBounds.keptBySenders
        clock = LinkClock(now: loop.now)
        timer = try PreciseTimer(loop: loop) { [weak self] in
            self?.timerFired()
        }
        // The first handover comes whether or not anything is sent before it.
        arm()
    }

    var settings: LinkSettings { link.settings }

    /// Ends the timer; the driver is of no use afterwards.
    func close() {
        timer?.close()
        timer = nil
    }

    // What sessions say.

    func knows(_ connection: UInt32) -> Bool { sinks[connection] != nil }

    func open(_ connection: UInt32, sink: any LinkSink) {
        sinks[connection] = sink
        meter?.open(connection)
        link.open(connection, at: now)
        touch()
    }

    /// Opens a flow of datagrams; returns what the link calls it.
    func openFlow(_ number: UInt32, sink: any LinkSink) -> UInt32 {
        let flow = link.openFlow(number, at: now)
        sinks[flow] = sink
        return flow
    }

    /// Lets a datagram enter, which the sink hears of again.
    func sendDatagram(_ number: UInt64, payload: Int, on stream: LinkEngine.Stream) {
        link.sendDatagram(number, payload: payload, on: stream, at: now)
        touch()
    }

    /// Lets another sink have the events of a connection.
    func pass(_ connection: UInt32, to sink: any LinkSink) { sinks[connection] = sink }

    func room(on stream: LinkEngine.Stream) -> Int { link.room(on: stream) }

    /// Bytes that the link would buffer of a stream, sent and unsent.
    func bufferLimit(of stream: LinkEngine.Stream) -> Int64 {
        link.state(of: stream)?.bufferLimit ?? 0
    }

    func send(_ count: Int, on stream: LinkEngine.Stream) {
        let now = now
        meter?.sent(count, on: stream, at: now)
        link.send(count, on: stream, at: now)
        touch()
    }

    func finish(_ stream: LinkEngine.Stream) {
        link.finish(stream, at: now)
        touch()
    }

    func abort(_ stream: LinkEngine.Stream) {
        link.abort(stream, at: now)
        touch()
    }

    func setBacklog(_ bytes: Int, of stream: LinkEngine.Stream) {
        link.setBacklog(bytes, of: stream, at: now)
        touch()
    }

    func remove(_ connection: UInt32) {
        guard sinks.removeValue(forKey: connection) != nil else { return }
        meter?.remove(connection)
        link.remove(connection, at: now)
        touch()
    }

    func apply(_ settings: LinkSettings) {
        link.apply(settings, at: now)
        touch()
    }

    /// Loses whatever enters the link before a time on the loop's clock; nil ends that.
    func blackOut(until end: Instant?) {
        link.blackOut(until: end.map(clock.instant(at:)) ?? .start, at: now)
        touch()
    }

    func queued(_ direction: Direction) -> (packets: Int, bytes: Int) { link.queued(direction) }

    /// Whether an outage covers this moment.
    var outage: LinkOutage {
        let state = link.outage(at: now)
        return LinkOutage(
            isPresent: state.isPresent,
            changesAt: state.changesAt.map(clock.loopTime(of:))
        )
    }

    // Running.

    func ready(_ readiness: Readiness, tag: UInt32) {
        isQueued = false
        for _ in 0..<Self.roundsPerTurn {
            settle()
            if touched.isEmpty { break }
            let settled = touched
            touched.removeAll(keepingCapacity: true)
            for sink in settled { sink.linkSettled() }
        }
        if !touched.isEmpty { touch() }
        arm()
    }

    /// How far the link's time, at its latest reading, is behind real time.
    var lag: Duration { clock.instant(at: loop.now) - clock.now }

    private var now: Instant {
        clock.read(loop.now, nextDeparture: link.nextDeparture)
    }

    private func touch() {
        guard !isQueued else { return }
        isQueued = true
        loop.runLater(self)
    }

    private func timerFired() {
        armedFor = Instant.never
        earliestWake = now + Self.wakeSpacing
        touch()
    }

    private func settle() {
        let now = now
        let realTime = now + clock.lag
        link.advance(to: now)
        var worst: Duration?
        while let event = link.nextEvent() {
            worst = max(worst ?? .zero, realTime - event.at)
            if let meter, case .deliver(let stream, let count) = event.kind {
                meter.delivered(count, on: stream, at: event.at, realTime)
            }
            dispatch(event.kind)
        }
        if link.handoverCount != handovers {
            handovers = link.handoverCount
            onHandover?()
        }
        if let worst { noteLateness(worst) }
    }

    private func noteLateness(_ lateness: Duration) {
        guard lateness > Self.lateLimit else { return worstLateness = nil }
        guard lateness > worstLateness ?? .zero else { return }
        onLate(lateness, worstLateness != nil)
        worstLateness = lateness
    }

    private func dispatch(_ event: LinkEvent.Kind) {
        guard let sink = sinks[event.connection] else { return }
        if sink.receive(event) { touched.append(sink) }
    }

    private func arm() {
        guard let deadline = link.nextDeadline else {
            if armedFor != .never { timer?.cancel() }
            armedFor = Instant.never
            return
        }
        let wake = max(deadline, earliestWake)
        guard wake != armedFor else { return }
        armedFor = wake
        timer?.fire(at: clock.loopTime(of: wake))
    }
}

extension LinkEvent.Kind {
    fileprivate var connection: UInt32 {
        switch self {
        case .deliver(let stream, _), .finished(let stream), .aborted(let stream),
            .writable(let stream), .arrived(let stream, _), .lost(let stream, _, _):
            stream.connection
        case .timedOut(let connection): connection
        }
    }
}
