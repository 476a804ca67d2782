internal import Basics
internal import ResumableClient

/// The random decisions of a client as pure functions of its seed.
enum ClientRandom {
    /// The draws of one transfer, the `transfer`-th of its program.
    static func draws(seed: UInt64, transfer: UInt64) -> RandomDraws {
        let random = AddressedRandom(seed: seed)
        return RandomDraws { purpose, ordinal in
            random.bits(
                key: transfer,
                direction: .up,
                stage: stage(purpose),
                index: ordinal
            )
        }
    }

    private static func stage(_ purpose: RandomDraws.Purpose) -> AddressedRandom.Stage {
        switch purpose {
        case .backoff: .clientBackoff
        case .pathChange: .clientPathChange
        }
    }
}
