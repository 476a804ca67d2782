internal import Analysis
internal import Basics
internal import Journal
internal import Proxy

/// Records of a run in words for people.
enum EventText {
    /// A line for the log and the live view; nil for what is not worth one.
    ///
    /// Connections that end in order are only told of when `isVerbose`.
    static func line(_ record: JournalRecord, isVerbose: Bool) -> String? {
        // Marks, paths and names come from elsewhere.
        text(record, isVerbose: isVerbose).map(PrintableText.escaped)
    }

    private static func text(_ record: JournalRecord, isVerbose: Bool) -> String? {
        switch record {
        case .connection(let id, let environment):
            guard isVerbose else { return nil }
            guard case .string(let client) = environment["client"] else {
                return "\(name(id)) opened"
            }
            return "\(name(id)) opened by \(client)"
        case .connectionEnd(let end):
            let isOrderly = end.how == .fin && (end.by == .client || end.by == .upstream)
            // A fault has a line of its own; who was there at the end is counted in the summary.
            let isToldElsewhere = end.by == .fault || end.by == .shutdown
            guard isVerbose || !(isOrderly || isToldElsewhere) else { return nil }
            return "\(name(end.connection)) \(ending(end)): "
                + "\(Figures.bytes(end.down.bytes)) down, \(Figures.bytes(end.up.bytes)) up"
        case .flow(let id, let environment):
            guard isVerbose, case .string(let client) = environment["client"] else { return nil }
            return "\(name(id)) begun by \(client)"
        case .quic(let id, let report):
            let server = report.serverName.map { ", for \(PrintableText.escaped($0))" } ?? ""
            return isVerbose ? "\(name(id)) is QUIC \(report.version)\(server)" : nil
        case .flowEnd(let end): return isVerbose ? "\(name(end.flow)) \(ending(end))" : nil
        case .fault(let report): return fault(report)
        case .dns(let report, let environment):
            return isVerbose ? "lookup by \(DNSText.line(report, environment))" : nil
        case .budget(let limit, let bytes, let rate):
            let then =
                switch limit {
                case .soft: rate.map { "; now \(Figures.rate(bitsPerSecond: $0))" } ?? ""
                case .hard: "; nothing more passes"
                }
            return "budget: \(limit.rawValue) limit reached at \(Figures.grouped(bytes)) bytes"
                + then
        case .upstream(let id, .notAllowed, let text): return "\(name(id)) \(text)"
        case .upstream(let id, let trouble, let text):
            return "\(name(id)) upstream \(words(trouble)): \(text)"
        case .note(let id, let text): return (id.map { "\(name($0)) " } ?? "") + text
        case .change(let report): return report.words(prefix: "changed by hand: ")
        // Told in sum, see `lateness`.
        case .trouble(.latePacing, _): return nil
        case .trouble(_, let words): return "trouble: \(words)"
        case .start, .quicPacket, .datagram, .draw, .path, .request, .response, .body, .messages,
            .opaque, .origin,
            .command, .verdict, .end:
            return nil
        }
    }

    /// Why requests of a connection cannot be seen, and what to do about it.
    static func opaque(_ report: OpaqueReport) -> String {
        let remedy =
            report.reason == "TLS" && report.side == .request
            ? "; to see requests and break them inside, use `linkcond run --https`, or --tls"
                + " terminate and an https:// upstream" : ""
        return PrintableText.escaped(
            "\(name(report.connection)) is not HTTP/1.1 (\(report.reason)): its requests are not seen,"
                + " and faults at requests cannot act on it\(remedy)"
        )
    }

    /// What to do about a client that speaks TLS with a server that does not.
    static func plainServer(_ id: ConnectionID) -> String {
        "\(name(id)): the client speaks TLS, the server does not; use an http:// URL, or have TLS"
            + " opened here with --tls terminate"
    }

