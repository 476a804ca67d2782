internal import Analysis

/// What was transferred on an expensive or constrained path, for people.
enum MeteredText {
    /// As in `3 requests, 4.10 MB requested while the path was constrained`; nil if nothing was.
    static func words(_ traffic: MeteredTraffic) -> String? {
        let parts = [
            part(traffic.constrained, "constrained"), part(traffic.expensive, "expensive"),
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func part(_ count: MeteredTraffic.Count, _ state: String) -> String? {
        guard count.requests > 0 else { return nil }
        return "\(Figures.count(count.requests, "request")), \(Figures.bytes(count.bytes))"
            + " requested while the path was \(state)"
    }
}
