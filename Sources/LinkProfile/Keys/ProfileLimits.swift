import Basics

/// What a profile may ask for.
///
/// The bounds keep every sum of the engine far from overflow.
enum ProfileLimits {
    /// One way; also jitter and the wait for a name.
    static let delay = Duration.zero ... .seconds(3_600)
    /// Times in an outage schedule: up to 1,000 hours.
    static let outage = Duration.zero ... .seconds(3_600_000)
    /// Random outages and periods shorter than this would be events without end.
    static let outageStep = Duration.milliseconds(1) ... .seconds(3_600_000)
    /// Below 100 bit/s one packet takes minutes; a link that carries nothing is `loss: 100%`.
    static let rate = bitRate(100)...bitRate(1_000_000_000_000)
    static let bytes: ClosedRange<UInt64> = 0...1_000_000_000_000_000
    static let queuePackets = 1...1_000_000
    /// At least one full packet.
    static let queueBytes: ClosedRange<UInt64> = 1_500...4_294_967_296
    static let outageWindows = 1_000
    static let faults = 1_000
    static let crossFlows = 16
    static let listedLosses = 10_000
    static let parameters = 32
    static let parameterChoices = 64
    /// Parents above a profile.
    static let ancestors = 8
    /// Mean loss burst.
    static let burstPackets: UInt64 = 1_000_000
    /// A generated trace; at the highest rate the longest one has 3.75 million opportunities, fewer
    /// than a trace may hold.
    static let traceLength = Duration.milliseconds(1) ... .seconds(300)
    static let traceStay = Duration.milliseconds(1) ... .seconds(300)
    static let traceRate = bitRate(100)...bitRate(150_000_000)
    static let traceStates = 64

    /// In the words of help.
    static var delayText: String {
        "\(Quantity.readable(delay.lowerBound)) to \(Quantity.readable(delay.upperBound))"
    }

    private static func bitRate(_ bitsPerSecond: UInt64) -> BitRate {
        guard let rate = BitRate(bitsPerSecond: bitsPerSecond) else {
            preconditionFailure("a rate of 1 bit/s to 1 Tbit/s")
        }
        return rate
    }
}
