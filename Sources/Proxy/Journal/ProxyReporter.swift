internal import Basics
internal import Faults
internal import Journal
internal import LinkEngine
internal import SystemIO

/// Keeps account of what happened, and hands it to whoever writes the journal.
///
/// Records are handed over after the turn of the loop in which they came up: sessions are at work
/// when they report, and the receiver may look at them.
final class ProxyReporter: ReadinessHandler {
    private unowned let loop: EventLoop
    private let onRecord: ((JournalRecord, Instant) -> Void)?
    private var plan: FaultPlan
    private(set) var ledger: FaultLedger
    private(set) var recentEvents: [JournalRecord] = []
    private(set) var troubles: UInt64 = 0
    private(set) var lateness = ProxySnapshot.Lateness()
    /// Hides what must not stand in a journal.
    var redaction = Redaction()
    /// Called when the TLS of a connection failed, with what is wrong.
    var onTLSFailure: ((ConnectionID, String) -> Void)?
    private var outbox: [(record: JournalRecord, time: Instant)] = []
    private var lastLateReport = Instant.start
    private var lastLimitReport = Instant.start
    private var lastLossReport = Instant.start
    private var untoldLosses: UInt64 = 0

    private static let recentLimit = 32
    private static let reportInterval = Duration.seconds(1)

    init(loop: EventLoop, plan: FaultPlan, onRecord: ((JournalRecord, Instant) -> Void)?) {
        self.loop = loop
        self.plan = plan
        self.onRecord = onRecord
        ledger = FaultLedger(plan: plan)
    }

    /// Whether anybody wants records, so that they are worth making.
    var isObserved: Bool { onRecord != nil }

    /// Hands over what waits, with what never happened.
    func finish() {
        tellLosses()
        for row in ledger.rows where row.fired == 0 && row.undelivered == 0 && row.unreached == 0 {
            guard let fault = plan.faults.first(where: { $0.id == row.id })?.fault else { continue }
            let report = FaultReport(
                connection: nil,
                id: row.id,
                address: fault.address.isOfRequests || fault.anchor == .whole
                    ? fault.address.canonicalText : fault.anchor.canonicalText,
                effect: fault.effect.canonicalText,
                state: .unreached(reason: row.reason.description),
                offset: nil
            )
            record(.fault(report))
        }
        flush()
    }

    /// Takes up a fault that came while the proxy runs.
    func added(_ id: String, _ fault: Fault, _ plan: FaultPlan) {
        self.plan = plan
        ledger.add(id, fault)
    }

    /// Forgets a fault that was taken back.
    func removed(_ id: String) { ledger.remove(id) }

    // Connections.

    func accepted(_ id: ConnectionID, client: @autoclosure () -> SocketAddress?) {
        guard isObserved else { return }
        let address = client().map { JSONValue.string($0.description) }
        record(.connection(id, environment: ["client": address]))
    }

    /// A flow has begun.
    func begun(_ flow: ConnectionID, client: SocketAddress) {
        guard isObserved else { return }
        record(.flow(flow, environment: ["client": .string(client.description)]))
    }

    func ended(_ end: ConnectionEnd, to server: SocketAddress? = nil) {
        guard isObserved else { return }
        var end = end
        end.server = server?.description
        record(.connectionEnd(end))
    }

    func upstreamFailed(_ id: ConnectionID, _ endpoint: Endpoint, _ error: SystemError) {
        let words = "cannot reach upstream \(endpoint): \(error)"
        record(.upstream(id, UpstreamTrouble(error), words: words))
    }

    /// The next proxy gave no tunnel to a server.
    func noTunnel(_ id: ConnectionID, _ words: String) {
        record(.upstream(id, .proxy, words: words))
    }

    /// A client asked a forward proxy for what it may not have.
    func turnedAway(_ id: ConnectionID, _ destination: Destination, _ outcome: ForwardOutcome) {
        let endpoint = destination.endpoint
        let words =
            outcome == .unclearHost
            ? "the host of \(endpoint) is no name, and no address in its usual form"
            : "\(endpoint) is not allowed; allow it with --allow \(endpoint)"
        record(.upstream(id, .notAllowed, words: words))
        onTLSFailure?(id, words)
    }

