internal import Basics
package import Faults
internal import Journal
internal import LinkEngine
package import LinkProfile
internal import SystemIO

/// The faults of a proxy: which act on a connection, what they wait for, and what became of them.
package final class FaultRegistry {
    var plan: FaultPlan
    /// What the connections of the run have in common as to requests.
    var requestRun = RequestRun()
    /// What was done by hand, as faults.
    package internal(set) var recorder = ManualRecorder()
    /// What the proxy began with.
    package let startFaults: [Fault]
    package let startProfile: Profile
    /// Nil without a server that faults can act on.
    package weak var origin: (any OriginFaults)?
    /// Whether a name server beside the proxy does the faults of name lookups that the plan begins with.
    package var hasNameServer = false
    /// Nil where the client's files are not known.
    package weak var files: (any ClientFiles)?
    let reporter: ProxyReporter
    let acceptor: Acceptor
    let connections: ConnectionTable
    /// How the TLS of clients is answered; nil if it is not.
    private let clients: TLSConfiguration.Clients?
    private let carriesConnections: Bool
    private let carriesDatagrams: Bool
    private let timers: TimerQueue
    /// What is to be done when an event of the request plan happens.
    private var waiting: [Int: [() -> Void]] = [:]
    /// How many connections went to each server so far, and what that makes of the open ones.
    private var destinations = DestinationCounts()
    /// How many flows of datagrams have begun, on the listener with the most.
    var begunFlows: () -> UInt32 = { 0 }

    init(
        plan: FaultPlan,
        configuration: ProxyConfiguration,
        reporter: ProxyReporter,
        acceptor: Acceptor,
        connections: ConnectionTable,
        timers: TimerQueue
    ) {
        self.plan = plan
        startFaults = configuration.faults
        startProfile = configuration.profile
        clients = configuration.tls?.clients
        let routes = configuration.routes
        // Listeners may be added to a proxy that begins without one.
        carriesConnections = routes.isEmpty || routes.contains { !$0.carriesDatagrams }
        carriesDatagrams = configuration.carriesDatagrams
        self.reporter = reporter
        self.acceptor = acceptor
        self.connections = connections
        self.timers = timers
    }

    // MARK: What acts

    /// Every fault that may act, with its identity.
    package var all: [(id: String, fault: Fault)] { plan.faults }

    /// What became of each fault so far.
    package var ledger: FaultLedger { reporter.ledger }

    /// The byte faults that will act on a new connection, after their draws were recorded; nil for
    /// none.
    ///
    /// - Parameters:
    ///   - id: of the connection.
    ///   - server: where it goes; nil as long as its client has not said so.
    /// - Returns: what acts on it.
    func faults(on id: ConnectionID, to server: Destination?) -> ConnectionFaults? {
        if let server { destinations.count(id, server, by: plan.hosts) }
        guard !plan.isEmpty else { return nil }
        let faults = plan.faults(onConnection: id.ordinal, hosts: hosts(id))
        reporter.drew(faults, on: id)
        return faults.isEmpty ? nil : faults
    }

    /// The same once a client of a forward proxy has said where it goes: what acts by then, and what
    /// acts on connections to this server.
    ///
    /// - Parameters:
    ///   - id: of the connection.
    ///   - server: where it goes.
    /// - Returns: all byte faults that act on it; nil for none.
    func faults(on id: ConnectionID, destinedTo server: Destination) -> ConnectionFaults? {
        destinations.count(id, server, by: plan.hosts)
        guard !plan.isEmpty else { return nil }
        let before = plan.faults(onConnection: id.ordinal)
        let faults = plan.faults(onConnection: id.ordinal, hosts: hosts(id))
        for draw in faults.draws where !before.draws.contains(draw) { reporter.drew(draw, on: id) }
        return faults.isEmpty ? nil : faults
    }

    /// The ordinals of a connection among those to each host that faults name.
    func hosts(_ id: ConnectionID) -> HostOrdinals { destinations.ordinals[id] ?? [:] }

    /// Whether a connection to a host has come already.
    func hasSeen(_ host: HostPattern) -> Bool { destinations.total(host) > 0 }

    /// A connection is over.
    func ended(_ id: ConnectionID) { destinations.ordinals[id] = nil }

    /// The faults of a flow of datagrams, those that are added later left out.
    func faults(onFlow ordinal: UInt32) -> FlowFaults { plan.faults(onFlow: ordinal) }

    /// The byte faults that act on a connection whose draws were recorded.
    func known(on id: ConnectionID) -> ConnectionFaults? {
        let faults = plan.faults(onConnection: id.ordinal, hosts: hosts(id))
        return faults.isEmpty ? nil : faults
    }

    // MARK: What happened

    /// A fault acted on a connection.
    func fired(_ fault: ArmedFault, on id: ConnectionID, isDelivered: Bool = true) {
        guard fault.isByHand else { return reporter.fired(fault, on: id, isDelivered: isDelivered) }
        recorder.acted(fault.fault(onConnection: id.ordinal), listeners: acceptor.count)
        let numbered = fault.identified(as: plan.takeIdentity(fault.id))
        reporter.fired(numbered, on: id, isDelivered: isDelivered)
    }

    /// Something was done to a flow by hand; recorded as the fault that does the same.
    ///
    /// - Parameters:
    ///   - fault: as a schedule has it.
    ///   - address: where it acted, as in `up#3`.
    ///   - id: the flow.
    func firedByHand(_ fault: Fault, at address: String, on id: ConnectionID) {
        recorder.acted(fault, listeners: acceptor.count)
        reporter.fired(
            FlowGate.Fired(
                id: plan.takeIdentity(fault.canonicalText),
                address: address,
                effect: fault.effect.canonicalText
            ),
            on: id,
            isByHand: true
        )
    }

    /// A connection was refused by hand; recorded as the fault that does the same.
    func refusedByHand(_ id: ConnectionID, _ faults: ConnectionFaults?) {
        let fault = Self.refusal(of: id.ordinal)
        recorder.acted(fault, listeners: acceptor.count)
        reporter.refusedByHand(fault.canonicalText, faults, on: id)
    }

    /// The fault that refuses `count` connections from this one on.
    static func refusal(of ordinal: UInt32, _ count: UInt32 = 1) -> Fault {
        Fault(connections: .one(ordinal), anchor: .connect, effect: .refuse(count))
    }

    /// A fault acted at the origin or at the name server.
    package func firedAtServer(_ id: String) { reporter.firedAtServer(id) }

    /// A fault did not act at the name server.
    package func unreachedAtServer(_ id: String, _ reason: UnreachedReason) {
        reporter.unreachedAtServer(id, reason)
    }

    // MARK: What faults need

    /// Throws `refused` for a fault that only an origin, or the client's files, can do, without them, for
    /// one in TLS that is not answered here, and for one in traffic that is not forwarded.
    package func requireOrigin(for fault: Fault) throws(ProxyError) {
        if case .purge = fault.effect, files == nil {
            throw ProxyError(
                .refused,
                "fault '\(fault.canonicalText)' removes files of a client that linkcond starts; use"
                    + " linkcond run"
            )
        }
        let objection: String?
        if let words = objectionToTraffic(fault.address.target) {
            objection = words
        } else if case .queries = fault.address.target {
            objection = objectionToLookups(fault)
        } else if case .tls = fault.anchor {
            objection = objectionInTLS(to: fault.effect)
        } else if !fault.needsOrigin {
            objection = nil
        } else if let origin {
            objection = origin.objection(to: fault)
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

    /// Why nothing that is about datagrams can be.
    static let lackOfDatagrams =
        "and only connections are forwarded; use --upstream udp://HOST:PORT, or --transport udp in a run"

    private func objectionToTraffic(_ target: FaultTarget) -> String? {
        switch target {
        case .flows:
            carriesDatagrams
                ? nil
                : "acts on datagrams, \(Self.lackOfDatagrams)"
        case .connections, .requests, .matching, .object:
            carriesConnections
                ? nil
                : "acts on connections, and only datagrams are forwarded; use --upstream"
                    + " udp+tcp://HOST:PORT, or --transport udp+tcp in a run"
        case .queries: nil
        }
    }

    private func objectionToLookups(_ fault: Fault) -> String? {
        guard hasNameServer else {
            return "acts on name lookups, which nobody answers here; add --dns, and lead names to"
                + " addresses with --name NAME=ADDRESS"
        }
        return plan.faults.contains { $0.fault == fault }
            ? nil : "acts on name lookups from the start only; give it with --fault"
    }

    private func objectionInTLS(to effect: Effect) -> String? {
        guard let clients else {
            return
                "is in TLS, which is passed through; let linkcond answer it, with --https in a run"
                + " and --tls terminate in a proxy"
        }
        if case .certificate = effect, case .files = clients.server.identity {
            return "needs certificates that linkcond makes; leave out --tls-cert"
        }
        return nil
    }

    /// Throws `refused` if a fault of the plan needs an origin that is not there.
    func requireOrigin() throws(ProxyError) {
        for (_, fault) in plan.faults { try requireOrigin(for: fault) }
    }

    // MARK: Events

    /// A place has been passed that faults wait for.
    func happened(_ event: Int) {
        guard requestRun.happen(event) else { return }
        let due = waiting.removeValue(forKey: event) ?? []
        // Later: a session is at work when it reports.
        for action in due { run(after: .zero, action) }
    }

    /// A connection was accepted; some faults wait for that.
    func connectHappened(_ id: ConnectionID) {
        for event in plan.requests.events(atConnect: id.ordinal, hosts: hosts(id)) {
            happened(event)
        }
    }

    /// Does something once a place has been passed, or soon if it has been already.
    func whenHappened(_ address: FaultAddress, _ action: @escaping () -> Void) {
        guard let event = plan.requests.event(at: address) else { return }
        if requestRun.hasHappened(event) {
            run(after: .zero, action)
        } else {
            waiting[event, default: []].append(action)
        }
    }

    private func run(after span: Duration, _ action: @escaping () -> Void) {
        _ = timers.set(after: span, action: action)
    }

    // MARK: Downtimes of listeners

    /// Closes every listener whose next connection a fault has it closed for.
    func enforceDowntimes() {
        for route in 0..<acceptor.count { enforceDowntime(on: route) }
    }

    /// Closes a listener if a fault has it closed in place of its next connection.
    func enforceDowntime(on route: Int) {
        let ordinal = acceptor.nextOrdinal(route)
        guard let (id, span) = plan.downtime(insteadOf: ordinal) else { return }
        acceptor.suspend(route)
        reporter.wentDown(by: id, on: acceptor.id(ordinal, on: route))
        let resume: () -> Void = { [weak self] in
            guard let self else { return }
            do throws(ProxyError) {
                try acceptor.reopen(route)
            } catch {
                reporter.trouble(.other, error.description)
            }
        }
        switch span {
        case .time(let duration): run(after: duration, resume)
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
