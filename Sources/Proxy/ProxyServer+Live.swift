package import FaultInjection
package import Journal
package import LinkEngine
internal import Libuv

// What is done by hand while the proxy runs. Each takes effect before it returns, on all
// connections that it is for.
extension ProxyServer {
    /// Ends connections as if a fault acted on the byte that their clients have got last.
    ///
    /// - Returns: those on which it took effect.
    package func cut(_ selection: LiveSelection, _ kind: LiveCut) -> [LivePlace] {
        act(on: selection) { connection in
            switch connection {
            case let direct as DirectSession: gate(direct).cut(kind.effect)
            case let session as GatedSession: session.cut(kind.effect)
            case let pending as PendingConnection: cut(pending)
            default: nil
            }
        }
    }

    private func cut(_ pending: PendingConnection) -> [String] {
        let id = pending.identity.id
        refusedByHand(id, pending.faults)
        pending.refuse()
        return [Self.refusal(of: id.ordinal)]
    }

    /// Holds everything back until `resume`; of all connections, also of those that open then.
    package func pause(_ selection: LiveSelection) -> [LivePlace] {
        if selection == .all { live.isPaused = true }
        return act(on: selection) { session($0)?.hold() == true ? [] : nil }
    }

    /// Holds everything back for a time.
    package func stall(
        _ selection: LiveSelection,
        for duration: LinkEngine.Duration
    ) -> [LivePlace] {
        act(on: selection) { connection in
            guard let session = session(connection), session.stall(for: duration) else {
                return nil
            }
            return session.heldFaults
        }
    }

    /// Lets what is held back go on.
    ///
    /// - Returns: where each was held, and for how long.
    package func resume(_ selection: LiveSelection) -> [LivePlace] {
        if selection == .all { live.isPaused = false }
        var places: [LivePlace] = []
        for case let session as GatedSession in chosen(selection) {
            guard let (place, faults) = session.release() else { continue }
            places.append(
                LivePlace(
                    connection: session.identity.id,
                    up: place.up,
                    down: place.down,
                    heldNanoseconds: loop.nowNanoseconds - place.sinceNanoseconds,
                    faults: faults
                )
            )
        }
        return places
    }

    /// Whether connections that open now are held back.
    package var isPaused: Bool { live.isPaused }

    /// Refuses the next connections of a listener, or as many of each.
    ///
    /// - Returns: the faults that do the same in another run, as far as so many connections come.
    package func refuseNext(_ count: UInt32, listener: UInt32? = nil) -> [String] {
        var faults: [String] = []
        for route in listeners.indices
        where listener ?? listenerNumber(route) == listenerNumber(route) {
            let suffix = count == 1 ? "" : "(\(count))"
            let fault = Self.refusal(of: accepted[route] + 1) + suffix
            live.refuse(count, on: route)
            if !faults.contains(fault) { faults.append(fault) }
        }
        return faults
    }

    /// Lets nothing over the link, for a time or until `endOutage`.
    ///
    /// - Throws: `internal` when the system has no descriptor left.
    package func beginOutage(for duration: LinkEngine.Duration? = nil) throws(ProxyError) {
        let nanoseconds = duration.map { UInt64(max(1, $0.nanoseconds)) }
        live.beginOutage(
            untilNanoseconds: loop.nowNanoseconds
                + (nanoseconds ?? LiveConditions.endlessNanoseconds)
        )
        try applyOutage()
        recorder.outageBegan(at: elapsed, for: duration)
        guard let nanoseconds else { return }
        let number = live.outageCount
        // A little later, so that the link ends its outage by itself and nothing is lost.
        _ = alarms.set(afterNanoseconds: nanoseconds + 1_000_000) { [weak self] in
            guard let self, live.outageCount == number else { return }
            _ = try? endOutage()
        }
    }

    /// Ends an outage that was begun by hand; the profile's own outages go on as they were.
    ///
    /// - Returns: false if there is none.
    package func endOutage() throws(ProxyError) -> Bool {
        guard live.endOutage() else { return false }
        try applyOutage()
        recorder.outageEnded(at: elapsed)
        return true
    }

    /// Ends what was asked for by hand: pauses, outage, refusals.
    package func reset() throws(ProxyError) -> [LivePlace] {
        live.forgetRefusals()
        _ = try endOutage()
        return resume(.all)
    }

    /// Writes a record of a change; the places are those on which it took effect.
    ///
    /// Faults that were added and taken back since the last one are in it.
    package func record(_ change: ChangeReport) {
        var change = change
        (change.adds, change.removes) = recorder.takeChanges()
        reporter.report(.change(change))
    }

    /// Hands over what waits to be recorded.
    package func flushRecords() { reporter.flush() }

    /// The schedule that does again what this run did so far, what holds connections now included.
    package var schedule: FaultSchedule {
        var faults = plan.faults.map(\.fault)
        let held = inOrder.compactMap { $0 as? GatedSession }.flatMap(\.heldFaults)
        faults += recorder.faults + held.compactMap { try? Fault(parsing: $0) }
        return FaultSchedule(seed: configuration.seed, faults: faults)
    }

    /// Notes something that was done by hand and that a schedule cannot say.
    package func remark(_ text: String) {
        recorder.remark("\(text) from \(Quantity.text(elapsed)) on")
    }

    /// Notes something that was done by hand and after which a replay gives another journal.
    package func noteDifference(_ text: String) { recorder.difference(text) }

    /// Forgets what was done by hand so far.
    package func clearRecorder() { recorder.clear() }

    /// Since the begin of the run, in whole milliseconds, so that it can be read.
    var elapsed: LinkEngine.Duration {
        let now = loop.nowNanoseconds
        return .milliseconds(Int64((now - min(now, startNanoseconds)) / 1_000_000))
    }

    // Helpers.

    private func chosen(_ selection: LiveSelection) -> [any Connection] {
        inOrder.filter { selection.includes($0.identity.id) }
    }

    /// Does something to connections; answers with those on which it took effect, as they were.
    ///
    /// The action gives the faults that do the same, or nil if it did nothing.
    private func act(
        on selection: LiveSelection,
        _ action: (any Connection) -> [String]?
    ) -> [LivePlace] {
        var places: [LivePlace] = []
        for connection in chosen(selection) {
            var place = LivePlace(
                connection: connection.identity.id,
                up: connection.bytes(.up),
                down: connection.bytes(.down)
            )
            guard let faults = action(connection) else { continue }
            place.faults = faults
            places.append(place)
        }
        return places
    }

    /// A connection behind a gate, put there if it is not.
    private func session(_ connection: any Connection) -> GatedSession? {
        if let direct = connection as? DirectSession { return gate(direct) }
        return connection as? GatedSession
    }
}
