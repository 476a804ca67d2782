internal import Basics
internal import Faults
internal import LinkEngine
internal import LinkProfile

extension RequestHints {
    /// What servers are told of a profile's path; nil unless it is expensive or constrained.
    init?(_ profile: Profile) {
        let path = profile.path
        guard path.isExpensive || path.isConstrained else { return nil }
        let link = profile.link
        let rate: BitRate? =
            switch link.down.capacity {
            case .unlimited: nil
            case .rate(let rate): rate
            case .trace(let trace): BitRate(bitsPerSecond: max(1, trace.meanBitsPerSecond))
            }
        self.init(
            roundTrip: link.down.delay + link.up.delay,
            downlink: rate,
            isConstrained: path.isConstrained
        )
    }
}
