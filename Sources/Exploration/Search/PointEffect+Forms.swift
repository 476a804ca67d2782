/// An effect at one place of an exchange, as a schedule line writes it.
typealias FaultForm = (
    part: FaultPlace.Part, offset: FaultPlace.Offset, effect: String, arguments: [String]
)

extension PointEffect {
    /// The forms of an effect that acts on a message as a whole, for one exchange.
    func forms(in exchange: BoundaryMap.Exchange) -> [FaultForm] {
        let hasUpload = exchange.sent.body > 0
        let middle = FaultPlace.Offset.perMille(500)
        switch self {
        case .swallow: return [(.requestEnd, .none, "swallow", [])]
        case .status:
            return ["status(503)", "status(503,retry-after=1)", "status(429)", "status(500)"].map {
                (.requestHead, .none, $0, [])
            }
        case .early where hasUpload: return [(.requestHead, .none, "early(503)", [])]
        case .truncate where exchange.isUndeclared:
            return [(.responseBody, .fromStart(1), "truncate", [])]
        case .late where hasUpload:
            let again = FaultPlace(exchange.pattern(.one(exchange.match + 1)), .requestHead)
            return [(.requestBody, middle, "late(1000,until=\(again.text))", [])]
        case .withhold, .dup:
            return exchange.interims.map {
                (.interim(status: $0.status, $0.ordinal), .none, rawValue, [])
            }
        case .crash where hasUpload:
            let losses = ["uncommitted", "tail:1000", "meta", "all"].map { "crash(loss=\($0))" }
            let crashes = (["crash"] + losses).map { (.requestBody, middle, $0, []) as FaultForm }
            // Only who has seen where the upload is can go on with it.
            return exchange.interims.contains { $0.status == 104 }
                ? crashes + [(.requestBody, middle, "crash", ["see=104"])] : crashes
        default: return []
        }
    }

    /// The forms of an effect that the origin has on an object.
    var originForms: [String] {
        switch self {
        case .mutate:
            ["same-size", "shrink", "grow", "weak-etag", "lm-only", "same-second", "touch"].map {
                "mutate(\($0))"
            }
        case .range:
            [
                "ignore", "shift:-1000", "short:1000", "no-content-range", "wrong-total",
                "200-partial", "304", "416", "multipart", "gzip",
            ].map { "range(\($0))" }
        case .expire: ["expire"]
        default: []
        }
    }
}

extension BoundaryMap.Exchange {
    /// Whether nothing declares how long the response's body is before it ends.
    fileprivate var isUndeclared: Bool {
        guard let received else { return false }
        return received.body > 1 && (received.framing == .chunked || received.framing == .close)
    }

    /// Where repeated faults act: relative to each try's own message, whose length may differ.
    func repeatAnchors(of effect: PointEffect) -> [(FaultPlace.Part, FaultPlace.Offset)] {
        if effect == .swallow { return [(.requestEnd, .none)] }
        if effect == .status { return [(.requestHead, .none)] }
        var anchors: [(FaultPlace.Part, FaultPlace.Offset)] = [(.requestHead, .fromStart(0))]
        if sent.body > 0 {
            anchors.append((.requestBody, .fromStart(1)))
            if sent.framing == .length { anchors.append((.requestBody, .perMille(500))) }
        }
        guard let received else { return anchors }
        anchors.append((.responseHead, .fromStart(0)))
        if received.body > 0 {
            anchors.append((.responseBody, .fromStart(1)))
            if received.framing == .length { anchors.append((.responseBody, .perMille(500))) }
        }
        return anchors
    }
}
