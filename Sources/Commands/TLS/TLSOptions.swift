internal import Arguments
internal import Proxy
internal import SystemIO

/// Which TLS connections are opened, as options say.
struct TLSOptions {
    enum Mode: String, CaseIterable {
        case auto, terminate, passthrough
    }

    enum Trust: String, CaseIterable {
        case verify, insecure
    }

    private let mode: Mode?
    private let upstream: TLSConfiguration.Upstream
    private let files: ServerIdentity?
    private let keyLogPath: String?
    private let hasSecureUpstream: Bool

    /// Names by which clients on this machine reach a proxy.
    private static let localHosts = ["localhost", "127.0.0.1", "::1"]

    /// - Parameters:
    ///   - invocation: what was given.
    ///   - hasSecureUpstream: whether an upstream is reached by TLS, whatever clients speak.
    ///   - opensTunnels: whether servers that clients name may be reached by TLS.
    /// - Throws: `usage` for what makes no sense together.
    init(
        _ invocation: Invocation,
        hasSecureUpstream: Bool,
        opensTunnels: Bool = false
    ) throws(Failure) {
        mode = try invocation.choice("tls", of: Mode.self)
        upstream = try Self.upstream(
            invocation,
            hasSecureUpstream: hasSecureUpstream || opensTunnels
        )
        files = try Self.files(invocation)
        keyLogPath = invocation.value("keylog")
        self.hasSecureUpstream = hasSecureUpstream
        try check()
    }

    private func check() throws(Failure) {
        if mode == .passthrough {
            guard files == nil, !hasSecureUpstream else {
                let other = hasSecureUpstream ? "an https upstream" : "--tls-cert"
                throw Failure(
                    .usage,
                    "--tls passthrough and \(other) exclude each other: what passes through"
                        + " unopened ends at the server"
                )
            }
        }
    }

    /// How upstreams are trusted that are reached by TLS.
    static func upstream(
        _ invocation: Invocation,
        hasSecureUpstream: Bool
    ) throws(Failure) -> TLSConfiguration.Upstream {
        var upstream = TLSConfiguration.Upstream()
        let trust = try invocation.choice("upstream-tls", of: Trust.self)
        for option in OptionSpecification.upstreamTLS.map(\.long)
        where invocation.has(option) && !hasSecureUpstream {
            throw Failure(
                .usage,
                "--\(option) needs an upstream that is reached by TLS: --upstream"
                    + " https://HOST:PORT"
            )
        }
        upstream.verifies = trust != .insecure
        upstream.authorities = invocation.value("upstream-ca")
        upstream.certificate = invocation.value("client-cert")
        return upstream
    }

    /// What the proxy is to do; nil for nothing.
    ///
    /// Makes the authority if `--tls terminate` asks for one that is not there.
    func configuration(_ console: Console) throws(Failure) -> TLSConfiguration? {
        guard mode != .passthrough else { return nil }
        var configuration = TLSConfiguration()
        if let identity = try identity(console) {
            var clients = TLSConfiguration.Clients(TLSServerSettings(identity: identity))
            clients.takesPlain = mode != .terminate
            configuration.clients = clients
        }
        configuration.upstream = upstream
        guard configuration.clients != nil || hasSecureUpstream else { return nil }
        configuration.keyLog = keyLogPath
        return configuration
    }

    private func identity(_ console: Console) throws(Failure) -> ServerIdentity? {
        if let files { return files }
        guard mode != nil else { return nil }
        return try Self.made(for: [], creating: mode == .terminate, console)
    }

    /// The authority of this user, as what a server shows.
    ///
    /// - Parameters:
    ///   - hosts: that certificates are for, beside the names of this machine.
    ///   - creates: whether an authority is made if there is none.
    ///   - console: where that is said.
    /// - Returns: nil if there is no authority.
    /// - Throws: if the authority cannot be used or made.
    static func made(
        for hosts: [String],
        creating creates: Bool,
        _ console: Console
    ) throws(Failure) -> ServerIdentity? {
        let hosts = localHosts + hosts.filter { !localHosts.contains($0) }
        let store = try AuthorityStore()
        if let authority = try store.existing() {
            return .made(authority: authority, hosts: hosts)
        }
        guard creates else { return nil }
        let authority = try store.create()
        console.log(
            "made an authority; clients trust it with"
                + " \(ShellText.line(["--cacert", store.certificatePath])) (curl), or see"
                + " 'linkcond ca env'"
        )
        return .made(authority: authority, hosts: hosts)
    }

