/// How a server speaks TLS with its clients.
///
/// Options fill it and `TLSContext` applies it; what lies between passes it on as a whole.
package struct TLSServerSettings: Hashable, Sendable {
    /// What clients are shown.
    package var identity: ServerIdentity
    /// Whether each connection waits after the client's first message until its `answer` is called, by
    /// which the certificate may be chosen, and takes early data.
    package var waitsForAnswer = false

    package init(identity: ServerIdentity) { self.identity = identity }
}

/// What a server shows to clients that speak TLS.
package enum ServerIdentity: Hashable, Sendable {
    /// Certificates that an authority makes.
    ///
    /// - Parameters:
    ///   - authority: in PEM, with its key.
    ///   - hosts: names and numeric addresses that each certificate is for, beside the one that a
    ///     client asks for.
    case made(authority: [UInt8], hosts: [String])
    /// PEM files: a certificate with what links it to an authority, and its key.
    case files(certificates: String, key: String)
}
