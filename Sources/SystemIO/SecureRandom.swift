internal import CLibuv
internal import CLibrary

/// Bytes that nobody can guess, from the kernel.
@safe
package enum SecureRandom {
    /// `count` random bytes; 16 make a name for an upload that cannot be guessed.
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let status = unsafe bytes.withUnsafeMutableBytes { memory in
            unsafe uv_random(nil, nil, memory.baseAddress, memory.count, 0, nil)
        }
        precondition(status == 0, "the kernel has random bytes")
        return bytes
    }
}
