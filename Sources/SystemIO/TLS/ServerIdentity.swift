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

extension TLSContext {
    /// For a server that shows the same certificate to all clients.
    ///
    /// - Parameter identity: of a made one, the certificate is for its `hosts`.
    /// - Returns: settings for any number of connections.
    /// - Throws: if a file, or the authority, cannot be used.
    package static func server(as identity: ServerIdentity) throws(TLSError) -> TLSContext {
        switch identity {
        case .made(let authority, let hosts):
            try server(showing: CertificateAuthority.reading(pem: authority).leaf(for: hosts))
        case .files(let certificates, let key): try server(certificates: certificates, key: key)
        }
    }
}
