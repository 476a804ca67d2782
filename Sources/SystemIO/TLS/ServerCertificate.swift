internal import COpenSSL

/// What a server shows, and the key that proves it.
@safe
package final class ServerCertificate {
    let certificate: OpaquePointer
    let key: OpaquePointer

    /// Takes ownership of both.
    init(certificate: OpaquePointer, key: OpaquePointer) {
        unsafe self.certificate = certificate
        unsafe self.key = key
    }

    deinit {
        unsafe X509_free(certificate)
        unsafe EVP_PKEY_free(key)
    }
}

/// Certificates of one authority, made for each host when it is first asked for.
package final class ServerCertificates {
    private let authority: CertificateAuthority
    /// Names that every certificate is for, besides the one that is asked for, and addresses that
    /// it is for only if no name is asked for.
    private let always: [String]
    private var made: [String: ServerCertificate] = [:]

    /// Beyond this all are forgotten: clients choose the names.
    private static let most = 1_000

    package init(_ authority: CertificateAuthority, always: [String]) {
        self.authority = authority
        self.always = always
    }

    /// A certificate of another shape, for `hosts` or, by default, for those of `certificate(for:)`.
    package func certificate(
        for host: String?,
        named hosts: [String]?,
        _ shape: CertificateShape
    ) throws(TLSError) -> ServerCertificate {
        try authority.leaf(for: hosts ?? names(for: host?.lowercased() ?? ""), shape)
    }

    private func names(for host: String) -> [String] {
        guard !host.isEmpty else { return always }
        // A client that gives a name checks no address, and BoringSSL, which gRPC uses, refuses
        // a certificate with an address if its authority is limited to some addresses.
        let names = always.filter { SocketAddress(numericHost: $0, port: 0) == nil }
        return names.contains(host) ? names : [host] + names
    }

    /// A certificate for `host` and the names that every one is for.
    ///
    /// - Throws: if `host` cannot be a name.
    package func certificate(for host: String?) throws(TLSError) -> ServerCertificate {
        let host = host?.lowercased() ?? ""
        if let known = made[host] { return known }
        let new = try authority.leaf(for: names(for: host))
        if made.count >= Self.most { made.removeAll() }
        made[host] = new
        return new
    }
}
