package import Basics
package import HTTPWire

/// Request fields that tell a server what the path is like, for requests that say nothing of it.
///
/// `Save-Data` as in the Save Data API, the others as in the Network Information API, both by the
/// W3C's Web Incubator Community Group: the round trip in steps of 25 ms up to 3 s, the rate in steps of
/// 25 kbit/s up to 10 Mbit/s, so that they identify no one.
package struct RequestHints: Hashable, Sendable {
    /// In the order in which they are added.
    package let fields: [HeaderFields.Field]

    private static let roundTripStep: Int64 = 25
    private static let longestRoundTrip: Int64 = 3_000
    private static let rateStep: UInt64 = 25
    private static let highestRate: UInt64 = 10_000

    /// - Parameters:
    ///   - roundTrip: of the path.
    ///   - downlink: its rate to the client; nil for no limit.
    ///   - isConstrained: whether the user wants little to be transferred.
    package init(roundTrip: Duration, downlink: BitRate?, isConstrained: Bool) {
        let milliseconds = max(0, roundTrip.nanoseconds / 1_000_000)
        let kilobits = downlink.map { $0.bitsPerSecond / 1_000 } ?? .max
        let rtt = min(
            Self.longestRoundTrip,
            (milliseconds + Self.roundTripStep / 2) / Self.roundTripStep * Self.roundTripStep
        )
        let limited = min(Self.highestRate, kilobits)
        let rate = (limited + Self.rateStep / 2) / Self.rateStep * Self.rateStep
        var fields: [HeaderFields.Field] = []
        if isConstrained { fields.append(.init("Save-Data", "on")) }
        fields.append(.init("ECT", Self.effectiveType(milliseconds, kilobits)))
        fields.append(.init("RTT", "\(rtt)"))
        fields.append(.init("Downlink", Self.megabits(rate)))
        self.fields = fields
    }

    /// The fields that a request has none of.
    package func missing(in head: RequestHead) -> [HeaderFields.Field] {
        fields.filter { !head.fields.contains($0.name) }
    }

    /// Network Information API, "Effective connection types".
    private static func effectiveType(_ milliseconds: Int64, _ kilobits: UInt64) -> String {
        switch (milliseconds, kilobits) {
        case (2_000..., _), (_, ...50): "slow-2g"
        case (1_400..., _), (_, ...70): "2g"
        case (270..., _), (_, ...700): "3g"
        default: "4g"
        }
    }

    /// Kilobits as a decimal number of megabits.
    private static func megabits(_ kilobits: UInt64) -> String {
        let (whole, part) = kilobits.quotientAndRemainder(dividingBy: 1_000)
        guard part > 0 else { return "\(whole)" }
        var text = String(1_000 + part).dropFirst()
        while text.hasSuffix("0") { text.removeLast() }
        return "\(whole).\(text)"
    }
}
