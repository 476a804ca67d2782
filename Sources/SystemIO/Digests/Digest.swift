internal import COpenSSL

/// A digest of bytes that come one piece after another, by OpenSSL.
@safe
package final class Digest {
    package enum Algorithm: Hashable, Sendable, CaseIterable {
        /// FIPS 180-4; for tus checksums, which require it. Not collision resistant.
        case sha1
        case sha256
        case sha512

        /// Bytes of a digest.
        package var byteCount: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            case .sha512: 64
            }
        }

        fileprivate var implementation: OpaquePointer? {
            switch self {
            case .sha1: unsafe EVP_sha1()
            case .sha256: unsafe EVP_sha256()
            case .sha512: unsafe EVP_sha512()
            }
        }
    }

    package let algorithm: Algorithm
    private let context: OpaquePointer

    package convenience init(_ algorithm: Algorithm) {
        self.init(unstarted: algorithm)
        let status = unsafe EVP_DigestInit_ex(context, algorithm.implementation, nil)
        precondition(status == 1, "OpenSSL has the usual digests")
    }

    private init(unstarted algorithm: Algorithm) {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        unsafe self.context = context
        self.algorithm = algorithm
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// A second digest of all bytes so far; both go on by themselves.
    package func copy() -> Digest {
        let other = Digest(unstarted: algorithm)
        let status = unsafe EVP_MD_CTX_copy_ex(other.context, context)
        precondition(status == 1, "out of memory")
        return other
    }

    /// Adds `count` bytes of `buffer` from `offset` on.
    package func update(_ buffer: TransferBuffer, from offset: Int = 0, count: Int) {
        precondition(offset >= 0 && count >= 0 && offset + count <= buffer.capacity)
        unsafe EVP_DigestUpdate(context, buffer.start + offset, count)
    }

    package func update(_ bytes: [UInt8]) {
        unsafe EVP_DigestUpdate(context, bytes, bytes.count)
    }

    package func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { raw in
            _ = unsafe EVP_DigestUpdate(context, raw.baseAddress, raw.count)
        }
    }

    /// The digest of all bytes so far; more may follow.
    package var value: [UInt8] {
        let last = copy()
        var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
        unsafe EVP_DigestFinal_ex(last.context, &digest, nil)
        return digest
    }
}
