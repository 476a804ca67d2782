package import Basics
package import Journal

/// A journal put in order: connections, exchanges and what else happened.
package struct Transcript: Hashable, Sendable {
    package private(set) var start: RunStart?
    /// In order of accept.
    package private(set) var connections: [ConnectionTrace] = []
    /// Flows of datagrams, in order of their first one.
    package private(set) var flows: [FlowTrace] = []
    /// In order of their requests' heads.
    package private(set) var exchanges: [Exchange] = []
    /// All fault records.
    package private(set) var faults: [Timed<FaultReport>] = []
    package private(set) var originEvents: [Timed<OriginReport>] = []
    package private(set) var command: Timed<CommandReport>?
    package private(set) var troubles: [Timed<InternalTrouble>] = []
    /// Verdicts that the run wrote about itself.
    package private(set) var verdicts: [Timed<VerdictReport>] = []
    package private(set) var end: Timed<RunEnd>?
    /// The changes during the run.
    package private(set) var changes = LiveChanges()
    /// Where connections went.
    private(set) var servers = KnownServers()
    /// Time of the last record.
    package private(set) var lastTime = Instant.start

    private var connectionPlaces: [ConnectionID: Int] = [:]
    private var exchangePlaces: [ExchangeID: Int] = [:]
    private var flowPlaces: [ConnectionID: Int] = [:]
    private(set) var shared = SharedValues()
    private let needsDates: Bool

    /// Orders the records of one run.
    ///
    /// A record that contradicts what came before, such as an answer without a request, is passed
    /// over.
    package init(_ records: [Timed<JournalRecord>]) {
        self.init()
        for record in records { add(record) }
        conclude()
    }

    /// Begins without records; see `add`.
    ///
    /// - Parameter needsDates: whether the dates of answers are kept, of which an archive tells. Without
    ///   them the answers of one object are equal.
    init(needsDates: Bool = true) { self.needsDates = needsDates }

    /// Where an exchange is in `exchanges`.
    func place(of id: ExchangeID) -> Int? { exchangePlaces[id] }

    /// The schedule that repeats the run, with what was added and removed by hand; nil without a
    /// start.
    package var schedule: String? { changes.schedule }

    package func connection(_ id: ConnectionID) -> ConnectionTrace? {
        connectionPlaces[id].map { connections[$0] }
    }

    /// Whether the content of some connection that carried bytes is not known: it is encrypted, or
    /// nobody looked for requests.
    package var isPartlyOpaque: Bool {
        connections.contains { isOpaque($0) }
    }

    func isOpaque(_ connection: ConnectionTrace) -> Bool {
        connection.opaque != nil || (exchanges.isEmpty && connection.carriedBytes)
    }

    /// Whether the end of an exchange's messages is known; that of a WebSocket is not once it was not
    /// understood.
    func followsMessages(of exchange: Exchange) -> Bool {
        guard let messages = exchange.receivedMessages?.value, messages.kind == .webSocket,
            !messages.isWhole
        else { return true }
        return connection(exchange.id.connection)?.opaque == nil
    }

    /// Adds the next record; `conclude` follows the last one.
    mutating func add(_ record: Timed<JournalRecord>) {
        lastTime = max(lastTime, record.at)
        changes.take(record)
        switch record.value {
        case .start(let start):
            self.start = start
            servers.add(start)
        case .connection(let id, _): open(record.with(id))
        case .connectionEnd(let end):
            var end = end
            end.down.digest = nil
            end.up.digest = nil
            connections[place(record, end.connection)].end = record.with(end)
            servers.add(end)
        case .dns(let report, _): servers.add(report)
        case .opaque(let report):
            let place = place(record, report.connection)
            if connections[place].opaque == nil {
                connections[place].opaque = record.with(report)
            }
        case .upstream(let id, _, _) where id.isFlow: break
        case .upstream(let id, let trouble, _):
            connections[place(record, id)].upstreamTrouble = record.with(trouble)
        case .fault(let report): add(record.with(report))
        case .request(let report): add(record.with(report))
        case .response(let report): add(record.with(report))
        case .body(let report): add(record.with(report))
        case .messages(let report): add(record.with(report))
        case .origin(let report): originEvents.append(record.with(report))
        case .command(let report): command = record.with(report)
        case .trouble(let kind, _): troubles.append(record.with(kind))
        case .verdict(let report): verdicts.append(record.with(report))
        case .end(let end): self.end = record.with(end)
        case .flow(let id, _):
            flowPlaces[id] = flows.count
            flows.append(FlowTrace(record.with(id)))
        case .quic(let id, let report):
            change(id) {
                $0.isQUIC = true
                $0.clientIdleMilliseconds = report.idleMilliseconds
            }
        case .quicPacket(let report):
            change(report.flow) { $0.packets.append(record.with(report)) }
        case .datagram(let report):
            change(report.flow) { $0.datagrams.append(record.with(report)) }
        case .flowEnd(let end): change(end.flow) { $0.end = record.with(end) }
        case .draw, .path, .budget, .note, .change: break
        }
    }

    private mutating func open(_ opened: Timed<ConnectionID>) {
        guard connectionPlaces[opened.value] == nil else { return }
        connectionPlaces[opened.value] = connections.count
        connections.append(ConnectionTrace(opened))
    }

    /// Where the connection of a record is kept; one that was never opened is opened by it.
    private mutating func place(_ record: Timed<JournalRecord>, _ id: ConnectionID) -> Int {
        if let place = connectionPlaces[id] { return place }
        open(Timed(id, line: 0, at: record.at))
        return connections.count - 1
    }

    private mutating func change(_ id: ConnectionID, _ change: (inout FlowTrace) -> Void) {
        guard let place = flowPlaces[id] else { return }
        change(&flows[place])
    }

    private mutating func add(_ fault: Timed<FaultReport>) {
        faults.append(fault)
        guard let id = fault.value.connection else { return }
        guard !id.isFlow else { return change(id) { $0.faults.append(fault) } }
        let place = place(fault.with(.fault(fault.value)), id)
        connections[place].faults.append(fault)
        guard let ordinal = fault.value.request,
            let exchange = exchangePlaces[ExchangeID(id, ordinal: ordinal)]
        else {
            return
        }
        exchanges[exchange].add(fault)
    }

    private mutating func add(_ request: Timed<RequestReport>) {
        let id = request.value.exchange
        guard exchangePlaces[id] == nil else { return }
        connections[place(request.with(.request(request.value)), id.connection)].requestCount += 1
        exchangePlaces[id] = exchanges.count
        var report = request.value
        report.method = shared.one(report.method)
        report.target = shared.one(report.target)
        report.fields = shared.one(report.fields)
        exchanges.append(Exchange(request.with(report)))
    }

    private mutating func add(_ response: Timed<ResponseReport>) {
        guard let place = exchangePlaces[response.value.exchange] else { return }
        var report = response.value
        report.fields = shared.one(kept(report.fields))
        exchanges[place].add(response.with(report))
    }

    private func kept(_ fields: ReportedFields) -> ReportedFields {
        needsDates || fields["retry-after"] != nil ? fields : fields.without("date")
    }

    private mutating func add(_ body: Timed<BodyReport>) {
        guard let place = exchangePlaces[body.value.exchange] else { return }
        exchanges[place].add(body)
    }

    private mutating func add(_ messages: Timed<MessagesReport>) {
        guard let place = exchangePlaces[messages.value.exchange] else { return }
        exchanges[place].add(messages)
    }

    /// Decides what became of each exchange; nothing is added afterwards.
    mutating func conclude() {
        shared = SharedValues()
        let conclusions = connections.map(ConnectionConclusion.init)
        for place in exchanges.indices {
            guard let connection = connectionPlaces[exchanges[place].id.connection] else {
                continue
            }
            exchanges[place].conclude(on: conclusions[connection])
        }
    }
}

extension ConnectionTrace {
    /// Whether any byte went through it, as far as is known.
    fileprivate var carriedBytes: Bool {
        guard let end = end?.value else { return false }
        return end.up.bytes > 0 || end.down.bytes > 0
    }
}
