internal import COpenSSL

/// Authorities in the form in which Java keeps those that it trusts ("JKS", of
/// `sun.security.provider.JavaKeyStore`): certificates, each with a name, and a digest over all.
package enum JavaTrustStore {
    private static let magic: UInt32 = 0xFEED_FEED
    private static let version: UInt32 = 2
    private static let trustedCertificate: UInt32 = 2
    private static let form = "X.509"
    /// Of the digest, which is no secret: everyone may read the file.
    private static let password = "changeit"
    private static let salt = "Mighty Aphrodite"

    /// A file with the certificates that stand in `pem`.
    package static func bytes(pem: [UInt8]) -> [UInt8] {
        let certificates = encoded(pem)
        var bytes: [UInt8] = []
        bytes.append(number: magic)
        bytes.append(number: version)
        bytes.append(number: UInt32(certificates.count))
        for (place, certificate) in certificates.enumerated() {
            bytes.append(number: trustedCertificate)
            bytes.append(text: "linkcond-\(place)")
            // When it was added, in milliseconds since 1970: not known, and not asked for.
            bytes.append(number: UInt64(0))
            bytes.append(text: form)
            bytes.append(number: UInt32(certificate.count))
            bytes += certificate
        }
        let digest = Digest(.sha1)
        digest.update(password.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        digest.update(Array(salt.utf8))
        digest.update(bytes)
        return bytes + digest.value
    }

    /// The certificates of a PEM text in DER (ITU-T X.690).
    private static func encoded(_ pem: [UInt8]) -> [[UInt8]] {
        let source = MemoryBIO(pem)
        var all: [[UInt8]] = []
        while let certificate = unsafe source.readCertificate() {
            defer { unsafe X509_free(certificate) }
            let target = MemoryBIO()
            if unsafe i2d_X509_bio(target.bio, certificate) == 1 { all.append(target.bytes) }
        }
        // What ends the text is an error to OpenSSL, which nobody is to find later.
        ERR_clear_error()
        return all
    }
}

extension [UInt8] {
    /// The most significant byte first.
    fileprivate mutating func append(number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// With its length in two bytes before it.
    fileprivate mutating func append(text: String) {
        append(number: UInt16(text.utf8.count))
        self += text.utf8
    }
}
