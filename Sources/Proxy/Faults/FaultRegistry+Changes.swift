package import FaultInjection
package import Journal
internal import LinkEngine
package import LinkProfile

// Another network, and other faults, while the proxy runs.
extension ProxyServer {
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

    /// Every fault that may act, with its identity.
    package var faults: [(id: String, fault: Fault)] { plan.faults }

    /// What became of each fault so far.
    package var ledger: FaultLedger { reporter.ledger }

    /// Arms a fault on what comes, and on open connections whose place in it is not passed.
    ///
    /// A fault in requests acts from the next request of each connection on.
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
        let found = inOrder.map { ($0.identity.id, arm(id, fault, on: $0)) }
        let inTime = found.filter { $0.1.isArmed && !$0.1.isLate }.map(\.0)
        recorder.added(fault, isLate: isLate(fault, armedOn: Set(inTime)))
        return (id, found.filter(\.1.isArmed).map(\.0))
    }

    /// Whether a connection that has come already would meet this fault, had it been there.
    private func isLate(_ fault: Fault, armedOn armed: Set<ConnectionID>) -> Bool {
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

    private func arm(
        _ id: String,
        _ fault: Fault,
        on connection: any Connection
    ) -> MessageGate.Adoption {
        let changesRequests = fault.address.isOfTraffic || fault.effect.event != nil
        let adoption = changesRequests ? adopt(on: connection, adding: id) : nil
        if fault.address.isOfTraffic, let adoption { return adoption }
        return .init(isArmed: armBytes(id, on: connection), isLate: false)
    }

    /// Lets a connection go by the request faults of now.
    private func adopt(
        on connection: any Connection,
        adding id: String?
    ) -> MessageGate.Adoption {
        // One that is not connected yet gets its gate when it is.
        let isNamed = requestPlan.concerns(connection: connection.identity.id.ordinal)
        if connection is PendingConnection { return .init(isArmed: isNamed, isLate: false) }
        let session = connection as? GatedSession
        return session?.adopt(requestPlan, adding: id) ?? .init(isArmed: false, isLate: isNamed)
    }

    private func armBytes(_ id: String, on connection: any Connection) -> Bool {
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

    /// Takes a fault back, on open connections too; what it has done stays done, and what it does to
    /// a request that is under way.
    ///
    /// - Returns: false if there is none of this identity.
    package func remove(_ id: String) -> Bool {
        guard let fault = plan.remove(id) else { return false }
        let row = reporter.ledger.rows.first { $0.id == id }
        let hasActed = row.map { $0.fired + $0.undelivered + $0.unreached > 0 } ?? false
        let isTold = hasActed || fault.draws && totalConnections > 0
        recorder.removed(fault, hasActed: isTold)
        if !isTold, !plan.giveBack(id, of: fault) {
            recorder.difference(
                "'\(id)' was taken back before an equal fault, which has another number in a replay"
            )
        }
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
            if fault.address.isOfTraffic { _ = adopt(on: connection, adding: nil) }
        }
        return true
    }

    /// What acts on a connection, its draws being told already.
    private func known(on ordinal: UInt32) -> ConnectionFaults? {
        let faults = plan.faults(onConnection: ordinal)
        return faults.isEmpty ? nil : faults
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
