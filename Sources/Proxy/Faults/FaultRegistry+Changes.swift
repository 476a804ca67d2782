package import Faults
package import Journal
internal import LinkEngine
internal import LinkProfile

// Faults that are added and removed while the proxy runs.
extension FaultRegistry {
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
        return addUnchecked(fault)
    }

    /// The same for a fault that can act here.
    @discardableResult
    func addUnchecked(_ fault: Fault) -> (id: String, armed: [ConnectionID]) {
        let id = plan.add(fault)
        reporter.added(id, fault, plan)
        if case .down = fault.effect { enforceDowntimes() }
        let found = connections.inOrder.map { ($0.identity.id, arm(id, fault, on: $0)) }
        let inTime = found.filter { $0.1.isArmed && !$0.1.isLate }.map(\.0)
        recorder.added(fault, isLate: isLate(fault, armedOn: Set(inTime)))
        return (id, found.filter(\.1.isArmed).map(\.0))
    }

    /// Whether a connection that has come already would meet this fault, had it been there.
    private func isLate(_ fault: Fault, armedOn armed: Set<ConnectionID>) -> Bool {
        // Connections are not numbered by a host before a fault names it.
        if let host = fault.address.host { return hasSeen(host) }
        let selector: OrdinalSelector
        switch fault.address.target {
        case .connections(let connections), .requests(on: let connections, _):
            selector = connections
        case .matching, .object, .queries: selector = .every
        case .flows(let flows, _):
            let begun = begunFlows()
            return begun > 0 && (1...begun).contains { flows.names($0) }
        }
        return acceptor.acceptedIDs.contains { id in
            selector.names(id.ordinal, times: fault.options.times) && !armed.contains(id)
        }
    }

    private func arm(
        _ id: String,
        _ fault: Fault,
        on connection: any Connection
    ) -> FaultGate.Adoption {
        let changesRequests = fault.address.isOfTraffic || fault.effect.event != nil
        let adoption = changesRequests ? adoptRequests(on: connection, adding: id) : nil
        if fault.address.isOfTraffic, let adoption { return adoption }
        return .init(isArmed: armBytes(id, on: connection), isLate: false)
    }

    /// Lets a connection follow the request faults of now.
    @discardableResult
    private func adoptRequests(
        on connection: any Connection,
        adding fault: String?
    ) -> FaultGate.Adoption {
        let id = connection.identity.id
        let isNamed = plan.requests.concerns(connection: id.ordinal, hosts: hosts(id))
        // A pending connection gets its gate when it is connected.
        if connection.isPending { return .init(isArmed: isNamed, isLate: false) }
        return connection.adopt(plan.requests, adding: fault)
            ?? .init(isArmed: false, isLate: isNamed)
    }

    private func armBytes(_ id: String, on connection: any Connection) -> Bool {
        let connectionID = connection.identity.id
        let faults = plan.faults(
            onConnection: connectionID.ordinal,
            hosts: hosts(connectionID),
            of: id
        )
        guard !faults.up.isEmpty || !faults.down.isEmpty else { return false }
        reporter.drew(faults, on: connectionID)
        connection.replaceFaults(known(on: connectionID))
        return connection.arm(faults)
    }

    /// Removes a fault, from open connections too; what it has done stays done, and what it does to
    /// a request that is under way.
    ///
    /// - Returns: false if there is none of this identity.
    package func remove(_ id: String) -> Bool {
        guard let fault = plan.remove(id) else { return false }
        let row = reporter.ledger.rows.first { $0.id == id }
        let hasActed = row.map { $0.fired + $0.undelivered + $0.unreached > 0 } ?? false
        let isTold = hasActed || fault.draws && connections.totalCount > 0
        recorder.removed(fault, hasActed: isTold)
        if !isTold, !plan.giveBack(id, of: fault) {
            recorder.difference(
                "'\(id)' was removed before an equal fault, which has another number in a replay"
            )
        }
        if startProfile.faults.contains(fault) {
            recorder.difference(
                "'\(id)' was removed, and '\(startProfile.name)' brings it again"
            )
        }
        reporter.removed(id)
        for connection in connections.inOrder {
            connection.replaceFaults(known(on: connection.identity.id))
            connection.disarm(id)
            if fault.address.isOfTraffic { adoptRequests(on: connection, adding: nil) }
        }
        return true
    }

    /// Replaces the faults of a profile by those of another.
    func replace(_ old: [Fault], with new: [Fault]) {
        for fault in old where !new.contains(fault) {
            if let id = plan.faults.first(where: { $0.fault == fault })?.id { _ = remove(id) }
        }
        for fault in new where !old.contains(fault) { addUnchecked(fault) }
    }
}

extension Fault {
    /// Whether records show what was drawn for it, whether it acts or not.
    fileprivate var draws: Bool {
        if case .connections(let connections) = address.target, connections.chance != nil {
            return true
        }
        if case .byte(_, .drawn) = anchor { return true }
        return false
    }
}
