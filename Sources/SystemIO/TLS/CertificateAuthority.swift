internal import COpenSSL

/// An authority that signs certificates for servers as they are needed (RFC 5280).
///
/// Keys are on P-256, signatures by SHA-256: what every client since 2015 takes.
@safe
package final class CertificateAuthority {
    let certificate: OpaquePointer
    private let key: OpaquePointer

    /// Takes ownership of both.
    private init(certificate: OpaquePointer, key: OpaquePointer) {
        unsafe self.certificate = certificate
        unsafe self.key = key
    }

    deinit {
        unsafe X509_free(certificate)
        unsafe EVP_PKEY_free(key)
    }

    /// Makes a new authority.
    ///
    /// - Parameters:
    ///   - name: by which a person recognises it in a list of authorities.
    ///   - hosts: the only names and numeric addresses that it can vouch for, with their subdomains
    ///     (RFC 5280 §4.2.1.10); nil for any.
    ///   - lifetime: how long it is valid, from an hour ago on: clocks differ.
    /// - Returns: the authority, which is stored nowhere.
    /// - Throws: if one of `hosts` can be no name.
    package static func make(
        name: String,
        constrainedTo hosts: [String]? = nil,
        lifetime: Duration
    ) throws(TLSError) -> CertificateAuthority {
        let key = unsafe try newKey()
        let made = unsafe CertificateAuthority(certificate: newCertificate(), key: key)
        let draft = unsafe CertificateDraft(made.certificate, issuer: made.certificate)
        try draft.describe(name: name, validity: .fromNow(for: lifetime))
        try unsafe draft.setIssuer(X509_get_subject_name(made.certificate), key)
        try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign")
        try draft.add(NID_ext_key_usage, "serverAuth")
        try draft.add(NID_subject_key_identifier, "hash")
        if let hosts {
            try draft.add(NID_name_constraints, "critical," + (try constraints(hosts)))
        }
        try unsafe sign(made.certificate, with: made.key)
        return made
    }

    /// Reads an authority from PEM: a certificate and its key, in any order.
    package static func reading(pem: [UInt8]) throws(TLSError) -> CertificateAuthority {
        let certificate = unsafe MemoryBIO(pem).readCertificate()
        let key = unsafe MemoryBIO(pem).readKey()
        guard let certificate = unsafe certificate, let key = unsafe key else {
            if let certificate = unsafe certificate { unsafe X509_free(certificate) }
            if let key = unsafe key { unsafe EVP_PKEY_free(key) }
            throw .taken(.settings, "not an authority: expected a certificate and its key in PEM")
        }
        let read = unsafe CertificateAuthority(certificate: certificate, key: key)
        guard unsafe X509_check_private_key(certificate, key) == 1 else {
            throw .taken(.settings, "the authority's key does not belong to its certificate")
        }
        return read
    }

    /// The certificate alone, which clients are to trust.
    package var certificatePEM: String {
        let bio = MemoryBIO()
        unsafe PEM_write_bio_X509(bio.bio, certificate)
        return bio.text
    }

    /// The key; anyone who has it can impersonate every server that the authority can vouch for.
    package var keyPEM: String {
        let bio = MemoryBIO()
        unsafe PEM_write_bio_PKCS8PrivateKey(bio.bio, key, nil, nil, 0, nil, nil)
        return bio.text
    }

    /// Whether it is valid now.
    package var isCurrent: Bool {
        unsafe X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0
            && X509_cmp_current_time(X509_get0_notAfter(certificate)) > 0
    }

    /// Signs a certificate for a server.
    ///
    /// - Parameters:
    ///   - hosts: its names and numeric addresses; at least one.
    ///   - shape: what else it says; by default what clients want.
    /// - Returns: the certificate with its key.
    /// - Throws: if one of `hosts` can be no name.
    package func leaf(
        for hosts: [String],
        _ shape: CertificateShape = CertificateShape()
    ) throws(TLSError) -> ServerCertificate {
        let leaf = try unsafe ServerCertificate(
            certificate: Self.newCertificate(),
            key: Self.newKey()
        )
        var issuer = unsafe (certificate: certificate, key: key)
        switch shape.issuer {
        case .authority: break
        case .itself: unsafe issuer = (leaf.certificate, leaf.key)
        case .unknown:
            let unknown = try Self.make(name: "an authority in between", lifetime: .seconds(86_400))
            return try unknown.leaf(for: hosts, shape.issued(by: .authority))
        }
        let draft = unsafe CertificateDraft(leaf.certificate, issuer: issuer.certificate)
        // No name that could be a host's: constraints are checked against that, too.
        try draft.describe(name: "made by linkcond", validity: shape.validity)
        try unsafe draft.setIssuer(X509_get_subject_name(issuer.certificate), leaf.key)
        try draft.add(NID_basic_constraints, "critical,CA:FALSE")
        try draft.add(NID_key_usage, "critical,digitalSignature")
        try draft.add(NID_ext_key_usage, shape.isForClients ? "clientAuth" : "serverAuth")
        if shape.issuer == .authority { try draft.add(NID_authority_key_identifier, "keyid") }
        var names: [String] = []
        for host in hosts { names.append(try Self.alternativeName(host)) }
        try draft.add(NID_subject_alt_name, names.joined(separator: ","))
        try unsafe Self.sign(leaf.certificate, with: issuer.key)
        return leaf
    }

    private static func sign(
        _ certificate: OpaquePointer,
        with key: OpaquePointer
    ) throws(TLSError) {
        guard unsafe X509_sign(certificate, key, EVP_sha256()) > 0 else {
            throw .taken(.settings, "cannot sign a certificate")
        }
    }

    private static func newKey() throws(TLSError) -> OpaquePointer {
        guard let key = unsafe linkcond_new_key() else {
            throw .taken(.settings, "cannot make a key")
        }
        return unsafe key
    }

    private static func newCertificate() -> OpaquePointer {
        guard let certificate = unsafe X509_new() else { preconditionFailure("out of memory") }
        return unsafe certificate
    }

    /// The text of an extension is a small language of its own; only what cannot be part of it passes.
    private static func alternativeName(_ host: String) throws(TLSError) -> String {
        if SocketAddress(numericHost: host, port: 0) != nil { return "IP:\(host)" }
        guard host.isHostName else {
            throw TLSError(.settings, "no certificate can be for \"\(host)\"")
        }
        return "DNS:\(host)"
    }

    private static func constraints(_ hosts: [String]) throws(TLSError) -> String {
        var permitted: [String] = []
        for host in hosts {
            var name = try alternativeName(host)
            if name.hasPrefix("IP:") {
                let mask =
                    host.utf8.contains(UInt8(ascii: ":"))
                    ? "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" : "255.255.255.255"
                name += "/\(mask)"
            }
            permitted.append("permitted;\(name)")
        }
        // An address range that holds nothing forbids all others of its family.
        let addresses = permitted.filter { $0.hasPrefix("permitted;IP:") }
        if addresses.isEmpty {
            permitted.append("excluded;IP:0.0.0.0/0.0.0.0")
            permitted.append("excluded;IP:::/::")
        }
        return permitted.joined(separator: ",")
    }
}

extension String {
    /// Whether this can be a host's name: letters, digits, hyphens, underscores and dots, with `*.`
    /// before at most.
    package var isHostName: Bool {
        let labels = split(separator: ".", omittingEmptySubsequences: false)
        guard utf8.count <= 253, !labels.isEmpty else { return false }
        return labels.enumerated().allSatisfy { place, label in
            if place == 0, label == "*", labels.count > 1 { return true }
            return (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"),
                        UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                        UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }
}
