internal import Faults
internal import Journal

// T1, T2: whom a client trusts, and what it says before the handshake is over.

extension CheckRow {
    static let ofTLS = [
        CheckRow(
            .t1,
            "a certificate that must be refused is refused",
            measure: "fails if a client that gets one from a fault sends a request or any content",
            level: .error,
            finding: .protocol,
            source: "RFC 5280, section 6; RFC 9525, section 6"
        ) { $0.checkCertificates() },
        CheckRow(
            .t2,
            "early data contains only requests with safe methods",
            measure: "fails if an HTTP/1 request in early data is not GET, HEAD, OPTIONS or TRACE",
            level: .error,
            finding: .protocol,
            source: "RFC 8470, section 4"
        ) { $0.checkEarlyData() },
    ]
}

extension CheckContext {
    func checkCertificates() -> CheckResult {
        let limit = "nothing is said to a server whose certificate must be refused"
        let shown = transcript.connections.compactMap { connection in
            connection.faults.first { $0.value.isFlawedCertificate }.map { (connection, $0) }
        }
        guard !shown.isEmpty else {
            return skipped(.t1, "no certificate had to be refused", limit: limit)
        }
        guard let (connection, fault) = shown.first(where: { $0.0.hasContentOfClient }) else {
            let observed = "\(Words.count(shown.count, "certificate")) refused"
            return CheckResult(.t1, .pass, observed: observed, limit: limit)
        }
        return CheckResult(
            .t1,
            .fail,
            observed: "the client accepted \(fault.value.effect) on c\(connection.id.ordinal)",
            limit: limit,
            reason: "accepted",
            lines: [fault.line, connection.end?.line ?? 0]
        )
    }

    func checkEarlyData() -> CheckResult {
        let limit = "no request in early data that may change something"
        let early = transcript.connections.flatMap(earlyRequests)
        guard !early.isEmpty else {
            return skipped(.t2, "no HTTP/1 request in early data", limit: limit)
        }
        guard let changing = early.first(where: { !Self.safeMethods.contains($0.method) }) else {
            let observed = "\(Words.count(early.count, "request")) in early data, all safe"
            return CheckResult(.t2, .pass, observed: observed, limit: limit)
        }
        return CheckResult(
            .t2,
            .fail,
            observed: "\(changing.method) in early data on c\(changing.id.connection.ordinal)",
            limit: limit,
            reason: "changes",
            lines: [changing.request.line]
        )
    }

    /// The requests of HTTP/1 whose whole heads came in early data; where those of HTTP/2 end on the wire
    /// is not known.
    private func earlyRequests(of connection: ConnectionTrace) -> [Exchange] {
        let bytes = connection.end?.value.earlyBytes ?? 0
        guard bytes > 0 else { return [] }
        var end: UInt64 = 0
        return transcript.exchanges.filter { exchange in
            guard exchange.id.connection == connection.id, !exchange.request.value.isStream else {
                return false
            }
            end.add(exchange.request.value.headBytes)
            let isEarly = end <= bytes
            end.add(exchange.requestBody?.value.bytes ?? 0)
            return isEarly
        }
    }

    /// RFC 9110 §9.2.1.
    private static let safeMethods: Set = ["GET", "HEAD", "OPTIONS", "TRACE"]
}

extension ConnectionTrace {
    /// Whether its client has sent anything under TLS.
    fileprivate var hasContentOfClient: Bool { requestCount > 0 || end?.value.up.bytes ?? 0 > 0 }
}

extension FaultReport {
    fileprivate var isFlawedCertificate: Bool {
        isFired && effectName == Effect.Kind.certificate.name
    }
}
