internal import Basics
internal import Faults
internal import HTTP2
internal import LinkEngine

/// An effect at one place of an exchange.
struct FaultForm {
    let anchor: Anchor
    let effect: Effect
    var options = FaultOptions()

    init(_ anchor: Anchor, _ effect: Effect, _ options: FaultOptions = FaultOptions()) {
        self.anchor = anchor
        self.effect = effect
        self.options = options
    }
}

extension Anchor {
    /// Once the whole head of a request has passed.
    fileprivate static let requestHead = Anchor.message(.up, .head, .end)
    fileprivate static let requestEnd = Anchor.message(.up, .end, .end)
    fileprivate static let requestMiddle = Anchor.message(.up, .body, .perMille(500))
}

extension Effect.Kind {
    /// The forms of an effect that acts on a message as a whole, for one exchange.
    func forms(in exchange: BoundaryMap.Exchange) -> [FaultForm] {
        let hasUpload = exchange.sent.body > 0
        switch self {
        case .swallow: return Self.lostAnswers(exchange)
        case .status:
            let redirections = Self.redirections(exchange)
            let late =
                hasUpload
                ? [InjectedMessage(503)] + redirections + Self.detours(exchange) : []
            let atOnce = Self.answers + Self.errorPages(exchange) + redirections
            return atOnce.map { FaultForm(.requestHead, .status($0)) }
                + late.map { FaultForm(.requestEnd, .status($0)) }
        case .inject: return Self.interims.map { FaultForm(.requestHead, .inject($0)) }
        case .early where hasUpload:
            return [FaultForm(.requestHead, .early(InjectedMessage(503)))]
        case .truncate where exchange.isUndeclared:
            return [FaultForm(.message(.down, .body, .fromStart(.at(1))), .truncate)]
        case .finish: return Self.chunkCuts(exchange)
        // The client knows that its request failed, the server does not.
        case .hole where hasUpload:
            let halfOpen = FaultOptions(far: .rst)
            return [FaultForm(.requestMiddle, .hole(both: false, for: nil), halfOpen)]
        case .withhold: return exchange.interims.map { FaultForm($0.anchor, .withhold) }
        // Who talks in messages may wait for an answer to half a request.
        case .buffer where exchange.messages == nil:
            let isSmall = exchange.sent.body <= Self.mostBuffered
            let received = exchange.received?.body ?? 0
            return (hasUpload && isSmall ? [FaultForm(.whole, .buffer(.up))] : [])
                + (2...Self.mostBuffered ~= received ? [FaultForm(.whole, .buffer(.down))] : [])
        case .duplicate: return exchange.interims.map { FaultForm($0.anchor, .duplicate) }
        case .crash where hasUpload: return Self.crashes(exchange)
        case .resetStream where exchange.isStream:
            return Self.codes.map { FaultForm(.requestHead, .resetStream($0)) }
        case .goAway where exchange.isStream:
            let begun = exchange.received.map { $0.body > 1 } ?? false
            let after = Anchor.message(.down, .body, .fromStart(.at(1)))
            return [FaultForm(.requestHead, .goAway(.none, takesThis: false))]
                + (begun ? [FaultForm(after, .goAway(.none, takesThis: true))] : [])
        case .settings where exchange.isStream:
            return Self.settings(hasUpload).map { FaultForm(.requestHead, .settings([$0])) }
        case .withholdWindow where exchange.isStream && hasUpload:
            return [FaultForm(.requestHead, .withholdWindow(ofConnection: false))]
        case .malformed where exchange.isStream && exchange.request == 1:
            return MalformedFrame.allCases.map { FaultForm(.requestHead, .malformed($0)) }
        default: return []
        }
    }

    private static func settings(_ hasUpload: Bool) -> [Effect.AnnouncedSetting] {
        [.init(.maximumStreams, 0), .init(.headerTable, 0)]
            + (hasUpload ? [.init(.initialWindow, 0)] : [])
    }

    /// An answer that is lost whole, or of which a part came; a half-open connection instead of its end.
    private static func lostAnswers(_ exchange: BoundaryMap.Exchange) -> [FaultForm] {
        var kept: [Effect.KeptAnswer] = [.none, .head]
        if exchange.received.map({ $0.body > 1 }) ?? false { kept.append(.half) }
        if !exchange.interims.isEmpty { kept.append(.interim) }
        return kept.flatMap { keep in
            [Effect.NearEnding.rst, .fin].map {
                FaultForm(.requestEnd, .swallow(keep: keep, ending: $0))
            }
        }
    }

    /// Cuts in the framing of chunks: in the lines with their sizes, and before what ends the last one
    /// (RFC 9112 §7.1).
    private static func chunkCuts(_ exchange: BoundaryMap.Exchange) -> [FaultForm] {
        guard let received = exchange.received, received.framing == .chunked, !exchange.isStream
        else { return [] }
        let chunks = min(received.chunkEdges.count + (received.body > 0 ? 1 : 0), 2)
        let lines = (0..<chunks).map { Anchor.Part.size(UInt32($0) + 1) }
        let inLines = lines.flatMap { line in
            [.fromStart(.at(1)), .fromEnd(2)].map { Anchor.message(.down, line, $0) }
        }
        let inLast = [.fromStart(.at(1)), .fromStart(.at(3)), Anchor.PartOffset.fromEnd(2)].map {
            Anchor.message(.down, .last, $0)
        }
        return (inLines + inLast).map { FaultForm($0, .finish) }
    }

    /// What a client should repeat, and what it need not.
    private static let codes: [ErrorCode] = [.refusedStream, .internalError]

