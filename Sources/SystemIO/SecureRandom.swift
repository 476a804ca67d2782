internal import CLibuv
internal import Glibc

/// Bytes that nobody can guess, from the kernel (getrandom(2)).
@safe
package enum SecureRandom {
    /// `count` random bytes; 16 make a name for an upload that cannot be guessed.
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { memory in
                unsafe getrandom(memory.baseAddress?.advanced(by: filled), count - filled, 0)
            }
            if got > 0 { filled += got }
            // It can only be interrupted: it waits for entropy, and no argument here is wrong.
            precondition(got > 0 || errno == EINTR, "the kernel has random bytes")
        }
        return bytes
    }
}
