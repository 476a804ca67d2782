internal import FaultInjection
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

    /// Beyond it times and counts could overflow; no test lasts 35 years.
    private static let most = Int64(1) << 40

    /// What a toxic of this type does, given the values of all its attributes in their order.
    ///
    /// - Throws: which attribute cannot be meant.
    package func action(_ values: [Int64]) throws(ToxiproxyError) -> ToxicAction {
        for (name, value) in zip(attributes, values) where value.magnitude > Self.most.magnitude {
            throw ToxiproxyError(400, "attribute \(name) must be between -2^40 and 2^40")
        }
        switch self {
        case .noop: return .noop
        case .latency: return .latency(milliseconds: values[0], jitterMilliseconds: values[1])
        case .bandwidth:
            guard values[0] >= 0 else { throw Self.negative("rate") }
            return .bandwidth(kilobytesPerSecond: values[0])
        case .slowClose: return .slowClose(delayMilliseconds: values[0])
        case .timeout: return .timeout(milliseconds: values[0])
        case .resetPeer: return .resetPeer(afterMilliseconds: values[0])
        case .slicer: return try slicer(values)
        case .limitData: return .limitData(bytes: values[0])
        }
    }

    private func slicer(_ values: [Int64]) throws(ToxiproxyError) -> ToxicAction {
        for (name, value) in zip(attributes, values) where value < 0 { throw Self.negative(name) }
        guard values[0] == 0 || values[1] < values[0] else {
            throw ToxiproxyError(400, "attribute size_variation must be less than average_size")
        }
        return .slicer(
            averageBytes: values[0],
            variationBytes: values[1],
            delayMicroseconds: values[2]
        )
    }

    private static func negative(_ name: String) -> ToxiproxyError {
        ToxiproxyError(400, "attribute \(name) must not be negative")
    }

    /// What is accepted and probably not meant.
    func warnings(_ values: [Int64]) -> [String] {
        if self == .slicer, values[0] == 0 { return ["slicer with average_size 0 cuts nothing"] }
        return zip(attributes, values).filter { $0.1 < 0 }.map { name, _ in
            "a negative \(name) acts as 0"
        }
    }
}
