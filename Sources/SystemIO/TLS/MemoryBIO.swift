internal import COpenSSL

/// Bytes that OpenSSL reads or writes as a file.
@safe
final class MemoryBIO {
    let bio: OpaquePointer

    init(_ bytes: [UInt8] = []) {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { preconditionFailure("out of memory") }
        unsafe self.bio = bio
        if !bytes.isEmpty { unsafe BIO_write(bio, bytes, CInt(clamping: bytes.count)) }
    }

    deinit { unsafe BIO_free(bio) }

    func readCertificate() -> OpaquePointer? { unsafe PEM_read_bio_X509(bio, nil, nil, nil) }

    /// Asked for a password, an encrypted key fails instead of reading from the terminal.
    func readKey() -> OpaquePointer? {
        unsafe PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var bytes: [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe linkcond_bio_bytes(bio, &start)
        guard let start = unsafe start, count > 0 else { return [] }
        return unsafe start.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
            unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
        }
    }
}
