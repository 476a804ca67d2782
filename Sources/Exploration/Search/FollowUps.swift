internal import Basics
internal import Faults

/// Points that only what a client was seen to do makes worth a run.
struct FollowUps {
    private let effects: Set<Effect.Kind>
    private let positions: ProtocolPositions
    /// Of the runs without faults.
    private let usualMilliseconds: UInt64
    /// What else a client is told to wait for.
    private let longerSeconds: [String]

    /// - Parameters:
    ///   - effects: what to try.
    ///   - positions: of the runs without faults.
    ///   - usualMilliseconds: how long those take.
    ///   - isFast: whether half a minute does not take so long.
    init(
        _ effects: [Effect.Kind],
        _ positions: ProtocolPositions,
        usualMilliseconds: UInt64,
        isFast: Bool = false
    ) {
        self.effects = Set(effects)
        self.positions = positions
        self.usualMilliseconds = usualMilliseconds
        longerSeconds = (isFast ? ["5", "30"] : ["5"]) + [Fault.secondsForEver]
    }

    /// What follows from the run of a single fault.
    func points(after point: Point, _ outcome: PointOutcome) -> [Point] {
        guard point.faults.count == 1, let fault = point.faults.first, !fault.isPermanent,
            fault.options.times == nil
        else { return [] }
        return longerWaits(after: fault, outcome) + lateUploads(after: fault, outcome)
            + refusedUploads(after: fault, outcome) + pages(after: fault, outcome)
    }

    // MARK: Retry-After

    /// Longer times, and one that no counter holds, for a client that waits as long as it is told
    /// (RFC 9110 §10.2.3).
    private func longerWaits(after fault: Fault, _ outcome: PointOutcome) -> [Point] {
        // What the second try takes beside the wait is little.
        guard fault.effect == .unavailable(retryAfter: "1"), outcome.ending.isSuccess,
            outcome.milliseconds >= max(1_000, usualMilliseconds + 800)
        else { return [] }
        return longerSeconds.map { text in
            Point([Fault(fault.address, .unavailable(retryAfter: text))])
        }
    }

    // MARK: The next request refused

    /// The next request for the rest refused, with a page that is no part of the rest.
    ///
    /// By 416 because of its range (RFC 9110 §15.5.17), by 412 because of its condition (§15.5.13), and by
    /// 503 whatever it asks for.
    ///
    /// - Parameters:
    ///   - cut: a point that a client resumes after.
    ///   - outcome: of its run.
    /// - Returns: the cut with each of them.
    func refusals(after cut: Point, _ outcome: PointOutcome) -> [Point] {
        guard effects.contains(.status), outcome.requests.contains(where: \.isResumption),
            let exchange = cut.faults.first.flatMap({ positions.exchange(of: $0.address.target) })
        else { return [] }
        let isConditional = outcome.requests.contains { $0.isResumption && $0.isConditional }
        let next = exchange.pattern(.one(exchange.match + 1))
        return ([416, 503] + (isConditional ? [412] : [])).map { status in
            let address = FaultAddress(next, .message(.up, .head, .end))
            let message = InjectedMessage(status, hasPage: !exchange.isStream)
            return Point(cut.faults + [Fault(address, .status(message))])
        }
    }

    // MARK: An answer that is no longer waited for

    /// Content that comes late, while the client receives what it asked for again: it must no longer
    /// count then.
    ///
    /// - Parameters:
    ///   - silence: a point at which the client loses patience and asks again.
    ///   - outcome: of its run, which shows how long that takes.
    /// - Returns: the silence, which now ends, and a longer one in the next answer.
    func lateContent(after silence: Point, _ outcome: PointOutcome) -> [Point] {
        guard effects.contains(.stall), silence.faults.count == 1, let fault = silence.faults.first,
            case .hole = fault.effect, fault.options == FaultOptions(), outcome.ending.isSuccess,
            outcome.milliseconds >= usualMilliseconds + Self.leastPatience,
            outcome.milliseconds <= Self.mostPatience,
            let axis = positions.axis(of: fault), axis.kind == .response,
            axis.isMiddleOfBody(fault.address),
            let exchange = positions.exchange(of: fault.address.target),
            let next = outcome.map?.exchanges.first(where: {
                $0.pattern == exchange.pattern && $0.match > exchange.match
                    && $0.received?.body ?? 0 > 1
            })
        else { return [] }
        // The next answer begins within the last of these seconds.
        let begun = (outcome.milliseconds + 999) / 1_000
        let middle = FaultAddress(
            next.pattern(.one(next.match)),
            .message(.down, .body, .perMille(500))
        )
        return [
            Point([
                Fault(fault.address, .stall(.time(.seconds(Int64(begun) + 1)))),
                Fault(middle, .stall(.time(.seconds(3)))),
            ])
        ]
    }

