internal import SystemIO

/// Memory through which the bytes of all connections of one loop pass, one at a time.
///
/// Nothing stays in it between two calls, so the memory of idle connections is their state alone.
final class StreamBuffers {
    /// Plaintext on its way out, and heads on their way in.
    let plain = TransferBuffer(capacity: 131_072)
    /// Ciphertext.
    let cipher = TransferBuffer(capacity: 65_536)

    /// What one read of a head asks for: heads are small, and what follows one is copied.
    static let headRead = 16_384
}