    /// What to do about a server that closed without an answer.
    static func unanswered(_ end: ConnectionEnd, upstream: Endpoint) -> String {
        "\(name(end.connection)): the server closed without an answer to"
            + " \(Figures.bytes(end.up.bytes)); if it speaks TLS, write --upstream https://\(upstream)"
    }

    private static func fault(_ report: FaultReport) -> String? {
        let place = report.connection.map { " on \(name($0))" } ?? ""
        let offset = report.offset.map { " at byte \(Figures.grouped($0))\(whole(report))" } ?? ""
        switch report.state {
        case .fired: return "fault \(report.id) fired\(place)\(offset)"
        case .undelivered:
            return "fault \(report.id) acted\(place)\(offset), but not all bytes before it arrived"
        case .unreached: return nil
        }
    }

    /// What the byte of a fault is counted in: with heads, or in one part of a message.
    private static func whole(_ report: FaultReport) -> String {
        let place = report.address.split(separator: ":").last ?? ""
        // Chunks and the end of a message are told by the content before them.
        let parts = [
            ("down+", "all bytes down"), ("up+", "all bytes up"),
            ("resp.head", "the response's head"), ("resp.", "the response's body"),
            ("req.head", "the request's head"), ("req.", "the request's body"),
            ("interim(", "the interim response"), ("ws.", "the message"), ("sse[", "the event"),
            ("grpc.", "the message"),
        ]
        return parts.first { place.hasPrefix($0.0) }.map { " of \($0.1)" } ?? ""
    }

    /// What a busy machine did to the pace so far; nil for nothing.
    static func lateness(_ lateness: ProxySnapshot.Lateness) -> String? {
        guard lateness.count > 0 else { return nil }
        let worst = Figures.time(lateness.worst)
        let times = lateness.count == 1 ? "once" : "\(Figures.grouped(lateness.count)) times"
        return "a busy machine: packets left late \(times), "
            + (lateness.count == 1 ? "by \(worst)" : "\(worst) at worst")
    }

    /// As in `c3`, or `l2/c3` for another listener than the first.
    static func name(_ id: ConnectionID) -> String {
        id.name
    }

    private static func ending(_ end: FlowEnd) -> String {
        let cause =
            switch end.cause {
            case .idle: "fell silent"
            case .shutdown: "ended with the run"
            case .association: "ended with its connection"
            }
        let counts = [("down", end.down), ("up", end.up)].map { word, tally in
            let lost = tally.count > tally.delivered ? tally.count - tally.delivered : 0
            return "\(Figures.grouped(tally.delivered)) datagrams \(word)"
                + (lost == 0 ? "" : ", \(Figures.grouped(lost)) lost")
        }
        return "\(cause): " + counts.joined(separator: "; ")
    }

    /// As in `closed normally` or `reset by a fault`.
    static func ending(_ end: ConnectionEnd) -> String {
        let party =
            switch end.by {
            case .client: "by the client"
            case .upstream: "by the upstream"
            case .fault: "by a fault"
            case .limit: "by a limit"
            case .shutdown: "at the end of the run"
            }
        switch end.how {
        case .fin where end.by == .client || end.by == .upstream: return "closed normally"
        case .fin: return "closed \(party)"
        case .rst: return "reset \(party)"
        case .hole where end.by == .client || end.by == .upstream:
            return "silenced, then left \(party)"
        case .hole: return "silenced \(party)"
        case .refused: return "refused \(party)"
        case .timeout: return "timed out"
        }
    }

    static func words(_ trouble: UpstreamTrouble) -> String {
        switch trouble {
        case .refused: "refused the connection"
        case .timeout: "did not answer in time"
        case .unreachable: "cannot be reached"
        case .nameNotFound: "has an unknown name"
        case .nameServer: "cannot be looked up"
        case .lost: "was lost"
        case .notAllowed: "is not allowed"
        case .proxy: "was not reached"
        case .other: "failed"
        }
    }
}
