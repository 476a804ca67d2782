internal import Basics
internal import Journal

// Q1, Q2, Q3: flows of datagrams, seen from outside.

extension CheckRow {
    static let ofDatagrams = [
        CheckRow(
            .q1,
            "a QUIC server sends little to an address that it has not validated",
            measure: "at most three times the bytes that reached it (RFC 9000 section 8.1); this"
                + " judges the server",
            level: .note,
            finding: .protocol,
            source: "RFC 9000, section 8.1"
        ) { $0.checkUnvalidatedAddresses() },
        CheckRow(
            .q2,
            "a flow of datagrams survives a silence and a new address",
            measure: "after hole(TIME), rebind, forget or an outage of the link, datagrams arrive"
                + " again, or the command succeeds",
            level: .note,
            finding: .protocol,
            source: "RFC 9000, section 9"
        ) { $0.checkInterruptedFlows() },
        CheckRow(
            .q3,
            "a client whose datagrams get no answer connects instead",
            measure: "if no flow gets one, and the server accepts connections on the same port",
            level: .note,
            finding: .protocol,
            source: "practice"
        ) { $0.checkFallback() },
    ]
}

extension CheckContext {
    func checkUnvalidatedAddresses() -> CheckResult {
        let limit = "three times what reached the server"
        let judged = transcript.flows.compactMap { flow in
            flow.end.flatMap { end in end.value.unvalidated.map { (end.line, $0) } }
        }
        guard !judged.isEmpty else { return skipped(.q1, "no QUIC handshake", limit: limit) }
        for (line, account) in judged where account.sent > 3 * account.received {
            return CheckResult(
                .q1,
                .fail,
                observed: "\(Words.bytes(account.sent)) to an address from which"
                    + " \(Words.bytes(account.received)) had reached it",
                limit: limit,
                reason: "amplifies",
                lines: [line]
            )
        }
        let observed = Words.count(judged.count, "handshake")
        return CheckResult(.q1, .pass, observed: observed, limit: limit)
    }

    func checkInterruptedFlows() -> CheckResult {
        let limit = "datagrams pass again, or the client ends with success"
        var judged = 0
        for flow in transcript.flows {
            guard let last = flow.lastInterruption else { continue }
            judged += 1
            let isBack =
                transcript.flows.contains { isHeard($0, after: last.at) }
                || transcript.connections.contains {
                    $0.opened.at > flow.opened.at
                }
            guard !isBack, claimsSuccess != true else { continue }
            return CheckResult(
                .q2,
                claimsSuccess == false ? .fail : .inconclusive,
                observed: "nothing came after \(last.value)",
                limit: limit,
                reason: claimsSuccess == false ? "gave-up" : "no command to ask",
                lines: [last.line]
            )
        }
        guard judged > 0 else { return skipped(.q2, "no flow was interrupted", limit: limit) }
        return CheckResult(
            .q2,
            .pass,
            observed: Words.count(judged, "interrupted flow"),
            limit: limit
        )
    }

    private func isHeard(_ flow: FlowTrace, after moment: Instant) -> Bool {
        (flow.end?.value.lastDownAt ?? .start) > moment
    }

    func checkFallback() -> CheckResult {
        let limit = "a connection, where no datagram gets through"
        guard let dead = transcript.flows.first(where: \.isDead),
            transcript.flows.allSatisfy(\.isDead)
        else { return skipped(.q3, "datagrams got through, or none were sent", limit: limit) }
        if let connection = transcript.connections.first(where: {
            $0.opened.at > dead.opened.at
        }) {
            return CheckResult(
                .q3,
                .pass,
                observed: "a connection after "
                    + Words.time(connection.opened.at - dead.opened.at),
                limit: limit,
                lines: [dead.opened.line, connection.opened.line]
            )
        }
        guard evidence.takesConnections else {
            return skipped(.q3, "the run took no connections", limit: limit)
        }
        return CheckResult(
            .q3,
            .fail,
            observed: "none",
            limit: limit,
            reason: "no-fallback",
            lines: [dead.opened.line]
        )
    }
}
