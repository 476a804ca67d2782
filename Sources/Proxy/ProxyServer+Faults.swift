package import FaultInjection
internal import Journal
internal import LinkEngine
internal import Libuv

// Faults of connections and requests, and what connections have in common there.
extension ProxyServer {
    /// What looks at the messages of a connection; nil if nobody cares what its bytes mean.
    func messageDesk(for id: ConnectionID) -> MessageDesk? {
        let isObserved = configuration.observesRequests && reporter.isObserved
        let addsHints = configuration.addsHints
        guard isObserved || addsHints || requestPlan.concerns(connection: id.ordinal) else {
            return nil
        }
        return MessageDesk(
            gate: MessageGate(
                plan: requestPlan,
                connection: id.ordinal,
                addsHints: addsHints
            ),
            recorder: isObserved
                ? MessageRecorder(id, startNanoseconds: startNanoseconds) : nil
        )
    }

    // Reports.

    func faultFired(_ fault: ActingFault, on id: ConnectionID, isDelivered: Bool = true) {
        guard case .byHand(let byHand) = fault else {
            return reporter.fired(fault, on: id, isDelivered: isDelivered)
        }
        recorder.acted(byHand.id, listeners: listeners.count)
        let numbered = byHand.identified(as: plan.takeIdentity(byHand.id))
        reporter.fired(.byHand(numbered), on: id, isDelivered: isDelivered)
    }

    /// Tells of a connection that somebody refused, as of the fault that does it again.
    func refusedByHand(_ id: ConnectionID, _ faults: ConnectionFaults?) {
        let fault = Self.refusal(of: id.ordinal)
        recorder.acted(fault, listeners: listeners.count)
        reporter.refusedByHand(fault, faults, on: id)
    }

    /// The fault that refuses one connection.
    static func refusal(of ordinal: UInt32) -> String { "c\(ordinal):connect=refuse" }

    func faultUnreached(_ unfired: UnfiredFault, on id: ConnectionID) {
        reporter.unreached(unfired, on: id)
    }

    func faultUnreached(_ fault: RequestFault, _ reason: UnreachedReason, on id: ConnectionID) {
        reporter.unreached(fault, reason, on: id)
    }

    func faultDrew(_ draw: FaultDraw, on id: ConnectionID) { reporter.drew(draw, on: id) }

    func report(_ record: JournalRecord) { reporter.report(record) }

    func report(_ trouble: InternalTrouble, _ words: String) { reporter.trouble(trouble, words) }

    /// Faults of the origin need one that does what they say.
    func requireOrigin() throws(ProxyError) {
        for (_, fault) in plan.faults { try requireOrigin(for: fault) }
    }

    /// Throws `refused` for a fault that only an origin can do, without one.
    package func requireOrigin(for fault: Fault) throws(ProxyError) {
        guard fault.needsOrigin else { return }
        let objection: String?
        if let originFaults {
            objection = originFaults.objection(to: fault)
        } else {
            objection =
                fault.effect.isCrash
                ? "needs a server that linkcond starts: the embedded origin, or, in a run, one of"
                    + " --origin-cmd"
                : "is of the embedded origin; give no other upstream, or leave it out"
        }
        guard let objection else { return }
        throw ProxyError(.refused, "fault '\(fault.canonicalText)' \(objection)")
    }

    /// Notes that a fault acted at the origin.
    package func originFaultFired(_ id: String) { reporter.firedAtOrigin(id) }

    // What faults wait for.

    /// Notes that a place has been passed that faults wait for.
    func happened(_ event: Int) {
        guard requestRun.happen(event) else { return }
        let due = waiting.removeValue(forKey: event) ?? []
        // Later: a session is at work while it tells.
        for action in due { run(afterNanoseconds: 0, action) }
    }

    /// Does something once a place has been passed, soon if it has been already.
    func whenHappened(_ address: FaultAddress, _ action: @escaping () -> Void) {
        guard let event = requestPlan.event(at: address) else { return }
        if requestRun.hasHappened(event) {
            run(afterNanoseconds: 0, action)
        } else {
            waiting[event, default: []].append(action)
        }
    }

    private func run(afterNanoseconds nanoseconds: UInt64, _ action: @escaping () -> Void) {
        _ = alarms.set(afterNanoseconds: nanoseconds, action: action)
    }

    // Outages of listeners.

    /// Closes a listener if a fault has it closed in place of this connection, from 1.
    func listenNoMore(before connection: UInt32, on route: Int) {
        guard let (id, span) = plan.downtime(insteadOf: connection) else { return }
        let listener = listeners[route]
        listener.suspend()
        let missing = ConnectionID(listener: listenerNumber(route), ordinal: connection)
        reporter.wentDown(by: id, on: missing)
        let resume: () -> Void = { [weak self, weak listener] in
            guard let self, let listener, isAccepting else { return }
            do throws(SystemError) {
                try listener.reopen()
            } catch {
                reporter.trouble(.other, "cannot listen again on \(listener.address): \(error)")
            }
        }
        switch span {
        case .time(let duration):
            run(afterNanoseconds: UInt64(duration.nanoseconds), resume)
        case .until(let address): whenHappened(address, resume)
        }
    }
}

extension Fault {
    /// Whether only an origin that takes part can do this.
    fileprivate var needsOrigin: Bool {
        if case .object = address.target { return true }
        return effect.isCrash
    }
}

extension Effect {
    fileprivate var isCrash: Bool { if case .crash = self { true } else { false } }
}