    /// TLS with one side failed.
    func tlsFailed(_ id: ConnectionID, _ words: String) {
        record(.note(id, text: words))
        onTLSFailure?(id, words)
    }

    // Faults.

    func drew(_ faults: ConnectionFaults, on id: ConnectionID) {
        guard isObserved else { return }
        for draw in faults.draws {
            record(
                .draw(id, stream: draw.label, index: draw.index, value: draw.value)
            )
        }
    }

    func drew(_ draw: FaultDraw, on id: ConnectionID) {
        record(.draw(id, stream: draw.label, index: draw.index, value: draw.value))
    }

    /// A fault acted; what was done by hand is in no ledger.
    func fired(_ fault: ArmedFault, on id: ConnectionID, isDelivered: Bool) {
        report(fault, on: id, isDelivered ? .fired : .undelivered)
        if !fault.isByHand { ledger.fired(fault.id, delivered: isDelivered) }
    }

    func unreached(_ fault: ArmedFault, _ reason: UnreachedReason, on id: ConnectionID) {
        ledger.unreached(fault.id, reason)
        report(fault, on: id, .unreached(reason: reason.description))
    }

    private func report(_ fault: ArmedFault, on id: ConnectionID, _ state: FaultReport.State) {
        let report = FaultReport(
            connection: id,
            request: fault.request,
            id: fault.id,
            address: fault.address,
            effect: fault.effect.canonicalText,
            state: state,
            offset: fault.offset,
            isRacy: fault.isRacy,
            isByHand: fault.isByHand
        )
        record(.fault(report))
    }

    private func unreached(_ unfired: UnfiredFault, on id: ConnectionID) {
        unreached(unfired.fault, unfired.reason, on: id)
    }

    func refused(by fault: String, _ faults: ConnectionFaults, on id: ConnectionID) {
        actedAtConnect(fault, on: id)
        for unfired in faults.preempted { unreached(unfired, on: id) }
    }

    func silenced(by fault: String, _ faults: ConnectionFaults, on id: ConnectionID) {
        refused(by: fault, faults, on: id)
    }

    // Flows of datagrams.

    /// A fault acted on a datagram, or on a flow.
    func fired(_ fired: FlowGate.Fired, on flow: ConnectionID, isByHand: Bool = false) {
        if !isByHand { ledger.fired(fired.id) }
        record(
            .fault(
                FaultReport(
                    connection: flow,
                    id: fired.id,
                    address: fired.address,
                    effect: fired.effect,
                    state: .fired,
                    offset: nil,
                    isByHand: isByHand
                )
            )
        )
    }

    /// A flow ended without this fault.
    func unreached(_ id: String, on flow: ConnectionID) {
        let reason = UnreachedReason.flowEnded
        ledger.unreached(id, reason)
        guard let fault = plan.faults.first(where: { $0.id == id })?.fault else { return }
        record(
            .fault(
                FaultReport(
                    connection: flow,
                    id: id,
                    address: fault.anchor.canonicalText,
                    effect: fault.effect.canonicalText,
                    state: .unreached(reason: reason.description),
                    offset: nil
                )
            )
        )
    }

    /// Datagrams were lost that no profile or fault had asked for.
    func datagramsLost(_ count: UInt64) {
        untoldLosses += count
        if isTime(&lastLossReport) { tellLosses() }
    }

    private func tellLosses() {
        guard untoldLosses > 0 else { return }
        trouble(
            .datagramsLost,
            "the system lost \(untoldLosses) datagram\(untoldLosses == 1 ? "" : "s") for want of room;"
                + " what the peers did about that is no finding"
        )
        untoldLosses = 0
    }

    /// A fault acted at a server beside the proxy, which knows no connections of ours.
    func firedAtServer(_ id: String) {
        ledger.fired(id)
        report(id, .fired)
    }

    /// A fault did not act at a server beside the proxy.
    func unreachedAtServer(_ id: String, _ reason: UnreachedReason) {
        ledger.unreached(id, reason)
        report(id, .unreached(reason: reason.description))
    }

