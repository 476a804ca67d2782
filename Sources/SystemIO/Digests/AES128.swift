internal import COpenSSL

/// AES with keys of 128 bits, by OpenSSL.
@safe
package enum AES128 {
    /// Encrypts one block of 16 bytes by itself (FIPS 197).
    package static func encrypt(block: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(block.count == 16 && key.count == 16)
        var result = [UInt8](repeating: 0, count: 32)
        let status = unsafe withContext { context in
            var count: CInt = 0
            return unsafe EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nil, key, nil) == 1
                && EVP_CIPHER_CTX_set_padding(context, 0) == 1
                && EVP_EncryptUpdate(context, &result, &count, block, 16) == 1
        }
        precondition(status, "OpenSSL has AES")
        return Array(result.prefix(16))
    }

    /// Opens what GCM sealed (NIST SP 800-38D).
    ///
    /// - Parameters:
    ///   - sealed: the ciphertext and its tag of 16 bytes.
    ///   - key: 16 bytes.
    ///   - nonce: 12 bytes.
    ///   - header: what is authenticated besides.
    /// - Returns: the content; nil if the tag does not fit.
    package static func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        header: [UInt8]
    ) -> [UInt8]? {
        precondition(key.count == 16 && nonce.count == 12)
        guard sealed.count >= 16 else { return nil }
        let length = sealed.count - 16
        var tag = Array(sealed[length...])
        // OpenSSL takes no count of 0 with a null pointer.
        var result = [UInt8](repeating: 0, count: length + 16)
        let isRight = unsafe withContext { context in
            var count: CInt = 0
            return unsafe EVP_DecryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1
                && EVP_DecryptUpdate(context, nil, &count, header, CInt(header.count)) == 1
                && EVP_DecryptUpdate(context, &result, &count, sealed, CInt(length)) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &tag) == 1
                && EVP_DecryptFinal_ex(context, &result, &count) == 1
        }
        return isRight ? Array(result.prefix(length)) : nil
    }

    private static func withContext(_ body: (OpaquePointer) -> Bool) -> Bool {
        guard let context = unsafe EVP_CIPHER_CTX_new() else {
            preconditionFailure("out of memory")
        }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        return unsafe body(context)
    }
}
