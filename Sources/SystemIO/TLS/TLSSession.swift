internal import CLibuv
internal import COpenSSL
internal import CLibrary

/// One TLS connection without its socket: ciphertext goes in and out, plaintext comes and goes.
///
/// The owner of the socket gives what it received to `feed`, sends what `drain` gives, and says when
/// the socket has ended. `handshake` comes first, until it answers true. After an error only what
/// `drain` still gives (an alert) is worth sending.
@safe
package final class TLSSession {
    private let session: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    let context: TLSContext
    private let host: String?
    package private(set) var isEstablished = false
    /// Whether a client has said what it wants and waits for `answer` or `refuse`.
    package private(set) var awaitsAnswer = false
    private(set) var reply = Reply.undecided
    private var certificate: ServerCertificate?
    /// The name that a client asks for (RFC 6066 §3); nil if it gives none.
    package internal(set) var requestedHost: String?
    /// The protocols that a client offers (ALPN, RFC 7301), the one that it likes best first.
    package internal(set) var offeredProtocols: [String] = []
    /// What of them may be chosen, the best first.
    private(set) var allowedProtocols = ["http/1.1"]

    /// Whether the server has asked for a certificate.
    package internal(set) var isAskedForCertificate = false
    /// Whether the ticket of a client that wants to resume a session is not taken; to be said before
    /// `answer`.
    package var refusesTicket = false
    /// Whether there was one.
    package internal(set) var hasRefusedTicket = false

    /// Whether the early data of a client is rejected; to be set before `answer`.
    package var rejectsEarlyData = false
    /// Whether there was early data that would otherwise have been accepted.
    package internal(set) var hasRejectedEarlyData = false
    private var early = EarlyData()

    /// The most early data that a server takes, in bytes.
    static let earlyDataLimit = 16_384

    /// What a client sends before the handshake is over (RFC 8446 §2.3).
    private struct EarlyData {
        /// What has not been read.
        var bytes: [UInt8] = []
        /// All of it that was accepted, in bytes.
        var count = 0
        /// Whether no more comes.
        var isOver = false
    }

    /// What becomes of a client that waits.
    enum Reply {
        case undecided, accepted, refused
    }

    /// What came of reading plaintext.
    package enum Reading: Hashable, Sendable {
        case bytes(Int)
        /// Feed it more ciphertext.
        case needsInput
        /// The peer has said that no more comes (close_notify). A socket that ends without that was
        /// cut, perhaps by somebody in between (RFC 8446 §6.1).
        case closed
    }

    /// Begins a connection.
    ///
    /// - Parameters:
    ///   - context: what connections of this kind share.
    ///   - host: for clients: the name or numeric address that the certificate must be for.
    ///   - protocols: what a client offers, or a server takes (ALPN), the best first; nil for
    ///     `http/1.1`.
    /// - Throws: if `host` is no possible name.
    package init(
        _ context: TLSContext,
        host: String? = nil,
        protocols: [String]? = nil
    ) throws(TLSError) {
        guard let session = unsafe SSL_new(context.context),
            let incoming = unsafe BIO_new(BIO_s_mem()), let outgoing = unsafe BIO_new(BIO_s_mem())
        else {
            preconditionFailure("out of memory")
        }
        unsafe self.session = session
        unsafe self.incoming = incoming
        unsafe self.outgoing = outgoing
        self.context = context
        self.host = host
        unsafe SSL_set_bio(session, incoming, outgoing)
        unsafe SSL_set_ex_data(session, 0, Unmanaged.passUnretained(self).toOpaque())
        if context.isServer {
            unsafe SSL_set_accept_state(session)
        } else {
            unsafe SSL_set_connect_state(session)
        }
        early.isOver = !context.waitsForAnswer
        if let protocols, context.isServer {
            allowedProtocols = protocols
        } else if let protocols {
            let list = TLSContext.list(protocols)
            unsafe SSL_set_alpn_protos(session, list, CUnsignedInt(list.count))
        }
        if let host, !context.isServer { try expect(host) }
    }

    deinit { unsafe SSL_free(session) }

    private func expect(_ host: String) throws(TLSError) {
        guard !host.isEmpty, !host.utf8.contains(0) else {
            throw TLSError(.settings, "no host name can be \"\(host)\"")
        }
        if SocketAddress(numericHost: host, port: 0) != nil {
            // RFC 6066 §3: no literal addresses as server names.
            guard unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1 else {
                throw .taken(.settings, "no certificate can be for \(host)")
            }
            return
        }
        guard unsafe SSL_set1_host(session, host) == 1,
            unsafe linkcond_set_server_name(session, host) == 1
        else {
            throw .taken(.settings, "no certificate can be for \(host)")
        }
    }

    /// Goes on with the handshake; true once it is done.
    package func handshake() throws(TLSError) -> Bool {
        if isEstablished { return true }
        ERR_clear_error()
        if !early.isOver, try !readEarlyData() { return false }
        let status = unsafe SSL_do_handshake(session)
        if status == 1 {
            isEstablished = true
            return true
        }
        try awaitInput(status)
        return false
    }

    /// Reads early data; true once no more comes.
    private func readEarlyData() throws(TLSError) -> Bool {
        var chunk = [UInt8](repeating: 0, count: Self.earlyDataLimit)
        while true {
            var count = 0
            switch unsafe SSL_read_early_data(session, &chunk, chunk.count, &count) {
            case SSL_READ_EARLY_DATA_SUCCESS:
                early.count += count
                early.bytes += chunk.prefix(count)
            case SSL_READ_EARLY_DATA_FINISH:
                early.isOver = true
                return true
            case let status:
                try awaitInput(status)
                return false
            }
        }
    }

    /// Bytes of early data that were accepted from the client.
    package var earlyByteCount: Int { early.count }

    /// Whether content may be exchanged before the handshake is over, since the client has begun to.
    package var exchangesEarly: Bool { early.count > 0 && !isEstablished }

    /// - Throws: if more input of the peer, or an answer to it, does not help.
    private func awaitInput(_ status: CInt) throws(TLSError) {
        switch unsafe SSL_get_error(session, status) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
        case SSL_ERROR_WANT_CLIENT_HELLO_CB: awaitsAnswer = true
        default: throw failure()
        }
    }

    // MARK: Answering a client

    /// The protocol that both sides have agreed on; nil for none.
    package var chosenProtocol: String? {
        var start: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        unsafe SSL_get0_alpn_selected(session, &start, &count)
        guard let start = unsafe start, count > 0 else { return nil }
        let name = unsafe UnsafeBufferPointer(start: start, count: Int(count))
        return unsafe String(decoding: name, as: UTF8.self)
    }

    /// Lets the handshake go on.
    ///
    /// - Parameters:
    ///   - certificate: what is shown to the client; nil for the one of the settings.
    ///   - protocols: what may be spoken, the best first.
    ///   - asksForCertificate: whether the client is to show one; any is taken, and none.
    package func answer(
        as certificate: ServerCertificate? = nil,
        protocols: [String] = ["http/1.1"],
        asksForCertificate: Bool = false
    ) {
        awaitsAnswer = false
        if asksForCertificate {
            unsafe SSL_set_verify(session, SSL_VERIFY_PEER, TLSContext.takeAny)
        }
        reply = .accepted
        allowedProtocols = protocols
        guard let certificate else { return }
        self.certificate = certificate
        unsafe SSL_use_certificate(session, certificate.certificate)
        unsafe SSL_use_PrivateKey(session, certificate.key)
    }

    /// Ends the handshake with an alert; `handshake` fails from now on.
    package func refuse() {
        awaitsAnswer = false
        reply = .refused
    }

    // MARK: Moving bytes

    /// Takes `count` bytes of ciphertext from `buffer`, `start` on.
    package func feed(_ buffer: TransferBuffer, from start: Int = 0, count: Int) {
        precondition(start >= 0 && count >= 0 && start + count <= buffer.capacity)
        guard count > 0 else { return }
        let taken = unsafe BIO_write(incoming, buffer.start + start, CInt(clamping: count))
        precondition(taken == count, "out of memory")
    }

    /// Bytes of ciphertext that wait to be sent.
    package var waitingCiphertext: Int { unsafe linkcond_pending(outgoing) }

    /// Moves all ciphertext that is to be sent to the end of `queue`.
    package func drain(into queue: inout ByteQueue, using buffer: TransferBuffer) {
        while case let count = drain(into: buffer), count > 0 {
            queue.append(buffer, from: 0, count: count)
        }
    }

    /// Gives ciphertext to send, as much as `buffer` has room for; answers how much.
    package func drain(into buffer: TransferBuffer) -> Int {
        guard waitingCiphertext > 0 else { return 0 }
        return max(0, Int(unsafe BIO_read(outgoing, buffer.start, CInt(clamping: buffer.capacity))))
    }

    /// Reads at most `limit` bytes of plaintext into `buffer` from `start` on.
    package func read(
        into buffer: TransferBuffer,
        from start: Int = 0,
        limit: Int
    ) throws(TLSError) -> Reading {
        precondition(start >= 0 && limit > 0 && start + limit <= buffer.capacity)
        if !early.bytes.isEmpty {
            let count = min(limit, early.bytes.count)
            buffer.store(Array(early.bytes.prefix(count)), at: start)
            early.bytes.removeFirst(count)
            return .bytes(count)
        }
        guard isEstablished else { return .needsInput }
        ERR_clear_error()
        let count = unsafe SSL_read(session, buffer.start + start, CInt(clamping: limit))
        if count > 0 { return .bytes(Int(count)) }
        switch unsafe SSL_get_error(session, count) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .needsInput
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: throw failure()
        }
    }

    /// Turns at most `count` bytes of `buffer` from `start` on to ciphertext; answers how many.
    ///
    /// At most one record (16 KiB) at a time, so that little waits in memory.
    package func write(
        _ buffer: TransferBuffer,
        from start: Int = 0,
        count: Int
    ) throws(TLSError) -> Int {
        precondition(start >= 0 && count >= 0 && start + count <= buffer.capacity)
        guard count > 0 else { return 0 }
        ERR_clear_error()
        if exchangesEarly {
            var taken = 0
            let start = unsafe buffer.start + start
            guard unsafe SSL_write_early_data(session, start, count, &taken) == 1 else {
                throw failure()
            }
            return taken
        }
        let written = unsafe SSL_write(session, buffer.start + start, CInt(clamping: count))
        if written > 0 { return Int(written) }
        switch unsafe SSL_get_error(session, written) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return 0
        default: throw failure()
        }
    }

    /// Says to the peer that no more comes (close_notify).
    package func close() {
        guard isEstablished else { return }
        ERR_clear_error()
        _ = unsafe SSL_shutdown(session)
        ERR_clear_error()
    }

    /// What went wrong, a certificate that was refused in words of its own.
    private func failure() -> TLSError {
        let result = unsafe SSL_get_verify_result(session)
        guard context.verifiesPeer, result != CLong(X509_V_OK),
            let reason = unsafe X509_verify_cert_error_string(result)
        else {
            return .taken(.protocol, "TLS failed")
        }
        ERR_clear_error()
        let name = host.map { " of \($0)" } ?? ""
        return unsafe TLSError(
            .certificate,
            "the certificate\(name) was refused: \(String(cString: reason))"
        )
    }
}
