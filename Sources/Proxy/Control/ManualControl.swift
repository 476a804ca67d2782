package import Basics
package import Faults
package import Journal
internal import LinkEngine
internal import SystemIO

/// What is done by hand while a proxy runs.
///
/// Each action takes effect, before it returns, on all connections it is for, and is recorded as the
/// fault that does the same.
package final class ManualControl {
    /// Whether connections that open now are held back from their first byte.
    package private(set) var isPaused = false
    /// How many of the next connections are refused, by route.
    private var refusals: [Int: UInt32] = [:]
    /// The outage that lasts, by its ordinal; nil without one.
    private var outage: Int?
    private var outageCount = 0

    private let loop: EventLoop
    private let timers: TimerQueue
    private let reporter: ProxyReporter
    private let connections: ConnectionTable
    private let flows: FlowServer
    /// All networks of the proxy but the second path's.
    private let links: [SharedLink]
    private let secondLink: SharedLink?
    private let faults: FaultRegistry
    private let acceptor: Acceptor
    private let seed: UInt64
    private let startedAt: Instant

    /// An outage without a known end lasts longer than anyone waits.
    private static let endlessTime = Duration.seconds(1) * 86_400 * 365

    /// Makes the control of a proxy whose run began at a time of the loop's clock.
    init(
        loop: EventLoop,
        timers: TimerQueue,
        links: [SharedLink],
        secondLink: SharedLink?,
        faults: FaultRegistry,
        flows: FlowServer,
        seed: UInt64,
        startedAt: Instant
    ) {
        self.loop = loop
        self.timers = timers
        self.links = links
        self.secondLink = secondLink
        self.faults = faults
        self.flows = flows
        self.seed = seed
        self.startedAt = startedAt
        reporter = faults.reporter
        connections = faults.connections
        acceptor = faults.acceptor
    }

    // MARK: Connections

    /// Ends connections as a fault at the byte that their clients received last.
    ///
    /// - Returns: those on which it took effect.
    package func cut(_ selection: ConnectionSelection, _ kind: ManualCut) -> [ManualPlace] {
        act(on: selection) { $0.cut(kind.effect) }
    }

    /// Holds everything back until `resume`; of all connections, also of those that open then.
    package func pause(_ selection: ConnectionSelection) -> [ManualPlace] {
        if selection == .all { isPaused = true }
        return act(on: selection) { $0.hold() ? [] : nil }
    }

    /// Holds everything back for a time.
    package func stall(
        _ selection: ConnectionSelection,
        for duration: Duration
    ) -> [ManualPlace] {
        act(on: selection) { $0.stall(for: duration) }
    }

    /// Releases what is held back.
    ///
    /// - Returns: where each was held, and for how long.
    package func resume(_ selection: ConnectionSelection) -> [ManualPlace] {
        if selection == .all { isPaused = false }
        return chosen(selection).compactMap { connection in
            guard let (place, faults) = connection.release() else { return nil }
            return ManualPlace(
                connection: connection.id,
                up: place.up,
                down: place.down,
                held: loop.now - place.since,
                faults: faults
            )
        }
    }

    private func chosen(_ selection: ConnectionSelection) -> [any Steerable] {
        (connections.inOrder as [any Steerable] + flows.inOrder).filter {
            selection.includes($0.id)
        }
    }

    /// Does something to connections; returns those on which it took effect, as they were.
    ///
    /// The action returns the faults that do the same, or nil if it did nothing.
    private func act(
        on selection: ConnectionSelection,
        _ action: (any Steerable) -> [String]?
    ) -> [ManualPlace] {
        chosen(selection).compactMap { connection in
            var place = ManualPlace(
                connection: connection.id,
                up: connection.bytes(.up),
                down: connection.bytes(.down)
            )
            guard let faults = action(connection) else { return nil }
            place.faults = faults
            return place
        }
    }

    // MARK: Refusals

    /// Refuses the next connections of a listener, or as many of each.
    ///
    /// - Returns: the faults that do the same in another run, if that many connections come.
    package func refuseNext(_ count: UInt32, listener: UInt32? = nil) -> [String] {
        var faults: [String] = []
        for route in 0..<acceptor.count
        where listener ?? acceptor.listenerNumber(route) == acceptor.listenerNumber(route) {
            let fault = FaultRegistry.refusal(of: acceptor.nextOrdinal(route), count).canonicalText
            refusals[route] = count
            if !faults.contains(fault) { faults.append(fault) }
        }
        return faults
    }

    /// Whether the connection that comes now is refused; counts it.
    func refusesNext(on route: Int) -> Bool {
        guard let left = refusals[route] else { return false }
        refusals[route] = left > 1 ? left - 1 : nil
        return true
    }

    // MARK: Outages

    /// Lets the link carry nothing, for a time or until `endOutage`.
    ///
    /// - Parameters:
    ///   - duration: nil until it is ended.
    ///   - takesSecondPath: whether a second path is down, too, so that none is left.
    /// - Throws: `internal` when the system has no descriptor left.
    package func beginOutage(
        for duration: Duration? = nil,
        takesSecondPath: Bool = false
    ) throws(ProxyError) {
        let span = duration.map { max(.nanoseconds(1), $0) }
        outageCount += 1
        outage = outageCount
        // One reading of the clock: a busy machine would begin the record later than the outage.
        let now = loop.now
        let end = now.later(by: span ?? Self.endlessTime)
        for link in links { try link.blackOut(until: end) }
        if takesSecondPath { try secondLink?.blackOut(until: end) }
        faults.recorder.outageBegan(at: elapsed(at: now), for: duration)
        guard span != nil, let number = outage else { return }
        // A little later, so that the link ends its outage by itself and nothing is lost.
        _ = timers.set(at: end.later(by: .milliseconds(1))) { [weak self] in
            guard let self, outage == number else { return }
            _ = try? endOutage()
        }
    }

    /// Ends an outage that was begun by hand; the profile's own outages stay as they are.
    ///
    /// - Returns: false if there is none.
    package func endOutage() throws(ProxyError) -> Bool {
        guard outage != nil else { return false }
        outage = nil
        for link in links + (secondLink.map { [$0] } ?? []) {
            try link.blackOut(until: nil)
        }
        faults.recorder.outageEnded(at: elapsed)
        return true
    }

    /// Hands over to another path: nothing passes for a time, and flows come from another address.
    ///
    /// Switch the profile with it if the path is to have other numbers.
    ///
    /// - Returns: the flows.
    /// - Throws: `internal` when the system has no descriptor left.
    package func handOver(for silence: Duration) throws(ProxyError) -> [ManualPlace] {
        try beginOutage(for: silence)
        return flows.inOrder.compactMap { flow in
            let (up, down) = (flow.bytes(.up), flow.bytes(.down))
            return flow.handOver().map {
                ManualPlace(connection: flow.id, up: up, down: down, faults: $0)
            }
        }
    }

    /// Ends what lasts: pauses, outage, refusals.
    package func reset() throws(ProxyError) -> [ManualPlace] {
        refusals.removeAll()
        _ = try endOutage()
        return resume(.all)
    }

    // MARK: What was done

    /// Writes the record of a change; the places are those on which it took effect.
    ///
    /// Faults that were added and removed since the last one are in it.
    package func record(_ change: ChangeReport) {
        var change = change
        (change.adds, change.removes) = faults.recorder.takeChanges()
        reporter.report(.change(change))
    }

    /// What was done by hand, as faults.
    package var recorder: ManualRecorder { faults.recorder }

    /// The schedule that repeats what this run did so far, what holds connections now included.
    package var schedule: FaultSchedule {
        let held = chosen(.all).flatMap(\.heldFaults)
        let done = faults.recorder.faults + held
        return FaultSchedule(seed: seed, faults: faults.all.map(\.fault) + done)
    }

    /// Notes something that was done by hand and that a schedule cannot express.
    package func remark(_ text: String) {
        faults.recorder.remark("\(text) from \(Quantity.text(elapsed)) on")
    }

    /// Notes something that was done by hand and after which a replay writes another journal.
    package func noteDifference(_ text: String) { faults.recorder.difference(text) }

    /// Forgets what was done by hand so far.
    package func clearRecorder() { faults.recorder.clear() }

    /// Notes that another network was imitated from now on.
    func noteSwitch(to profile: String, changesBudget: Bool) {
        faults.recorder.remark(
            "a replay cannot change the profile: it was \(profile) from"
                + " \(elapsedSeconds) s on"
        )
        if changesBudget {
            faults.recorder.difference("the byte budget changed with the network")
        }
    }

    /// Since the begin of the run, for people: `18.1`.
    private var elapsedSeconds: String {
        let tenths = elapsed.wholeMilliseconds / 100
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Since the begin of the run, in whole milliseconds, so that it can be read.
    private var elapsed: Duration { elapsed(at: loop.now) }

    private func elapsed(at time: Instant) -> Duration {
        .milliseconds(time.elapsed(since: startedAt).wholeMilliseconds)
    }
}
