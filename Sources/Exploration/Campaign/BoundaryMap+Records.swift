internal import Basics
internal import Faults
internal import HTTPWire
package import Journal
internal import QUICWire

extension BoundaryMap {
    /// The map of a run, from its journal.
    ///
    /// Sizes are those that the client's and the server's side really got, so a map of a run with
    /// faults tells how far each message came.
    package init(_ records: some Sequence<JournalRecord>) {
        var reader = BoundaryReader()
        for record in records { reader.take(record) }
        self.init(
            connections: reader.connections,
            exchanges: reader.exchanges,
            flows: reader.flows
        )
        lookups = reader.lookups
    }
}

/// Collects the messages of a run.
private struct BoundaryReader {
    private var sizes: [UInt32: (up: UInt64, down: UInt64)] = [:]
    private var opaque: Set<UInt32> = []
    private var sealed: Set<UInt32> = []
    private var messages: [ExchangeID: BoundaryMap.Exchange] = [:]
    /// What each request is for, without the port, which may be another one in each run.
    private var hosts: [ExchangeID: String] = [:]
    /// In the order of the requests.
    private var order: [ExchangeID] = []
    private(set) var flows: [BoundaryMap.Flow] = []
    private var queries: [BoundaryMap.Lookup] = []
    private var knownQueries: Set<String> = []

    mutating func take(_ record: JournalRecord) {
        switch record {
        case .connection(let id, environment: _): sizes[id.ordinal] = (0, 0)
        case .connectionEnd(let end):
            sizes[end.connection.ordinal] = (end.up.bytes, end.down.bytes)
            if end.isSealed { sealed.insert(end.connection.ordinal) }
        case .flowEnd(let end):
            flows.append(.init(ordinal: end.flow.ordinal, up: .init(end.up), down: .init(end.down)))
            flows.sort { $0.ordinal < $1.ordinal }
        case .dns(let report, environment: _): take(report)
        case .request(let report): take(report)
        case .response(let report): take(report)
        case .body(let report): take(report)
        case .messages(let report): take(report)
        case .opaque(let report): opaque.insert(report.connection.ordinal)
        default: break
        }
    }

    /// A query that is asked again over TCP is no other one.
    private mutating func take(_ report: DNSReport) {
        guard let number = report.number else { return }
        let lookup = BoundaryMap.Lookup(
            name: report.name,
            type: report.type,
            ordinal: number,
            answer: .init(report)
        )
        let isNew = knownQueries.insert("\(report.type) \(report.name) \(number)").inserted
        if isNew { queries.append(lookup) }
    }

    /// By name, type and number: types are asked for at once, in any order.
    var lookups: [BoundaryMap.Lookup] {
        queries.sorted { ($0.name, $0.type, $0.ordinal) < ($1.name, $1.type, $1.ordinal) }
    }

    private mutating func take(_ report: RequestReport) {
        let path = Self.path(of: report.target)
        if let host = report.fields["host"] { hosts[report.exchange] = Self.name(of: host) }
        messages[report.exchange] = BoundaryMap.Exchange(
            connection: report.exchange.connection.ordinal,
            request: report.exchange.ordinal,
            method: report.method,
            path: path,
            sent: .init(head: report.headBytes, framing: .init(report.framing)),
            status: 0,
            received: nil
        )
        messages[report.exchange]?.isStream = report.isStream
        messages[report.exchange]?.hasQuery = report.target.contains("?")
        order.append(report.exchange)
    }

    private static func name(of host: String) -> String {
        guard let end = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
        return host[..<end].lowercased()
    }

    private mutating func take(_ report: ResponseReport) {
        guard !report.isByFault else { return }
        let status = UInt16(clamping: report.status)
        if let ordinal = report.interimOrdinal {
            var interim = BoundaryMap.Interim(
                status: status,
                ordinal: ordinal,
                head: report.headBytes
            )
            interim.headEdges = report.headEdges
            messages[report.exchange]?.interims.append(interim)
        } else {
            messages[report.exchange]?.status = status
            var received = BoundaryMap.Message(
                head: report.headBytes,
                framing: .init(report.framing)
            )
            received.headEdges = report.headEdges
            messages[report.exchange]?.received = received
        }
    }

    private mutating func take(_ report: BodyReport) {
        switch report.side {
        case .request: messages[report.exchange]?.sent.take(report)
        case .response: messages[report.exchange]?.received?.take(report)
        }
    }

    private mutating func take(_ report: MessagesReport) {
        var found =
            messages[report.exchange]?.messages
            ?? BoundaryMap.Messages(MessageKind(report.kind))
        switch report.side {
        case .request: found.up = report.count
        case .response: found.down = report.count
        }
        messages[report.exchange]?.messages = found
    }

    /// A path as a schedule line names it, its wildcards escaped; a query is no part of it.
    private static func path(of target: String) -> String {
        let path = String(target.prefix { $0 != "?" })
        let literal = path.replacing("*", with: "%2A")
        return PathGlob(literal)?.canonicalText
            ?? PathGlob(literal.replacing("%", with: "%25"))?.canonicalText ?? "*"
    }

    /// In the order of connections and requests; each with its host if there are several, and its
    /// number among those that look the same.
    var exchanges: [BoundaryMap.Exchange] {
        var messages = messages
        if Set(hosts.values).count > 1 {
            for (id, host) in hosts { messages[id]?.host = host }
        }
        var matches: [String: UInt32] = [:]
        for id in order {
            guard let exchange = messages[id] else { continue }
            let match = matches["\(exchange.method) \(exchange.place)", default: 0] + 1
            matches["\(exchange.method) \(exchange.place)"] = match
            messages[id]?.match = match
        }
        return messages.keys.sorted().compactMap { messages[$0] }
    }

    /// A connection whose bytes made no request was not understood.
    var connections: [BoundaryMap.Connection] {
        let understood = Set(exchanges.map(\.connection)).subtracting(opaque)
        return sizes.keys.sorted().map { ordinal in
            let size = sizes[ordinal] ?? (0, 0)
            var connection = BoundaryMap.Connection(
                ordinal: ordinal,
                upBytes: size.up,
                downBytes: size.down,
                isOpaque: !understood.contains(ordinal) && size != (0, 0)
            )
            connection.isSealed = sealed.contains(ordinal)
            return connection
        }
    }
}

extension MessageKind {
    fileprivate init(_ kind: MessagesReport.Kind) {
        self =
            switch kind {
            case .webSocket: .webSocket
            case .event: .event
            case .grpc: .grpc
            }
    }
}

extension BoundaryMap.Message {
    fileprivate mutating func take(_ report: BodyReport) {
        body = report.bytes
        chunkEdges = report.chunkEdges.filter { $0 > 0 && $0 < report.bytes }
    }
}

extension BoundaryMap.Framing {
    fileprivate init(_ framing: ReportedFraming) {
        self =
            switch framing {
            case .none: .none
            case .length: .length
            case .chunked: .chunked
            case .close: .close
            }
    }
}

extension BoundaryMap.Lookup.Answer {
    fileprivate init(_ report: DNSReport) {
        let isOfAddresses = report.type == "A" || report.type == "AAAA"
        switch report.answer {
        case "NODATA", "NXDOMAIN": self = .nothing
        case let answer where isOfAddresses && answer.hasPrefix("NOERROR "): self = .addresses
        default: self = .other
        }
    }
}

extension BoundaryMap.Flow.Datagrams {
    fileprivate init(_ tally: FlowEnd.Tally) {
        self.init(count: tally.count)
        for (name, count) in tally.packets {
            if let type = QUICPacketType(rawValue: name) { packets[type] = count }
        }
    }
}
