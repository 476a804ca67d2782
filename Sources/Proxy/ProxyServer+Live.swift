package import FaultInjection
package import Journal
package import LinkEngine
package import LinkProfile
internal import Libuv

/// Which connections something is done to.
package enum LiveSelection: Hashable, Sendable {
    /// All that are open.
    case all
    /// Those of one listener, from 1.
    case listener(UInt32)
    case connection(ConnectionID)

    func includes(_ id: ConnectionID) -> Bool {
        switch self {
        case .all: true
        case .listener(let listener): id.listener == listener
        case .connection(let wanted): id == wanted
        }
    }
}

/// How a connection is ended by hand.
package enum LiveCut: String, Hashable, Sendable, CaseIterable {
    case rst, fin, hole

    fileprivate var effect: Effect {
        switch self {
        case .rst: .reset
        case .fin: .finish
        case .hole: .hole(both: true, for: nil)
        }
    }
}

/// A connection on which something took effect.
package struct LivePlace: Hashable, Sendable {
    package var connection: ConnectionID
    /// Bytes delivered in each direction at that moment; of a pause that is over, at its begin.
    package var up: UInt64
    package var down: UInt64
    /// How long it was held back, if a pause ended.
    package var heldNanoseconds: UInt64?
    /// The faults that do the same again; none for a pause as long as it lasts.
    package var faults: [String]

    package init(
        connection: ConnectionID,
        up: UInt64,
        down: UInt64,
        heldNanoseconds: UInt64? = nil,
        faults: [String] = []
    ) {
        self.connection = connection
        self.up = up
        self.down = down
        self.heldNanoseconds = heldNanoseconds
        self.faults = faults
    }
}

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
        try applyLink()
        recorder.outageBegan(at: elapsed, for: duration)
        guard let nanoseconds else { return }
        let number = live.outageCount
        // A little later, so that the link ends its outage by itself and nothing is lost.
        _ = alarms.set(afterNanoseconds: nanoseconds + 1_000_000) { [weak self] in
            guard let self, live.outageCount == number else { return }
            _ = try? endOutage()
        }
    }

    /// Ends an outage that was begun by hand; the profile's own outages begin anew.
    ///
    /// - Returns: false if there is none.
    package func endOutage() throws(ProxyError) -> Bool {
        guard live.endOutage() else { return false }
        try applyLink()
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
        let further = recorder.faults + held.compactMap { try? Fault(parsing: $0) }
        for fault in further where !faults.contains(fault) { faults.append(fault) }
        return FaultSchedule(seed: configuration.seed, faults: faults)
    }

    /// Forgets what was done by hand so far.
    package func clearRecorder() { recorder.clear() }

    /// Since the begin of the run, in whole milliseconds, so that it can be read.
    var elapsed: LinkEngine.Duration {
        let now = loop.nowNanoseconds
        return .milliseconds(Int64((now - min(now, startNanoseconds)) / 1_000_000))
    }

    // What there is.

    /// Connections accepted so far.
    package var totalConnections: UInt64 { UInt64(nextNumber) }

    /// Whether new connections are accepted.
    package var isAcceptingNow: Bool { isAccepting && !listeners.isEmpty }

    /// Where it listens and where that leads, in the order of the listeners.
    package var routes: [(listen: String, upstream: String)] {
        zip(listeners, upstreams).map { ($0.address.description, $1.endpoint.description) }
    }

    /// Some open connections in the order of acceptance.
    ///
    /// - Parameters:
    ///   - id: the one after which to begin; nil for the first.
    ///   - limit: how many at most.
    /// - Returns: them, and whether there are more.
    package func page(
        after id: ConnectionID?,
        limit: Int
    ) -> (rows: [ProxySnapshot.Connection], hasMore: Bool) {
        let order = { (id: ConnectionID) in (id.listener, id.ordinal) }
        let all = connections.values.filter { connection in
            id.map { order(connection.identity.id) > order($0) } ?? true
        }.sorted { order($0.identity.id) < order($1.identity.id) }
        return (all.prefix(limit).map(row), all.count > limit)
    }

    /// One open connection; nil if it is not open.
    package func row(_ id: ConnectionID) -> ProxySnapshot.Connection? {
        connections.values.first { $0.identity.id == id }.map(row)
    }

    // Profile.

    /// What is imitated now.
    package var profile: Profile { configuration.profile }

    /// Imitates another network from now on, its faults included.
    ///
    /// Faults of the profile before are taken back where they have not acted.
    ///
    /// - Throws: what is wrong; nothing has changed then.
    package func switchProfile(_ profile: Profile) throws(ProxyError) {
        for fault in profile.faults { try requireOrigin(for: fault) }
        let before = configuration.profile
        let old = before.faults
        do throws(ProxyError) {
            try apply(profile)
        } catch {
            configuration.profile = before
            throw error
        }
        recorder.remark(
            "the network was another one from \(Quantity.text(elapsed)) on: \(profile.name);"
                + " a schedule has one for the whole run"
        )
        if profile.budget != before.budget {
            recorder.difference("the byte budget changed with the network")
        }
        for fault in old where !profile.faults.contains(fault) {
            if let id = plan.faults.first(where: { $0.fault == fault })?.id { _ = remove(id) }
        }
        for fault in profile.faults where !old.contains(fault) { _ = addKnown(fault) }
    }

    // Faults.

    /// Every fault that may act, with its identity.
    package var faults: [(id: String, fault: Fault)] { plan.faults }

    /// What became of each fault so far.
    package var ledger: FaultLedger { reporter.ledger }

    /// Arms a fault on what comes, and on open connections whose place in it is not passed.
    ///
    /// A fault in requests acts on connections that open from now on.
    ///
    /// - Returns: its identity, and the open connections on which it is armed.
    /// - Throws: `refused` if it cannot act here.
    package func add(
        _ fault: Fault
    ) throws(ProxyError) -> (id: String, armed: [ConnectionID]) {
        try requireOrigin(for: fault)
        return addKnown(fault)
    }

    private func addKnown(_ fault: Fault) -> (id: String, armed: [ConnectionID]) {
        let id = plan.add(fault)
        configuration.faults.append(fault)
        requestPlan.add(id, fault)
        reporter.added(id, fault, plan)
        if case .down = fault.effect {
            for route in listeners.indices { listenNoMore(before: accepted[route] &+ 1, on: route) }
        }
        let armed = inOrder.filter { arm(id, on: $0) }.map(\.identity.id)
        recorder.added(fault, isLate: isLate(fault, armedOn: armed))
        return (id, armed)
    }

    /// Whether a connection that has come already would meet this fault, had it been there.
    private func isLate(_ fault: Fault, armedOn armed: [ConnectionID]) -> Bool {
        let selector: OrdinalSelector
        switch fault.address.target {
        case .connections(let connections), .requests(on: let connections, _):
            selector = connections
        case .matching, .object: selector = .every
        }
        return accepted.indices.contains { route in
            (0..<accepted[route]).contains { ordinal in
                let id = ConnectionID(listener: listenerNumber(route), ordinal: ordinal + 1)
                return selector.names(id.ordinal, times: fault.options.times) && !armed.contains(id)
            }
        }
    }

    private func arm(_ id: String, on connection: any Connection) -> Bool {
        let ordinal = connection.identity.id.ordinal
        let faults = plan.faults(onConnection: ordinal, of: id)
        guard !faults.up.isEmpty || !faults.down.isEmpty else { return false }
        reporter.drew(faults, on: connection.identity.id)
        switch connection {
        case let pending as PendingConnection:
            pending.faults = known(on: ordinal)
            return true
        case let direct as DirectSession: return gate(direct).arm(faults)
        case let session as GatedSession: return session.arm(faults)
        default: return false
        }
    }

    /// Takes a fault back, on open connections too; what it has done stays done.
    ///
    /// - Returns: false if there is none of this identity.
    package func remove(_ id: String) -> Bool {
        guard let fault = plan.remove(id) else { return false }
        let row = reporter.ledger.rows.first { $0.id == id }
        let hasActed = row.map { $0.fired + $0.undelivered + $0.unreached > 0 } ?? false
        recorder.removed(fault, hasActed: hasActed || fault.draws && totalConnections > 0)
        if startProfile.faults.contains(fault) {
            recorder.difference(
                "'\(id)' was taken back, and '\(startProfile.name)' brings it again"
            )
        }
        if let place = configuration.faults.firstIndex(of: fault) {
            configuration.faults.remove(at: place)
        }
        requestPlan.remove(id)
        reporter.removed(id)
        for connection in inOrder {
            switch connection {
            case let pending as PendingConnection:
                pending.faults = known(on: connection.identity.id.ordinal)
            case let session as GatedSession: _ = session.disarm(id)
            default: break
            }
        }
        return true
    }

    /// What acts on a connection, its draws being told already.
    private func known(on ordinal: UInt32) -> ConnectionFaults? {
        let faults = plan.faults(onConnection: ordinal)
        return faults.isEmpty ? nil : faults
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

extension Fault {
    /// Whether records tell of what was drawn for it, whether it acts or not.
    fileprivate var draws: Bool {
        if case .connections(let connections) = address.target, connections.chance != nil {
            return true
        }
        if case .byte(_, .drawn) = anchor { return true }
        return false
    }
}
