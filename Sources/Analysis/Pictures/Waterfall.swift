package import Basics
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
        package let begin: Instant
        package let end: Instant
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
    package let begin: Instant
    package let end: Instant

    package init(_ report: RunReport) {
        let transcript = report.transcript
        let last = transcript.lastTime
        let exchanges = transcript.exchanges.map {
            Self.row($0, transcript.connection($0.id.connection), last: last)
        }
        let connections = transcript.connections.filter { $0.requestCount == 0 }
            .map { Self.row($0, last: last) }
        rows = (exchanges + connections).sorted { $0.begin < $1.begin }
        begin = rows.map(\.begin).min() ?? .start
        end = rows.compactMap(\.phases.last?.end).max() ?? .start
    }

    private static func row(
        _ exchange: Exchange,
        _ connection: ConnectionTrace?,
        last: Instant
    ) -> Row {
        var marks: [(Phase.Kind, Instant)] = []
        let end = exchange.endedAt ?? last
        if exchange.id.ordinal == 1, let opened = connection?.opened.at {
            marks.append((.connect, opened))
        }
        marks.append((exchange.hasRequestContent ? .send : .wait, exchange.beganAt))
        if exchange.hasRequestContent, let body = exchange.requestBody {
            marks.append((.wait, body.at))
        }
        if let response = exchange.response { marks.append((.receive, response.at)) }
        return Row(
            connection: exchange.id.connection,
            request: exchange.id.ordinal,
            name: "\(exchange.method) \(exchange.target)",
            status: exchange.status,
            phases: phases(marks, until: end),
            failure: Attempt.Failure(exchange)?.words,
            isOver: exchange.endedAt != nil
        )
    }

    private static func row(_ connection: ConnectionTrace, last: Instant) -> Row {
        let end = connection.failure?.at ?? connection.end?.at ?? last
        let kind: Phase.Kind = connection.opaque == nil ? .connect : .receive
        return Row(
            connection: connection.id,
            request: nil,
            name: connection.opaque == nil ? "" : "opaque",
            status: nil,
            phases: phases([(kind, connection.opened.at)], until: end),
            failure: connection.isTurnedAway
                ? "turned away" : connection.failure.map { "a cut (\($0.value))" },
            isOver: connection.end != nil
        )
    }

    /// Each mark begins a phase, which ends where the next begins; times never go back.
    private static func phases(_ marks: [(Phase.Kind, Instant)], until end: Instant) -> [Phase] {
        var phases: [Phase] = []
        var time = marks.first?.1 ?? .start
        for (place, (kind, _)) in marks.enumerated() {
            let next = place + 1 < marks.count ? marks[place + 1].1 : end
            let stop = max(time, next)
            phases.append(Phase(kind: kind, begin: time, end: stop))
            time = stop
        }
        return phases
    }
}

extension Waterfall.Row {
    package var begin: Instant { phases.first?.begin ?? .start }
}