    private static let answers =
        [503, 429, 500, 502, 504, 408, 421, 425].map { InjectedMessage($0) }
        + [.text("1"), .text("0"), .date(after: 2), .date(after: -60), .text("soon")].map {
            InjectedMessage(503, fields: [InjectedField("retry-after", $0)])
        }
        + [400, 401, 403, 404, 409, 410, 413, 423, 507].map { InjectedMessage($0) }
        + [cutPage]

    /// Errors as servers tell people of them: a client that stores what comes before it looks at the status
    /// has a page in place of content.
    private static func errorPages(_ exchange: BoundaryMap.Exchange) -> [InjectedMessage] {
        guard exchange.method == "GET", !exchange.isStream else { return [] }
        return [503, 404].map { InjectedMessage($0, hasPage: true) }
    }

    /// The connection ends before the page of an error comes.
    private static let cutPage = InjectedMessage(
        503,
        fields: [InjectedField("content-length", .text("9"))],
        closes: true
    )

    /// A redirection to the same place, with the same method and content (RFC 9110 §15.4.8): a client that
    /// follows it succeeds.
    private static func redirections(_ exchange: BoundaryMap.Exchange) -> [InjectedMessage] {
        exchange.hasQuery ? [] : [InjectedMessage(307, fields: [location(exchange)])]
    }

    /// Redirections after which many clients ask with GET, and some without the content (RFC 9110 §15.4.2,
    /// §15.4.3): so servers send them to the page for users whose session has expired.
    ///
    /// Not 303, which says that the answer to what was sent is there (§15.4.4). A client that is answered so
    /// without any fault rightly takes it for success.
    private static func detours(_ exchange: BoundaryMap.Exchange) -> [InjectedMessage] {
        guard ["POST", "PUT", "PATCH"].contains(exchange.method), !exchange.hasQuery,
            !exchange.path.contains("*"), !(300..<400).contains(exchange.status)
        else { return [] }
        return [302, 301].map { InjectedMessage($0, fields: [location(exchange)]) }
    }

    private static func location(_ exchange: BoundaryMap.Exchange) -> InjectedField {
        InjectedField("location", .text(exchange.path))
    }

    /// The longest message that is kept until it is whole, in HTTP/2: a longer one passes.
    private static let mostBuffered: UInt64 = 1_048_576

    /// Interim responses that nobody asked for, one of them unknown (RFC 9110 §15.2).
    private static let interims = [102, 103, 104, 199].map { InjectedMessage($0) }

    private static func crashes(_ exchange: BoundaryMap.Exchange) -> [FaultForm] {
        let losses: [Effect.CrashLoss] = [.none, .uncommitted, .tail(1_000), .meta, .all]
        let crashes = losses.map { FaultForm(.requestMiddle, .crash($0)) }
        // Only a client that knows where its upload is can resume it.
        guard exchange.interims.contains(where: { $0.status == 104 }) else { return crashes }
        let isTold = FaultOptions(see: .interim(104))
        return crashes + [FaultForm(.requestMiddle, .crash(.none), isTold)]
    }

    /// What is tried when a connection is accepted: on the first try or two, and on all of them.
    var connectForms: (few: [Effect], all: Effect)? {
        switch self {
        case .refuse: ([.refuse(1), .refuse(2)], .refuse(1))
        case .silent: ([.silent(1), .silent(2)], .silent(1_000))
        default: nil
        }
    }

    /// The forms of an effect that the origin has on an object.
    var originForms: [Effect] {
        switch self {
        case .mutate: Effect.ObjectMutation.allCases.map(Effect.mutate)
        // What is passed off as the whole, nobody can tell from it.
        case .range:
            Effect.RangeMisbehaviour.examples.filter { $0 != .partialAs200 }.map(Effect.range)
        case .expire: [.expire]
        default: []
        }
    }

    /// Where repeated faults of this effect act, and what they do there.
    ///
    /// Relative to the message of each try, whose length may differ.
    func repeatedForms(in exchange: BoundaryMap.Exchange) -> [FaultForm] {
        switch self {
        case .swallow: [FaultForm(.requestEnd, .lostAnswer)]
        case .status: [FaultForm(.requestHead, .status(InjectedMessage(503)))]
        case .resetStream where exchange.isStream:
            [FaultForm(.requestHead, .resetStream(.refusedStream))]
        case .finish, .reset:
            byteEffect.map { effect in
                exchange.repeatAnchors.map { FaultForm($0, effect) }
            } ?? []
        default: []
        }
    }
}

extension Effect {
    fileprivate static let lostAnswer = Effect.swallow(keep: .none, ending: .rst)
}

extension BoundaryMap.Interim {
    fileprivate var anchor: Anchor { .interim(status: Int(status), ordinal: ordinal, .end) }
}

extension BoundaryMap.Exchange {
    /// Whether nothing declares how long the response's body is before it ends.
    fileprivate var isUndeclared: Bool {
        guard let received else { return false }
        return received.body > 1 && (received.framing == .chunked || received.framing == .close)
    }

    fileprivate var repeatAnchors: [Anchor] {
        Self.repeatAnchors(.up, sent)
            + (received.map { Self.repeatAnchors(.down, $0) } ?? [])
    }

    private static func repeatAnchors(
        _ direction: Direction,
        _ message: BoundaryMap.Message
    ) -> [Anchor] {
        var anchors = [Anchor.message(direction, .head, .fromStart(.at(0)))]
        guard message.body > 0 else { return anchors }
        anchors.append(.message(direction, .body, .fromStart(.at(1))))
        if message.framing == .length { anchors.append(.message(direction, .body, .perMille(500))) }
        return anchors
    }
}
