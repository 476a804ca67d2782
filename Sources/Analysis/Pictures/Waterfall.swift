package import Journal

/// The exchanges of a run on a common axis of time.
package struct Waterfall: Hashable, Sendable {
    package struct Phase: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            /// From the accept to the request.
            case connect
            /// The request's content.
            case send
            /// From the request to its answer.
            case wait
            /// The answer.
            case receive
        }

        package let kind: Kind
        package let beginNanoseconds: UInt64
        package let endNanoseconds: UInt64
    }

    package struct Row: Hashable, Sendable {
        package let connection: ConnectionID
        /// Ordinal of the request; nil for a connection without one.
        package let request: UInt32?
        /// `GET /big.bin`, or nothing.
        package let name: String
        package let status: Int?
        /// In order, without room between them.
        package let phases: [Phase]
        /// Why it ended before its end; nil if it did not.
        package let failure: String?
        /// Whether the journal has its end.
        package let isOver: Bool
    }

    /// In order of their beginning.
    package let rows: [Row]
    /// From the first beginning to the last end.
    package let beginNanoseconds: UInt64
    package let endNanoseconds: UInt64

    package init(_ report: RunReport) {
        let transcript = report.transcript
        let last = transcript.lastNanoseconds
        let exchanges = transcript.exchanges.map {
            Self.row($0, transcript.connection($0.id.connection), last: last)
        }
        let connections = transcript.connections.filter { $0.requestCount == 0 }
            .map { Self.row($0, last: last) }
        rows = (exchanges + connections).sorted { $0.beginNanoseconds < $1.beginNanoseconds }
        beginNanoseconds = rows.map(\.beginNanoseconds).min() ?? 0
        endNanoseconds = rows.compactMap(\.phases.last?.endNanoseconds).max() ?? 0
    }

    private static func row(
        _ exchange: Exchange,
        _ connection: ConnectionTrace?,
        last: UInt64
    ) -> Row {
        var marks: [(Phase.Kind, UInt64)] = []
        let end = exchange.endedNanoseconds ?? last
        if exchange.id.ordinal == 1, let opened = connection?.opened.atNanoseconds {
            marks.append((.connect, opened))
        }
        marks.append((exchange.hasRequestContent ? .send : .wait, exchange.beganNanoseconds))
        if exchange.hasRequestContent, let body = exchange.requestBody {
            marks.append((.wait, body.atNanoseconds))
        }
        if let response = exchange.response { marks.append((.receive, response.atNanoseconds)) }
        return Row(
            connection: exchange.id.connection,
            request: exchange.id.ordinal,
            name: "\(exchange.method) \(exchange.target)",
            status: exchange.status,
            phases: phases(marks, until: end),
            failure: Attempt.Failure(exchange)?.words,
            isOver: exchange.endedNanoseconds != nil
        )
    }

    private static func row(_ connection: ConnectionTrace, last: UInt64) -> Row {
        let end = connection.failure?.atNanoseconds ?? connection.end?.atNanoseconds ?? last
        let kind: Phase.Kind = connection.opaque == nil ? .connect : .receive
        return Row(
            connection: connection.id,
            request: nil,
            name: connection.opaque == nil ? "" : "opaque",
            status: nil,
            phases: phases([(kind, connection.opened.atNanoseconds)], until: end),
            failure: connection.isTurnedAway
                ? "turned away" : connection.failure.map { "a cut (\($0.value))" },
            isOver: connection.end != nil
        )
    }

    /// Each mark begins a phase, which ends where the next begins; times never go back.
    private static func phases(_ marks: [(Phase.Kind, UInt64)], until end: UInt64) -> [Phase] {
        var phases: [Phase] = []
        var time = marks.first?.1 ?? 0
        for (place, (kind, _)) in marks.enumerated() {
            let next = place + 1 < marks.count ? marks[place + 1].1 : end
            let stop = max(time, next)
            phases.append(Phase(kind: kind, beginNanoseconds: time, endNanoseconds: stop))
            time = stop
        }
        return phases
    }
}

extension Waterfall.Row {
    package var beginNanoseconds: UInt64 { phases.first?.beginNanoseconds ?? 0 }
}
