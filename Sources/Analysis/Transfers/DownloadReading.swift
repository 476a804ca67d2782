internal import Basics
internal import HTTPWire
internal import Journal

/// Follows a download, exchange by exchange.
struct DownloadReading {
    private(set) var transfer: Transfer
    private var version: Version?
    /// Bytes that were there before the run, as the first request says.
    private var base: UInt64 = 0
    private var lastFailed = false
    private var refusesRanges = false
    /// Whether the server gave another part than the one asked for, which no client can use.
    private var gaveOtherPart = false
    private var hasData = false
    /// When the last of the attempts that carry data ends.
    private var latestEnd = Instant.start

    /// What tells one state of an object from another.
    private struct Version {
        var tag: EntityTag?
        var modified: String?
        var total: UInt64?

        /// Whether a client can ask to go on only if nothing changed.
        var isStrong: Bool { tag.map { !$0.isWeak } ?? (modified != nil) }

        func differs(from other: Version) -> Bool {
            if let total, let theirs = other.total, total != theirs { return true }
            if let tag, let theirs = other.tag { return tag != theirs }
            if let modified, let theirs = other.modified { return modified != theirs }
            return false
        }
    }

    init(target: String) { transfer = Transfer(kind: .download, target: target) }

    /// Whether a plain GET would begin another download: this one is through, or in full flow.
    func isClosed(to exchange: Exchange) -> Bool {
        if transfer.isComplete && exchange.request.value.fields["range"] == nil { return true }
        guard exchange.request.value.fields["range"] == nil, exchange.method == "GET" else {
            return false
        }
        return latestEnd > exchange.beganAt
    }

    /// Whether a request asks for just what is missing of this one, nothing of which is on its way.
    func brokeOff(where exchange: Exchange) -> Bool {
        guard let asked = exchange.request.value.fields.rangeStart, asked > 0 else { return false }
        return !transfer.isComplete && transfer.coverage.prefixEnd == asked
            && latestEnd <= exchange.beganAt
    }

    mutating func add(_ exchange: Exchange, _ transcript: Transcript) {
        var attempt = Attempt(exchange, transcript)
        attempt.confirmedBefore = transfer.coverage.prefixEnd
        let status = exchange.status ?? 0
        switch (exchange.method, status) {
        case ("HEAD", _), (_, 300..<400), (_, 401), (_, 407): attempt.kind = .probe
        case (_, 416): attempt.kind = .finish
        default: read(exchange, into: &attempt)
        }
        if exchange.method == "HEAD", status == 200 { remember(exchange, start: 0) }
        lastFailed = attempt.hasFailed || (lastFailed && !attempt.carriesData)
        if attempt.carriesData {
            hasData = true
            let end = attempt.isLeftInSilence ? .start : attempt.endedAt ?? .never
            latestEnd = max(latestEnd, end)
        }
        transfer.attempts.append(attempt)
    }

    private mutating func read(_ exchange: Exchange, into attempt: inout Attempt) {
        let hasContent = exchange.status == 200 || exchange.status == 206
        let asked = exchange.request.value.fields.rangeStart
        attempt.start = start(of: exchange) ?? asked ?? 0
        let isOtherPart =
            exchange.status == 206 && asked != nil && start(of: exchange) != asked
        gaveOtherPart = gaveOtherPart || isOtherPart
        if !hasData, let asked, asked > 0 {
            base = asked
            transfer.coverage.insert(0..<asked)
            attempt.confirmedBefore = asked
            lastFailed = true
        }
        attempt.isOtherVersion = hasContent && isOtherVersion(exchange, start: attempt.start)
        attempt.kind = kind(of: attempt, asked: asked)
        if attempt.receivedMessages?.kind == .webSocket {
            transfer.isComplete = exchange.isAnswered
        }
        guard hasContent else { return }
        if attempt.isOtherVersion { transfer.coverage = Coverage() }
        remember(exchange, start: attempt.start)
        count(exchange, &attempt, isAvoidable: !isOtherPart)
    }

    private mutating func count(
        _ exchange: Exchange,
        _ attempt: inout Attempt,
        isAvoidable: Bool
    ) {
        attempt.bytes = exchange.receivedBytes
        attempt.resentBytes = transfer.coverage.count(in: attempt.range)
        let before = transfer.coverage.count
        transfer.coverage.insert(attempt.range)
        attempt.progressBytes = transfer.coverage.count - before
        transfer.figures.wire.add(attempt.bytes)
        transfer.figures.payload = transfer.coverage.count - transfer.coverage.count(in: 0..<base)
        switch attempt.kind {
        case .restarted where isAvoidable, .overlap where isAvoidable:
            transfer.figures.resentAvoidable.add(attempt.resentBytes)
        case .forcedRestart, .restarted, .overlap:
            transfer.figures.resentForced.add(attempt.resentBytes)
        default: break
        }
        transfer.isComplete =
            transfer.size.map { transfer.coverage.contains(0..<$0) }
            ?? (exchange.status == 200 && exchange.isAnswered)
    }

    /// Where the content of an answer belongs; nil without content.
    private func start(of exchange: Exchange) -> UInt64? {
        switch exchange.status {
        case 200: return 0
        case 206:
            if case .part(let range, _) = exchange.response?.value.fields.contentRange {
                return UInt64(clamping: range.lowerBound).bounded
            }
            return nil
        default: return nil
        }
    }

    private func kind(of attempt: Attempt, asked: UInt64?) -> Attempt.Kind {
        let confirmed = attempt.confirmedBefore
        if attempt.start == confirmed {
            return confirmed == 0 ? .first : lastFailed ? .resumed : .next
        }
        if attempt.start > confirmed { return lastFailed && !isBusy(attempt) ? .gap : .next }
        guard attempt.start == 0 else { return .overlap }
        let wantedToResume = asked.map { $0 > 0 } ?? false
        let couldResume = version?.isStrong ?? false
        return wantedToResume || attempt.isOtherVersion || !couldResume || refusesRanges
            || gaveOtherPart
            ? .forcedRestart : .restarted
    }

    /// Whether another part was on its way when this one began.
    private func isBusy(_ attempt: Attempt) -> Bool { latestEnd > attempt.beganAt }

    private func isOtherVersion(_ exchange: Exchange, start: UInt64) -> Bool {
        guard let version, let now = Self.version(exchange) else { return false }
        return now.differs(from: version)
    }

    private mutating func remember(_ exchange: Exchange, start: UInt64) {
        guard let fields = exchange.response?.value.fields else { return }
        version = Self.version(exchange)
        transfer.size = version?.total ?? transfer.size
        refusesRanges = fields["accept-ranges"] == "none"
    }

    private static func version(_ exchange: Exchange) -> Version? {
        guard let fields = exchange.response?.value.fields else { return nil }
        var total = fields["content-encoding"] == nil ? fields.contentLength : nil
        if exchange.status == 206 {
            total = nil
            if case .part(_, of: let length?) = fields.contentRange {
                total = UInt64(clamping: length).bounded
            }
        }
        return Version(tag: fields.entityTag, modified: fields["last-modified"], total: total)
    }

    /// The download as it is at the end of the journal.
    func concluded() -> Transfer {
        var transfer = transfer
        if transfer.size == nil || base > 0 { return transfer }
        // Whoever asked for a part has all once that part is there.
        let data = transfer.attempts.filter(\.carriesData)
        if !transfer.isComplete, !lastFailed, !data.isEmpty, data.allSatisfy({ $0.failure == nil })
        {
            transfer.isComplete = data.allSatisfy { $0.status == 206 && $0.endedAt != nil }
        }
        return transfer
    }
}
