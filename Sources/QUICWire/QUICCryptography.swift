/// What opening QUIC packets needs of a library of cryptography.
package protocol QUICCryptography {
    /// The HMAC (RFC 2104) with SHA-256, 32 bytes, or with SHA-384, 48 bytes.
    func authenticationCode(of data: [UInt8], key: [UInt8], _ hash: QUICHash) -> [UInt8]
    /// What header protection makes of a sample of 16 bytes (RFC 9001 §5.4.3, §5.4.4); at least 5
    /// bytes.
    func mask(of sample: [UInt8], key: [UInt8], _ cipher: QUICCipher) -> [UInt8]
    /// What the cipher sealed, its tag of 16 bytes at the end; nil if the tag is wrong.
    func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        header: [UInt8],
        _ cipher: QUICCipher
    ) -> [UInt8]?
}

package enum QUICHash: Hashable, Sendable {
    case sha256, sha384

    var length: Int { self == .sha256 ? 32 : 48 }
}

/// The ciphers of TLS 1.3 that QUIC stacks use (RFC 8446 §B.4).
package enum QUICCipher: Hashable, Sendable, CaseIterable {
    case aes128GCM, aes256GCM, chaCha20Poly1305

    package var hash: QUICHash { self == .aes256GCM ? .sha384 : .sha256 }
    package var keyLength: Int { self == .aes128GCM ? 16 : 32 }
}
