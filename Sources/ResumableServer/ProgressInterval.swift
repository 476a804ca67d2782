/// How many committed bytes lie between two progress 104s of one request.
///
/// Clients bound the interim responses to a request: curl, for one, refuses more than 300 KiB of
/// response heads, which are about 2,500 of these. So, unless somebody has fixed it, the interval
/// grows with the request. It depends on nothing but bytes, so that runs repeat.
struct ProgressInterval: Hashable, Sendable {
    private var bytes: UInt64
    /// After so many 104s the interval doubles; nil if it is fixed.
    private let doublesAfter: Int?
    private var count = 0

    /// Of a short request; the least.
    static let least: UInt64 = 256 << 10
    /// The most 104s for a request whose length is known.
    static let most: UInt64 = 1_024
    /// 104s at one interval where the length is not known: at most 2,000 for 1 TiB.
    private static let countAtOneInterval = 128

    /// nil if no 104s are to be sent.
    ///
    /// - Parameters:
    ///   - fixed: what somebody wants; 0 for none.
    ///   - body: bytes of the request, if they are known.
    init?(_ fixed: UInt64?, body: UInt64?) {
        guard fixed != 0 else { return nil }
        bytes = fixed ?? body.map { max(Self.least, $0 / Self.most) } ?? Self.least
        doublesAfter = fixed == nil && body == nil ? Self.countAtOneInterval : nil
    }

    /// The offset to report after `offset`.
    mutating func next(after offset: UInt64) -> UInt64 {
        if let doublesAfter, count > 0, count % doublesAfter == 0 { bytes = bytes &<< 1 }
        count += 1
        let (sum, overflows) = offset.addingReportingOverflow(max(bytes, 1))
        return overflows ? .max : sum
    }
}
