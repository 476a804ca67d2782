internal import CLibuv
internal import COpenSSL
internal import CLibrary

/// Settings that TLS connections of one kind share: TLS 1.2 or later, ALPN `http/1.1` unless a connection
/// says otherwise.
@safe
package final class TLSContext {
    let context: OpaquePointer
    let isServer: Bool
    let verifiesPeer: Bool
    /// Whether a server's connections wait after the client's first message for `answer`.
    let waitsForAnswer: Bool
    private var keyLog: OutputFile?

    /// For clients.
    ///
    /// - Parameters:
    ///   - authorities: a PEM file of further authorities to trust, beside the system's.
    ///   - verifiesPeer: false takes any certificate: the connection is private from listeners,
    ///     but whoever is in between may be the peer.
    ///   - certificate: a PEM file with a certificate, those that link it to an authority, and its key,
    ///     shown to servers that ask for one; nil for none.
    /// - Returns: settings for any number of connections.
    /// - Throws: if `authorities` or `certificate` cannot be used.
    package static func client(
        authorities: String? = nil,
        verifiesPeer: Bool = true,
        certificate: String? = nil
    ) throws(TLSError) -> TLSContext {
        let made = TLSContext(serving: nil, verifiesPeer: verifiesPeer)
        if let certificate { try made.use(certificates: certificate, key: certificate) }
        guard verifiesPeer else { return made }
        unsafe SSL_CTX_set_verify(made.context, SSL_VERIFY_PEER, nil)
        made.loadSystemAuthorities()
        if let authorities {
            guard !authorities.utf8.contains(0),
                unsafe SSL_CTX_load_verify_file(made.context, authorities) == 1
            else {
                throw .taken(.settings, "cannot use the authorities in \(authorities)")
            }
        }
        return made
    }

    /// For servers.
    ///
    /// - Parameter settings: a made certificate that is not chosen for each client is for the `hosts`
    ///   of its identity.
    /// - Returns: settings for any number of connections.
    /// - Throws: if a file, or the authority, cannot be used, or a certificate and its key do not belong
    ///   together.
    package static func server(_ settings: TLSServerSettings) throws(TLSError) -> TLSContext {
        let made = TLSContext(serving: settings, verifiesPeer: false)
        switch settings.identity {
        case .files(let certificates, let key): try made.use(certificates: certificates, key: key)
        case .made where settings.waitsForAnswer: break
        case .made(let authority, let hosts):
            made.use(try CertificateAuthority.reading(pem: authority).leaf(for: hosts))
        }
        return made
    }

    private func use(_ shown: ServerCertificate) {
        // The context keeps its own references.
        unsafe SSL_CTX_use_certificate(context, shown.certificate)
        unsafe SSL_CTX_use_PrivateKey(context, shown.key)
    }

    private func use(certificates: String, key: String) throws(TLSError) {
        guard !certificates.utf8.contains(0),
            unsafe SSL_CTX_use_certificate_chain_file(context, certificates) == 1
        else {
            throw .taken(.settings, "cannot use the certificate in \(certificates)")
        }
        // Asked for a password, an encrypted key fails instead of reading from the terminal.
        unsafe SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
        guard !key.utf8.contains(0),
            unsafe SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1
        else {
            throw .taken(.settings, "cannot use the private key in \(key)")
        }
    }

    /// - Parameters:
    ///   - server: the settings of a server; nil for clients.
    ///   - verifiesPeer: whether the other side's certificate must be right.
    private init(serving server: TLSServerSettings?, verifiesPeer: Bool) {
        isServer = server != nil
        self.verifiesPeer = verifiesPeer
        waitsForAnswer = server?.waitsForAnswer ?? false
        ERR_clear_error()
        let method = unsafe isServer ? TLS_server_method() : TLS_client_method()
        guard let context = unsafe SSL_CTX_new(method) else { preconditionFailure("out of memory") }
        unsafe self.context = context
        unsafe linkcond_set_min_version(context, TLS1_2_VERSION)
        unsafe linkcond_set_modes(context)
        unsafe linkcond_forbid_renegotiation(context)
        if let server { apply(server) } else { applyForClient() }
    }

    private func applyForClient() {
        let names = Self.list(["http/1.1"])
        unsafe SSL_CTX_set_alpn_protos(context, names, CUnsignedInt(names.count))
        unsafe SSL_CTX_set_cert_cb(context, Self.noteRequest, nil)
    }

    /// Applies what can be set before the certificate.
    private func apply(_ server: TLSServerSettings) {
        // Without a name of its own, no session of a client that was asked for a certificate is resumed.
        let name = Array("linkcond".utf8)
        unsafe SSL_CTX_set_session_id_context(context, name, CUnsignedInt(name.count))
        unsafe SSL_CTX_set_alpn_select_cb(context, Self.chooseProtocol, nil)
        if server.waitsForAnswer {
            unsafe SSL_CTX_set_client_hello_cb(context, Self.readHello, nil)
            takeEarlyData()
        }
        unsafe SSL_CTX_set_session_ticket_cb(context, { _, _ in 1 }, Self.judgeTicket, nil)
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// Takes what a client that resumes a session sends before the handshake is over (RFC 8446 §2.3).
    private func takeEarlyData() {
        unsafe SSL_CTX_set_max_early_data(context, UInt32(TLSSession.earlyDataLimit))
        // What is rejected counts with the overhead of its records, of which there may be many.
        let mostRejected = UInt32(4 * TLSSession.earlyDataLimit)
        unsafe SSL_CTX_set_recv_max_early_data(context, mostRejected)
        unsafe linkcond_take_replays(context)
        unsafe SSL_CTX_set_allow_early_data_cb(context, Self.judgeEarlyData, nil)
    }

    /// Names of protocols, each with its length before it (RFC 7301 §3.1).
    static func list(_ names: [String]) -> [UInt8] {
        names.flatMap { [UInt8(clamping: $0.utf8.count)] + $0.utf8.prefix(255) }
    }

    /// OpenSSL was built for Debian, and does not look where other systems keep them.
    private func loadSystemAuthorities() {
        unsafe SSL_CTX_set_default_verify_paths(context)
        guard !FileSystem.isFile(SystemAuthorities.paths[0]) else { return }
        for path in SystemAuthorities.paths where FileSystem.isFile(path) {
            if unsafe SSL_CTX_load_verify_file(context, path) == 1 { return }
        }
    }

    /// Notes what a client asks for, and waits for what it gets.
    ///
    /// Here and not later, where a certificate is chosen: with TLS 1.3 the protocol is chosen first.
    private static let readHello: SSL_client_hello_cb_fn = { session, alert, _ in
        guard let owner = unsafe owner(session) else { return SSL_CLIENT_HELLO_ERROR }
        switch owner.reply {
        case .undecided:
            let names = unsafe HelloExtension.bytes(of: session, TLSEXT_TYPE_server_name)
            owner.requestedHost = HelloExtension.hostName(names)
            let protocols = unsafe HelloExtension.bytes(
                of: session,
                TLSEXT_TYPE_application_layer_protocol_negotiation
            )
            owner.offeredProtocols = HelloExtension.protocols(protocols)
            return SSL_CLIENT_HELLO_RETRY
        case .accepted: return SSL_CLIENT_HELLO_SUCCESS
        case .refused:
            unsafe alert?.pointee = SSL_AD_INTERNAL_ERROR
            return SSL_CLIENT_HELLO_ERROR
        }
    }

    /// Answers the first protocol that the connection allows and the client offers, and nothing to one
    /// that offers none of them.
    private static let chooseProtocol: SSL_CTX_alpn_select_cb_func = {
        session,
        chosen,
        chosenLength,
        offered,
        offeredLength,
        _ in
        guard let offered = unsafe offered, let chosen = unsafe chosen else {
            return SSL_TLSEXT_ERR_NOACK
        }
        let allowed = unsafe owner(session)?.allowedProtocols ?? []
        for name in allowed {
            var place = 0
            while place < Int(offeredLength) {
                let length = unsafe Int(offered[place])
                guard place + 1 + length <= Int(offeredLength) else { break }
                let text = unsafe UnsafeBufferPointer(start: offered + place + 1, count: length)
                if unsafe text.elementsEqual(name.utf8) {
                    unsafe chosen.pointee = offered + place + 1
                    unsafe chosenLength?.pointee = UInt8(length)
                    return SSL_TLSEXT_ERR_OK
                }
                place += 1 + length
            }
        }
        return SSL_TLSEXT_ERR_NOACK
    }

    /// Notes that a server asks for a certificate, and shows the one of the settings.
    private static let noteRequest:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = { session, _ in
            unsafe owner(session)?.isAskedForCertificate = true
            return 1
        }

    /// Takes any certificate of a client: whether it is right is up to the server, which sees another one.
    static let takeAny: @convention(c) (CInt, OpaquePointer?) -> CInt = { _, _ in 1 }

    /// Takes the ticket of a session that a client wants to resume, unless its connection is to refuse it.
    private static let judgeTicket: SSL_CTX_decrypt_session_ticket_fn = {
        session,
        _,
        _,
        _,
        status,
        _ in
        switch status {
        case SSL_TICKET_SUCCESS, SSL_TICKET_SUCCESS_RENEW:
            guard let owner = unsafe owner(session) else { return SSL_TICKET_RETURN_IGNORE_RENEW }
            if owner.refusesTicket {
                owner.hasRefusedTicket = true
                return SSL_TICKET_RETURN_IGNORE_RENEW
            }
            return status == SSL_TICKET_SUCCESS
                ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW
        default: return SSL_TICKET_RETURN_IGNORE_RENEW
        }
    }

    /// Takes a client's early data, unless its connection is to reject it.
    private static let judgeEarlyData: SSL_allow_early_data_cb_fn = { session, _ in
        guard let owner = unsafe owner(session) else { return 0 }
        if owner.rejectsEarlyData { owner.hasRejectedEarlyData = true }
        return owner.rejectsEarlyData ? 0 : 1
    }

    static func owner(_ session: OpaquePointer?) -> TLSSession? {
        guard let session = unsafe session, let owner = unsafe SSL_get_ex_data(session, 0) else {
            return nil
        }
        return unsafe Unmanaged<TLSSession>.fromOpaque(owner).takeUnretainedValue()
    }

    /// Writes the keys of every connection to a file, in the form that packet analysers read
    /// (draft-ietf-tls-keylogfile): with it, anyone who has recorded the connections can read them.
    package func writeKeys(to file: OutputFile) {
        keyLog = file
        unsafe SSL_CTX_set_keylog_callback(context, Self.logKey)
    }

    private static let logKey: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Void = {
        session,
        line in
        guard let line = unsafe line, let owned = unsafe owner(session) else { return }
        let text = unsafe String(cString: line)
        // A log that cannot be written is no reason to end a connection.
        try? owned.context.keyLog?.writeAll(Array("\(text)\n".utf8))
    }
}
