internal import Analysis

/// What two runs without faults say together.
struct BaselineReading {
    let problem: BaselineProblem?
    let map: BoundaryMap?
    private(set) var summary: BaselineSummary?
    /// What other runs are compared with; nil if oracles say what is right, or nobody can.
    let expected: RunResult?

    init(_ outcomes: [PointOutcome], _ settings: CampaignSettings) {
        problem = outcomes.lazy.compactMap(Self.problem).first
        let maps = outcomes.compactMap(\.map)
        guard problem == nil, let first = maps.first else {
            map = nil
            summary = nil
            expected = nil
            return
        }
        let general = BoundaryMap.general(first, maps.dropFirst())
        let isStable = maps.dropFirst().allSatisfy { map in
            var other = map.generalised(by: first)
            // How many datagrams there are is up to timing; that there are flows is not.
            if other.flows.count == general.flows.count { other.flows = general.flows }
            // So is how often a resolver asks, and for what.
            other.lookups = general.lookups
            return other == general
        }
        map = general
        let isJudged = outcomes.allSatisfy { $0.content == .right }
        let results = Set(outcomes.map { ($0.result ?? RunResult()).essence })
        expected = results.count == 1 && !isJudged ? results.first { !$0.isEmpty } : nil
        // As the runner has it, which compares with the object that the last of them asked for.
        let object = settings.objectsChange ? outcomes.last?.result?.object : nil
        let failed = outcomes.flatMap {
            $0.failedChecks.map(\.name) + $0.advice.map(\.check.rawValue)
        }
        let ignored = Set(failed).sorted()
        summary = BaselineSummary(
            base: general.base,
            isStable: isStable,
            exchanges: general.exchanges.map(\.line) + general.lookups.map(\.line),
            ignoredChecks: ignored,
            oracle: isJudged ? .given : expected.map(Self.oracle) ?? .none,
            digest: object == nil ? expected?.file?.digest : nil,
            object: expected?.file == nil ? nil : object,
            uploads: expected?.uploads.compactMap(\.digest) ?? [],
            milliseconds: outcomes.map(\.milliseconds).max() ?? 0
        )
        summary?.refusal = general.exchanges.last?.refusal
        summary?.alteration = expected?.file.flatMap(general.alteration)
    }

    private static func oracle(_ expected: RunResult) -> BaselineSummary.Oracle {
        expected.uploads.isEmpty ? .file : .uploads
    }

    private static func problem(_ outcome: PointOutcome) -> BaselineProblem? {
        if let reason = outcome.unreachable { return .unreachable(reason: reason) }
        if let trouble = outcome.troubles.first { return .failed(reason: trouble) }
        if let escape = outcome.escape { return .failed(reason: escape) }
        let said = outcome.lastWords.map { ": \($0)" } ?? ""
        switch outcome.ending {
        case .exited(0): break
        case .deadline:
            if let disturbance = outcome.disturbance { return .disturbed(reason: disturbance) }
            return .failed(reason: "it is still running at the deadline\(said)")
        case let ending: return .failed(reason: "it ends with \(ending.text)\(said)")
        }
        if let flaw = flaw(outcome.content) {
            let found = outcome.oracleWords.map { "; \($0)" } ?? ""
            return .failed(reason: "exit 0, but \(flaw)\(found)")
        }
        guard let map = outcome.map, !map.isEmpty else { return .noTraffic }
        if let missed = outcome.missed.first { return .failed(reason: missed) }
        return nil
    }
}

extension BaselineReading {
    private static func flaw(_ content: PointOutcome.Content) -> String? {
        switch content {
        case .right, .unknown: nil
        case .wrong: "the content is not the expected one"
        case .partial: "the result is incomplete"
        case .missing: "there is no result to check"
        case .denied: "the check of the server fails"
        }
    }
}

extension BoundaryMap {
    /// What equal runs have in common, as `base` in a schedule says it; nil for no run.
    package static func base(of maps: [BoundaryMap]) -> UInt64? {
        guard let first = maps.first else { return nil }
        return UInt64(general(first, maps.dropFirst()).base, radix: 16)
    }

    /// What a run has in common with others.
    fileprivate static func general(
        _ first: BoundaryMap,
        _ others: some Sequence<BoundaryMap>
    ) -> BoundaryMap {
        var general = others.reduce(first) { $0.generalised(by: $1) }
        // A lookup that not every run makes would not be reached.
        for other in others { general.lookups.removeAll { !other.lookups.contains($0) } }
        return general
    }

    /// This map with a `*` in each path where the other map has another name at the same place.
    ///
    /// Servers give uploads new addresses in every run.
    func generalised(by other: BoundaryMap) -> BoundaryMap {
        guard exchanges.count == other.exchanges.count else { return self }
        var result = self
        for index in exchanges.indices where exchanges[index].path != other.exchanges[index].path {
            result.exchanges[index].path = Self.pattern(
                exchanges[index].path,
                other.exchanges[index].path
            )
        }
        var seen: [String: UInt32] = [:]
        for index in result.exchanges.indices {
            let exchange = result.exchanges[index]
            let count = seen["\(exchange.method) \(exchange.place)", default: 0] + 1
            seen["\(exchange.method) \(exchange.place)"] = count
            result.exchanges[index].match = count
        }
        return result
    }

    /// What two paths have in common up to a slash, and a `*`.
    private static func pattern(_ a: String, _ b: String) -> String {
        let common = zip(a, b).prefix { $0 == $1 }.map(\.0)
        let end = common.lastIndex(of: "/").map { $0 + 1 } ?? 0
        return String(common[..<end]) + "*"
    }
}

extension BoundaryMap {
    /// As in `99999 bytes, the answer to GET /a 100000`; nil if the only answer is as long as the file, or
    /// no one can tell.
    fileprivate func alteration(_ file: RunResult.Content) -> String? {
        guard exchanges.count == 1, let exchange = exchanges.first, exchange.status == 200,
            let content = exchange.received, content.framing == .length, content.body != file.bytes
        else { return nil }
        return "\(file.bytes) bytes, the answer to \(exchange.method) \(exchange.place)"
            + " \(content.body)"
    }
}

extension BoundaryMap.Lookup {
    /// As in `lookup A(api.test)#1`.
    fileprivate var line: String { "lookup \(type)(\(name))#\(ordinal)" }
}

extension BoundaryMap.Exchange {
    /// As in `404 for GET /nope`; nil if it was not answered with an error.
    fileprivate var refusal: String? {
        received != nil && status >= 400 ? "\(status) for \(method) \(place)" : nil
    }

    /// As in `c1/r1 GET /a: 121 B, then 200 with 150 + 1500 B`.
    fileprivate var line: String {
        let request = "c\(connection)/r\(self.request) \(method) \(place)"
        let sent = "\(self.sent.head) + \(self.sent.body) B"
        guard let received else { return "\(request): \(sent), no answer" }
        let interims = self.interims.map { "\($0.status), " }.joined()
        return "\(request): \(sent); \(interims)\(status): \(received.head) + \(received.body) B"
    }
}
