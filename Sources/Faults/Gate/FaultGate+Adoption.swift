internal import Basics
internal import HTTPWire

// What changes while the connection is open.
extension FaultGate {
    /// What a fault finds that comes while the connection is open.
    package struct Adoption: Hashable, Sendable {
        /// Requests to come may meet it.
        package var isArmed: Bool
        /// Requests that have begun would have met it, had it been there.
        package var isLate: Bool

        package init(isArmed: Bool, isLate: Bool) {
            self.isArmed = isArmed
            self.isLate = isLate
        }
    }

    /// Goes by another plan from the next request on; the one that is under way has its faults.
    ///
    /// A request counts as begun once a byte of it has passed, or it has been noted. One connection
    /// has its requests counted from its start, whatever there was to act then.
    ///
    /// - Parameters:
    ///   - plan: the one before with faults added or removed.
    ///   - id: of the fault that was added, if one was.
    /// - Returns: what that fault finds here.
    package mutating func adopt(_ plan: RequestPlan, adding id: String? = nil) -> Adoption {
        let known = self.plan.events.count
        self.plan = plan
        watchForEvents(from: known)
        if !acts, plan.concerns(connection: connection, hosts: hosts) { beginToAct() }
        guard let id, let entry = plan.entries.first(where: { $0.id == id }) else {
            return Adoption(isArmed: false, isLate: false)
        }
        let adoption = adoption(entry.fault)
        if !adoption.isArmed { tellLate(entry) }
        return adoption
    }

    private mutating func beginToAct() {
        acts = true
        untouched = begun + (isWithinHead ? 1 : 0)
    }

    /// Whether a part of a request's head has passed, and no more.
    var isWithinHead: Bool {
        tap.unfinishedHead(of: .client).map { $0 < lane(.up).passed } ?? false
    }

    /// Notes the bytes of this connection that something waits for.
    mutating func watchForEvents(from first: Int) {
        for index in plan.events.indices.dropFirst(first) {
            let address = plan.events[index].address
            guard case .connections(let selector) = address.target,
                let ordinal = address.ordinal(of: connection, hosts), selector.names(ordinal),
                case .byte(let direction, .at(let offset)) = plan.events[index].address.anchor
            else { continue }
            if offset < lane(direction).passed {
                note(.happened(index))
            } else {
                byteEvents.append((index, direction, offset))
            }
        }
    }

    private func adoption(_ fault: Fault) -> Adoption {
        let past = max(begun, untouched)
        let times = fault.options.times
        switch fault.address.target {
        case .connections(let selector):
            let isNamed = selector.names(connection, times: times)
            return Adoption(isArmed: isNamed, isLate: isNamed && past > 0)
        case .requests(let selector, let requests):
            guard selector.names(connection) else {
                return Adoption(isArmed: false, isLate: false)
            }
            return Adoption(
                isArmed: requests.last(times: times).map { $0 > past } ?? true,
                isLate: requests.first <= past
            )
        // Requests of all connections are counted together, from now on.
        case .matching: return Adoption(isArmed: true, isLate: past > 0)
        case .object, .flows, .queries: return Adoption(isArmed: false, isLate: false)
        }
    }

    /// Notes a fault whose only place is here, and passed.
    private mutating func tellLate(_ entry: RequestPlan.Entry) {
        guard case .requests(let selector, let requests) = entry.fault.address.target,
            case .one(connection) = selector.ordinals
        else { return }
        var fault = ArmedFault(
            id: entry.id,
            place: .exchange(requests.first, entry.fault.anchor),
            effect: entry.fault.effect,
            options: entry.fault.options
        )
        fault.isRacy = true
        note(.unreached(fault, .addedLate))
    }
}
