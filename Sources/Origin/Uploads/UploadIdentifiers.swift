internal import Basics
internal import SystemIO

/// Names of new uploads.
package enum UploadNaming: Hashable, Sendable {
    /// 128 bits of the kernel's randomness: who knows the name may use the upload (RFC 9110 §17 knows
    /// no other guard).
    case random
    /// The same names every time, for tests on loopback.
    case seeded(UInt64)
}

/// Gives each new upload a name that none had before.
struct UploadIdentifiers {
    private let naming: UploadNaming
    private var count: UInt64 = 0

    init(_ naming: UploadNaming) { self.naming = naming }

    mutating func next(isTaken: (String) -> Bool) -> String {
        while true {
            let identifier = HexadecimalText.encode(bytes())
            count += 1
            if !isTaken(identifier) { return identifier }
        }
    }

    private func bytes() -> [UInt8] {
        switch naming {
        case .random: SecureRandom.bytes(16)
        case .seeded(let seed):
            KnownContent(seed: seed).bytes(count * 16..<count * 16 + 16)
        }
    }
}
