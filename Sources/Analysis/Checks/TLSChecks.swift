internal import Faults
internal import Journal

// T1: whom a client trusts.
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