    /// What `--tls-cert` and `--tls-key` name; nil without them.
    ///
    /// - Throws: `usage` if one of them is missing.
    static func files(_ invocation: Invocation) throws(Failure) -> ServerIdentity? {
        let (certificates, key) = (invocation.value("tls-cert"), invocation.value("tls-key"))
        guard (certificates == nil) == (key == nil) else {
            let (given, missing) = key == nil ? ("cert", "key") : ("key", "cert")
            throw Failure(.usage, "--tls-\(given) needs --tls-\(missing), too")
        }
        guard let certificates, let key else { return nil }
        return .files(certificates: certificates, key: key)
    }
}

/// Options about TLS.
extension OptionSpecification {
    static let tls = (clientTLS + toUpstream).bearingOnResult + [keyLog]

    static let https = OptionSpecification(
        long: "https",
        help: """
            Give CMD an https URL. linkcond decrypts the connections with a certificate authority \
            created for this run; {ca} is its certificate. SSL_CERT_FILE, CURL_CA_BUNDLE, \
            REQUESTS_CA_BUNDLE, NODE_EXTRA_CA_CERTS and similar variables make CMD trust it.
            """,
        group: .tls
    )

    static let http2 = OptionSpecification(
        long: "http2",
        help: """
            Let the test server also speak HTTP/2: with --https, to clients that offer it (ALPN); \
            without TLS, to clients that begin with it. Other clients get HTTP/1.1.
            """,
        group: .addresses
    )

    private static let clientTLS: [OptionSpecification] =
        [
            OptionSpecification(
                long: "tls",
                value: ValueSpecification(
                    name: "MODE",
                    completion: .words(TLSOptions.Mode.allCases.map(\.rawValue))
                ),
                help: """
                    What to do with TLS from clients: terminate decrypts it, with certificates from an \
                    authority that is created on first use (see `linkcond ca`), so that faults can act \
                    in requests; auto decrypts it if that authority exists, and also accepts clients \
                    without TLS; passthrough forwards it as it is. Default: passthrough.
                    """,
                group: .tls
            )
        ] + serverCertificate

    /// Of a server that speaks TLS.
    static let serverCertificate: [OptionSpecification] = [
        OptionSpecification(
            long: "tls-cert",
            value: ValueSpecification(name: "FILE", completion: .file),
            help:
                "Present this certificate (PEM, with its chain) to clients instead of a generated one.",
            group: .tls
        ),
        OptionSpecification(
            long: "tls-key",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "The private key of --tls-cert (PEM, not encrypted).",
            group: .tls
        ),
    ]

    static let upstreamTLS: [OptionSpecification] = [
        OptionSpecification(
            long: "upstream-tls",
            value: ValueSpecification(
                name: "MODE",
                completion: .words(TLSOptions.Trust.allCases.map(\.rawValue))
            ),
            help: """
                Whether the certificate of an https upstream must be valid: verify (the default) \
                or insecure, which accepts any.
                """,
            group: .tls
        ),
        OptionSpecification(
            long: "upstream-ca",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "Trust these authorities (PEM) for https upstreams, in addition to the system's.",
            group: .tls
        ),
        OptionSpecification(
            long: "client-cert",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                Send this certificate (PEM, with its chain and its key, not encrypted) to https \
                upstreams that ask for one. Clients are then also asked for one; any is accepted.
                """,
            group: .tls
        ),
    ]

    private static let keyLog = OptionSpecification(
        long: "keylog",
        value: ValueSpecification(name: "FILE", completion: .file),
        help: """
            Write the keys of all decrypted connections, for Wireshark. Anyone who has this file \
            can decrypt recordings of them.
            """,
        group: .tls,
        environment: "SSLKEYLOGFILE",
        isConfigurable: false
    )
}
