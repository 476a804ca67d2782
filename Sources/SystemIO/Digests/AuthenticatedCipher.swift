internal import COpenSSL

/// A cipher that authenticates what it encrypts (RFC 5116), by OpenSSL.
@safe
package enum AuthenticatedCipher: Hashable, Sendable, CaseIterable {
    case aes128GCM
    case aes256GCM
    case chaCha20Poly1305

    package var keyLength: Int { self == .aes128GCM ? 16 : 32 }

    private var implementation: OpaquePointer? {
        switch self {
        case .aes128GCM: unsafe EVP_aes_128_gcm()
        case .aes256GCM: unsafe EVP_aes_256_gcm()
        case .chaCha20Poly1305: unsafe EVP_chacha20_poly1305()
        }
    }

    /// The cipher alone: each block by itself for AES, the key stream for ChaCha20.
    private var plain: OpaquePointer? {
        switch self {
        case .aes128GCM: unsafe EVP_aes_128_ecb()
        case .aes256GCM: unsafe EVP_aes_256_ecb()
        case .chaCha20Poly1305: unsafe EVP_chacha20()
        }
    }

    /// What a sample of 16 bytes becomes under the cipher alone; 16 bytes, or none if this machine's
    /// OpenSSL has no such cipher.
    ///
    /// For AES that is its block; ChaCha20 takes the sample for counter and nonce (RFC 9001 §5.4.4).
    package func keyStream(of sample: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(sample.count == 16 && key.count == keyLength)
        let isStream = self == .chaCha20Poly1305
        let input = isStream ? [UInt8](repeating: 0, count: 16) : sample
        var result = [UInt8](repeating: 0, count: 32)
        let status = unsafe Self.withContext { context in
            var count: CInt = 0
            return unsafe EVP_EncryptInit_ex(context, plain, nil, key, isStream ? sample : nil) == 1
                && EVP_CIPHER_CTX_set_padding(context, 0) == 1
                && EVP_EncryptUpdate(context, &result, &count, input, 16) == 1
        }
        return status ? Array(result.prefix(16)) : []
    }

    /// Opens what was sealed.
    ///
    /// - Parameters:
    ///   - sealed: the ciphertext and its tag of 16 bytes.
    ///   - key: as long as the cipher's keys are.
    ///   - nonce: 12 bytes.
    ///   - header: what is authenticated besides.
    /// - Returns: the content; nil if the tag does not fit.
    package func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        header: [UInt8]
    ) -> [UInt8]? {
        precondition(key.count == keyLength && nonce.count == 12)
        guard sealed.count >= 16 else { return nil }
        let length = sealed.count - 16
        var tag = Array(sealed[length...])
        // OpenSSL takes no count of 0 with a null pointer.
        var result = [UInt8](repeating: 0, count: length + 16)
        let isRight = unsafe Self.withContext { context in
            var count: CInt = 0
            return unsafe EVP_DecryptInit_ex(context, implementation, nil, key, nonce) == 1
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