    private func report(_ id: String, _ state: FaultReport.State) {
        guard let fault = plan.faults.first(where: { $0.id == id })?.fault else { return }
        let report = FaultReport(
            connection: nil,
            id: id,
            address: fault.address.canonicalText,
            effect: fault.effect.canonicalText,
            state: state,
            offset: nil
        )
        record(.fault(report))
    }

    /// Nothing listens in place of this connection.
    func wentDown(by fault: String, on id: ConnectionID) { actedAtConnect(fault, on: id) }

    private func actedAtConnect(_ fault: String, on id: ConnectionID) {
        ledger.fired(fault)
        let effect = plan.faults.first { $0.id == fault }?.fault.effect.canonicalText ?? ""
        actedAtConnect(fault, effect, on: id)
    }

    /// A connection was refused by hand, or ended before it had an upstream.
    func refusedByHand(_ fault: String, _ faults: ConnectionFaults?, on id: ConnectionID) {
        actedAtConnect(fault, "refuse", on: id, isByHand: true)
        for unfired in faults?.preempted(by: fault) ?? [] { unreached(unfired, on: id) }
    }

    private func actedAtConnect(
        _ fault: String,
        _ effect: String,
        on id: ConnectionID,
        isByHand: Bool = false
    ) {
        let report = FaultReport(
            connection: id,
            id: fault,
            address: "connect",
            effect: effect,
            state: .fired,
            offset: nil,
            isByHand: isByHand
        )
        record(.fault(report))
    }

    func report(_ record: JournalRecord) { self.record(record) }

    // Limits and troubles.

    func budgetReached(_ crossing: DataBudgetMeter.Crossing, _ budget: BudgetKeeper) {
        let limit: BudgetLimit = crossing == .soft ? .soft : .hard
        let rate = crossing == .soft ? budget.meter.reducedRate?.bitsPerSecond : nil
        record(.budget(limit, bytes: budget.bytes(of: crossing), bitsPerSecond: rate))
    }

    func trouble(_ trouble: InternalTrouble, _ words: String) {
        troubles += 1
        record(.trouble(trouble, words: words))
    }

    func descriptorsRanOut(_ words: String) {
        guard isTime(&lastLimitReport) else { return }
        trouble(.descriptorLimit, words)
    }

    /// Counts a period in which packets left late, or raises the worst lateness of the current one.
    func pacingWasLate(_ lateness: Duration, isStill: Bool) {
        self.lateness.worst = max(self.lateness.worst, lateness)
        guard !isStill else { return }
        self.lateness.count += 1
        guard isTime(&lastLateReport) else { return }
        trouble(
            .latePacing,
            "packets left \(lateness.wholeMilliseconds) ms late: a busy machine"
        )
    }

    /// Some troubles come in swarms: each is told once a second.
    private func isTime(_ last: inout Instant) -> Bool {
        let now = loop.now
        guard now - last >= Self.reportInterval else {
            troubles += 1
            return false
        }
        last = now
        return true
    }

    private func record(_ record: JournalRecord) {
        switch record {
        case .fault, .budget, .trouble, .upstream, .change:
            if recentEvents.count == Self.recentLimit { recentEvents.removeFirst() }
            recentEvents.append(record)
        default: break
        }
        guard isObserved else { return }
        if outbox.isEmpty { loop.runLater(self) }
        // A busy loop may hand it on much later, when a client has acted on what it tells.
        outbox.append((record, loop.now))
    }

    func ready(_ readiness: Readiness, tag: UInt32) { flush() }

    func flush() {
        let due = outbox
        outbox.removeAll()
        for (record, time) in due { onRecord?(record, time) }
    }
}

extension UpstreamTrouble {
    fileprivate init(_ error: SystemError) {
        self =
            switch error {
            case .connectionRefused: .refused
            case .timedOut: .timeout
            case .hostUnreachable, .networkUnreachable: .unreachable
            case .connectionReset, .brokenPipe: .lost
            case .noSuchFile: .refused
            case _ where error.isUnknownName: .nameNotFound
            case _ where error.isLookup: .nameServer
            default: .other
            }
    }
}
