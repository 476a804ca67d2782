internal import COpenSSL

/// A certificate that is being filled in.
@safe
struct CertificateDraft {
    private let certificate: OpaquePointer
    private let issuer: OpaquePointer

    init(_ certificate: OpaquePointer, issuer: OpaquePointer) {
        unsafe self.certificate = certificate
        unsafe self.issuer = issuer
    }

    /// Sets what every certificate has; the number is one that nobody can guess (RFC 5280 §4.1.2.2).
    func describe(name: String, validity: CertificateShape.Validity) throws(TLSError) {
        // Version 3.
        unsafe X509_set_version(certificate, 2)
        var number = SecureRandom.bytes(16)
        number[0] = number[0] & 0x3F | 0x40
        unsafe ASN1_STRING_set(X509_get_serialNumber(certificate), number, CInt(number.count))
        unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), CLong(validity.begins))
        unsafe X509_gmtime_adj(
            X509_getm_notAfter(certificate),
            CLong(validity.ends)
        )
        let text = Array(name.utf8)
        let status = unsafe X509_NAME_add_entry_by_txt(
            X509_get_subject_name(certificate),
            "CN",
            MBSTRING_UTF8,
            text,
            CInt(text.count),
            -1,
            0
        )
        guard status == 1 else { throw .taken(.settings, "cannot name a certificate '\(name)'") }
    }

    func setIssuer(_ name: OpaquePointer?, _ key: OpaquePointer) throws(TLSError) {
        guard unsafe X509_set_issuer_name(certificate, name) == 1,
            unsafe X509_set_pubkey(certificate, key) == 1
        else {
            throw .taken(.settings, "cannot make a certificate")
        }
    }

    func add(_ identifier: CInt, _ text: String) throws(TLSError) {
        var context = unsafe X509V3_CTX()
        unsafe linkcond_set_extension_context(&context, issuer, certificate)
        guard let made = unsafe X509V3_EXT_conf_nid(nil, &context, identifier, text) else {
            throw .taken(.settings, "cannot make a certificate with '\(text)'")
        }
        defer { unsafe X509_EXTENSION_free(made) }
        guard unsafe X509_add_ext(certificate, made, -1) == 1 else {
            preconditionFailure("out of memory")
        }
    }
}