    /// Time limits below this, in milliseconds, are not told from what a busy machine takes.
    private static let leastPatience: UInt64 = 800
    /// Clients with a longer time limit, in milliseconds, would take too long.
    private static let mostPatience: UInt64 = 20_000

    // MARK: Uploads

    /// What was sent before a reset and comes late: once the client has asked what is there, while it
    /// sends the rest, and at the end of all.
    private func lateUploads(after fault: Fault, _ outcome: PointOutcome) -> [Point] {
        guard effects.contains(.late), fault.options == FaultOptions(),
            fault.effect == .reset || fault.effect == .finish,
            let map = outcome.map, let cut = positions.request(of: fault),
            positions.axis(of: fault)?.isMiddleOfBody(fault.address) == true
        else { return [] }
        let later = map.exchanges.filter {
            ($0.connection, $0.request) > (cut.connection, cut.request)
        }
        var places: [FaultAddress] = []
        if let probe = later.first(where: { $0.method == "HEAD" || $0.method == "GET" }) {
            places.append(FaultAddress(probe.sameMethod(in: map), .message(.up, .end, .end)))
        }
        if let append = later.first(where: { $0.sent.body > 0 }) {
            let target = append.sameMethod(in: map)
            places.append(FaultAddress(target, .message(.up, .head, .end)))
            places.append(FaultAddress(target, .message(.down, .end, .end)))
        }
        let middle = FaultAddress(fault.address.target, .message(.up, .body, .perMille(500)))
        return places.map { Point([Fault(middle, .late(Self.lateBytes, until: $0))]) }
    }

    private static let lateBytes: UInt64 = 1_000

    /// The final answer after an interim one says that nothing was done.
    ///
    /// A client that takes the interim one for the final one (RFC 9110 §15.2) is right by chance as long
    /// as the server does what it was asked for.
    private func refusedUploads(after fault: Fault, _ outcome: PointOutcome) -> [Point] {
        guard effects.contains(.status), fault.effect == .inject(InjectedMessage(103)),
            fault.options == FaultOptions(), outcome.ending.isSuccess,
            let exchange = positions.request(of: fault), exchange.sent.body > 0
        else { return [] }
        let end = FaultAddress(fault.address.target, .message(.up, .end, .end))
        return [Point([fault, Fault(end, .status(InjectedMessage(503)))])]
    }

    /// A page for a client that a redirection has led from its upload to a GET.
    ///
    /// Its status says nothing of the upload, of which no server knows. The page comes from linkcond, so that
    /// the outcome is not up to what the server has at this place.
    private func pages(after fault: Fault, _ outcome: PointOutcome) -> [Point] {
        guard case .status(let message) = fault.effect, [301, 302].contains(message.status),
            let upload = positions.request(of: fault), let map = outcome.map
        else { return [] }
        let fetches = map.exchanges.filter { $0.method == "GET" && $0.isAt(upload) }
        guard fetches.count > positions.count(where: { $0.method == "GET" && $0.isAt(upload) }),
            let first = fetches.first(where: {
                ($0.connection, $0.request) > (upload.connection, upload.request)
            }), !first.isStream
        else { return [] }
        let head = FaultAddress(first.pattern(.one(first.match)), .message(.up, .head, .end))
        return [Point([fault, Fault(head, .status(InjectedMessage(200, hasPage: true)))])]
    }
}

extension Effect {
    /// 503 with this field (RFC 9110 §15.6.4).
    static func unavailable(retryAfter text: String) -> Effect {
        .status(InjectedMessage(503, fields: [InjectedField("retry-after", .text(text))]))
    }
}

extension BoundaryMap.Exchange {
    /// Whether it asks for the place that another one asks for.
    fileprivate func isAt(_ other: BoundaryMap.Exchange) -> Bool {
        host == other.host && path == other.path
    }

    /// This one among the run's requests of its method, whatever their paths: those of uploads are
    /// generated.
    fileprivate func sameMethod(in map: BoundaryMap) -> FaultTarget {
        let before = map.exchanges.count {
            $0.method == method && ($0.connection, $0.request) <= (connection, request)
        }
        let pattern = RequestPattern(method: method, path: .every)
        return .matching(pattern, .one(UInt32(clamping: before)))
    }
}
