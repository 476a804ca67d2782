internal import COpenSSL

/// The SHA-256 of bytes that come one piece after another.
@safe
package final class SHA256Stream {
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        unsafe self.context = context
        unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds the first `count` bytes of `buffer`.
    package func update(_ buffer: TransferBuffer, count: Int) {
        precondition(count >= 0 && count <= buffer.capacity)
        unsafe EVP_DigestUpdate(context, buffer.start, count)
    }

    /// The digest, 32 bytes; ends the stream.
    package func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe EVP_DigestFinal_ex(context, &digest, nil)
        return digest
    }
}
