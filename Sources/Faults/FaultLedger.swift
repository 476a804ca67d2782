/// What became of every fault of a run, so that one that never acted is not passed over.
package struct FaultLedger: Sendable {
    /// One fault's account.
    package struct Row: Hashable, Sendable {
        package let id: String
        /// How often it acted.
        package fileprivate(set) var fired: UInt64 = 0
        /// How often it acted without proof that all bytes before it arrived.
        package fileprivate(set) var undelivered: UInt64 = 0
        /// How often it was armed and did not act.
        package fileprivate(set) var unreached: UInt64 = 0
        /// Why it last did not act; `noConnection` or `noRequest` if it was never armed.
        package fileprivate(set) var reason: UnreachedReason

        fileprivate init(id: String, reason: UnreachedReason) {
            self.id = id
            self.reason = reason
        }
    }

    /// One row for each fault of the plan, in the plan's order.
    package private(set) var rows: [Row] = []
    private var places: [String: Int] = [:]

    package init(plan: FaultPlan) {
        for (id, fault) in plan.faults { add(id, fault) }
    }

    /// Opens an account for a fault that came later.
    package mutating func add(_ id: String, _ fault: Fault) {
        guard places[id] == nil else { return }
        places[id] = rows.count
        rows.append(Row(id: id, reason: fault.address.reasonIfAbsent))
    }

    /// Closes the account of a fault that was taken back; what it did stays.
    package mutating func remove(_ id: String) {
        guard let place = places[id], rows[place].fired == 0, rows[place].undelivered == 0 else {
            return
        }
        rows.remove(at: place)
        places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.id, $0) })
    }

    /// Notes that a fault acted, and whether its receiver acknowledged every byte before it.
    package mutating func fired(_ id: String, delivered: Bool = true) {
        guard let place = places[id] else { return }
        rows[place].fired += delivered ? 1 : 0
        rows[place].undelivered += delivered ? 0 : 1
    }

    /// Notes that a fault was armed on a connection that ended without it.
    package mutating func unreached(_ unfired: UnfiredFault) {
        unreached(unfired.fault.id, unfired.reason)
    }

    /// Notes that a fault was armed and did not act.
    package mutating func unreached(_ id: String, _ reason: UnreachedReason) {
        guard let place = places[id] else { return }
        rows[place].unreached += 1
        rows[place].reason = reason
    }

    /// The faults that never acted as promised.
    package var silent: [Row] { rows.filter { $0.fired == 0 } }
}

extension FaultAddress {
    /// Why a fault that was never armed did not act.
    fileprivate var reasonIfAbsent: UnreachedReason {
        if case .flows = target { return .noFlow }
        if case .queries = target { return .noQuery }
        return isOfRequests ? .noRequest : .noConnection
    }
}
