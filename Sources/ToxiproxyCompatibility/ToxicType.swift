package import Toxics

/// The types of toxics with their attributes, in the order in which they are written.
package enum ToxicType: String, CaseIterable, Sendable {
    case noop
    case latency
    case bandwidth
    case slowClose = "slow_close"
    case timeout
    case resetPeer = "reset_peer"
    case slicer
    case limitData = "limit_data"

    package var attributes: [String] {
        switch self {
        case .noop: []
        case .latency: ["latency", "jitter"]
        case .bandwidth: ["rate"]
        case .slowClose: ["delay"]
        case .timeout, .resetPeer: ["timeout"]
        case .slicer: ["average_size", "size_variation", "delay"]
        case .limitData: ["bytes"]
        }
    }

    /// What a toxic of this type does, given the values of all its attributes in their order.
    ///
    /// Values that cannot be meant are clamped where they act, so that a client may set attributes
    /// one at a time.
    ///
    /// - Throws: 400 for a negative rate, which ends the process of Toxiproxy.
    package func action(_ values: [Int64]) throws(ToxiproxyError) -> ToxicAction {
        switch self {
        case .noop: return .noop
        case .latency: return .latency(milliseconds: values[0], jitterMilliseconds: values[1])
        case .bandwidth:
            guard values[0] >= 0 else {
                throw ToxiproxyError(400, "attribute rate must not be negative")
            }
            return .bandwidth(kilobytesPerSecond: values[0])
        case .slowClose: return .slowClose(delayMilliseconds: values[0])
        case .timeout: return .timeout(milliseconds: values[0])
        case .resetPeer: return .resetPeer(afterMilliseconds: values[0])
        case .slicer:
            return .slicer(
                averageBytes: values[0],
                variationBytes: values[1],
                delayMicroseconds: values[2]
            )
        case .limitData: return .limitData(bytes: values[0])
        }
    }

    /// What is accepted and probably not meant.
    func warnings(_ values: [Int64]) -> [String] {
        var warnings = zip(attributes, values).filter { $0.1 < 0 }.map { name, _ in
            "a negative \(name) acts as 0"
        }
        guard self == .slicer else { return warnings }
        if values[0] <= 0 { warnings = ["slicer with average_size \(values[0]) cuts nothing"] }
        if values[0] > 0, values[1] >= values[0] {
            warnings.append("a size_variation of average_size or more cuts some pieces to one byte")
        }
        return warnings
    }
}
