internal import Faults
internal import SystemIO

/// What the TLS connections of a proxy share.
final class TLSTerminator {
    /// For clients; nil if they speak plainly.
    private let clients: TLSContext?
    private let certificates: ServerCertificates?
    /// For upstreams; nil if none is reached by TLS.
    private let upstreams: TLSContext?
    private let configuration: TLSConfiguration

    /// - Throws: `refused` if a certificate, a key, a list of authorities or the key log cannot be used.
    init(_ configuration: TLSConfiguration, hasUpstreams: Bool) throws(ProxyError) {
        self.configuration = configuration
        do throws(TLSError) {
            var server = configuration.clients?.server
            server?.waitsForAnswer = true
            clients = try server.map { settings throws(TLSError) in
                try TLSContext.server(settings)
            }
            if case .made(let authority, let hosts) = server?.identity {
                certificates = ServerCertificates(
                    try CertificateAuthority.reading(pem: authority),
                    always: hosts
                )
            } else {
                certificates = nil
            }
            upstreams =
                try !hasUpstreams
                ? nil
                : TLSContext.client(
                    authorities: configuration.upstream.authorities,
                    verifiesPeer: configuration.upstream.verifies,
                    certificate: configuration.upstream.certificate
                )
        } catch {
            throw ProxyError(.refused, error.description)
        }
        guard let path = configuration.keyLog else { return }
        do throws(SystemError) {
            // The keys of several proxies may go to one file, as those of several programs do.
            let file = try OutputFile(appendingTo: path, mode: 0o600)
            clients?.writeKeys(to: file)
            upstreams?.writeKeys(to: file)
        } catch {
            throw ProxyError(.refused, "cannot write the key log '\(path)': \(error)")
        }
    }

    var endsClients: Bool { clients != nil }
    /// Whether a client may also begin without TLS.
    var takesPlain: Bool { configuration.clients?.takesPlain ?? true }

    /// A connection with a client that begins with TLS.
    func client() throws(TLSError) -> TLSSession? {
        guard let clients else { return nil }
        return try TLSSession(clients)
    }

    /// What can be looked into (RFC 9113 §3.3, RFC 7301 §6).
    private static let protocols = ["h2", "http/1.1"]

    /// A connection with an upstream whose certificate must be for `host`; it is offered what the client
    /// offers, if that speaks TLS.
    func upstream(
        _ host: String,
        for client: TLSSession?,
        taking taken: Effect.TakenProtocol?
    ) throws(TLSError) -> TLSSession? {
        guard let upstreams else { return nil }
        let offered = (client?.offeredProtocols ?? []).filter { name in
            Self.protocols.contains(name) && taken.map { $0.rawValue == name } ?? true
        }
        return try TLSSession(upstreams, host: host, protocols: offered.isEmpty ? nil : offered)
    }

    /// Shows a client that waits the certificate of the host that it asks for, and takes the protocol
    /// that its upstream has taken.
    func answer(
        _ session: TLSSession,
        upstream: TLSSession?,
        _ faults: HandshakeFaults
    ) throws(TLSError) {
        var protocols = [upstream?.chosenProtocol ?? "http/1.1"]
        if upstream == nil, let plain = configuration.clients?.protocols { protocols = plain }
        if let taken = faults.takenProtocol?.rawValue, protocols.contains(taken) {
            protocols = [taken]
        }
        session.answer(
            as: try certificate(for: session.requestedHost, faults.flaw),
            protocols: faults.takenProtocol == Effect.TakenProtocol.none ? [] : protocols,
            asksForCertificate: upstream?.isAskedForCertificate ?? false
        )
    }

    private func certificate(
        for host: String?,
        _ flaw: Effect.CertificateFlaw?
    ) throws(TLSError) -> ServerCertificate? {
        guard let flaw else { return try certificates?.certificate(for: host) }
        return try certificates?.certificate(
            for: host,
            named: flaw == .wrongName ? [Effect.CertificateFlaw.wrongHost] : nil,
            flaw.shape
        )
    }
}
