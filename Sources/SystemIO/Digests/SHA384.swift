internal import COpenSSL

/// What uses the SHA-384 digest (FIPS 180-4), by OpenSSL.
@safe
package enum SHA384 {
    /// The HMAC of bytes (RFC 2104); 48 bytes.
    package static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 48)
        let isDone =
            unsafe HMAC(
                EVP_sha384(),
                key,
                CInt(key.count),
                bytes,
                bytes.count,
                &result,
                nil
            ) != nil
        precondition(isDone, "OpenSSL has SHA-384")
        return result
    }
}
