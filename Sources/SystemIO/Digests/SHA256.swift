internal import COpenSSL

/// The SHA-256 digest (FIPS 180-4), by OpenSSL.
@safe
package enum SHA256 {
    /// Digests bytes at once; 32 bytes.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        let status = unsafe EVP_Digest(bytes, bytes.count, &result, nil, EVP_sha256(), nil)
        precondition(status == 1, "OpenSSL has SHA-256")
        return result
    }

    /// The HMAC of bytes (RFC 2104); 32 bytes.
    package static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        let short = key.count > 64 ? digest(key) : key
        let block = short + [UInt8](repeating: 0, count: 64 - short.count)
        let inner = digest(block.map { $0 ^ 0x36 } + bytes)
        return digest(block.map { $0 ^ 0x5C } + inner)
    }

    /// The digest in lower-case hexadecimal.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        hexadecimal(digest: digest(bytes))
    }

    /// A digest in lower-case hexadecimal.
    package static func hexadecimal(digest: [UInt8]) -> String {
        digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
