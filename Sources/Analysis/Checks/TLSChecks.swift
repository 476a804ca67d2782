internal import Faults
internal import Journal

// T1, T2: whom a client trusts, and what it says before the handshake is over.
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
        let early = transcript.connections.filter { $0.end?.value.hasEarlyData == true }
        let first = early.compactMap { connection in
            transcript.exchanges.first { $0.id.connection == connection.id }
        }
        guard !first.isEmpty else {
            return skipped(.t2, "no request in early data", limit: limit)
        }
        guard let changing = first.first(where: { !Self.safeMethods.contains($0.method) }) else {
            let observed = "\(Words.count(first.count, "request")) in early data, all safe"
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
