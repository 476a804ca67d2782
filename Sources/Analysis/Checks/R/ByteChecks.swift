internal import HTTPWire
internal import Journal

// R1, R5, R6, R8: where attempts begin, and what they join.

extension CheckRow {
    static let ofBytes = [
        CheckRow(
            .r1,
            "bytes that arrived are not sent again",
            measure: "bytes sent again below the confirmed offset: none for an upload, up to"
                + " 64 KiB after each cut of a download",
            level: .note,
            finding: .waste,
            source: "RFC 9110, section 14"
        ) { $0.checkResentBytes() },
        CheckRow(
            .r5,
            "a continued download names the version it continues",
            measure: "by If-Range with the strong entity tag, otherwise with the date; a weak tag"
                + " fails",
            level: .note,
            finding: .protocol,
            source: "RFC 9110, section 13.1.5"
        ) { $0.checkValidators() },
        CheckRow(
            .r6,
            "a response that does not fit is not joined to earlier bytes",
            measure: "a 200, or a 206 for another place or version, although the rest was"
                + " requested",
            level: .error,
            finding: .corrupt,
            source: "RFC 9110, sections 14.4 and 15.3.7"
        ) { $0.checkUnfittingAnswers() },
        CheckRow(
            .r8,
            "offsets never decrease",
            measure: "for one resource, as the server reports them",
            level: .error,
            finding: .protocol,
            source: "draft-ietf-httpbis-resumable-upload; tus 1.0.0"
        ) { $0.checkOffsetsRise() },
    ]
}

extension CheckContext {
    func checkResentBytes() -> CheckResult {
        let results = interrupted.compactMap { transfer -> CheckResult? in
            guard transfer.kind != .plainUpload else { return nil }
            let cuts = UInt64(transfer.failures.count)
            let isUpload = transfer.kind == .resumableUpload
            let limit = isUpload ? 0 : evidence.maximumResentBytes * cuts
            let bytes = transfer.figures.resentAvoidable
            let again = transfer.attempts.filter { $0.kind == .restarted || $0.kind == .overlap }
            return CheckResult(
                .r1,
                bytes <= limit ? .pass : .fail,
                observed: bytes == 0
                    ? "nothing of \(transfer.name) sent again needlessly"
                    : "\(Words.bytes(bytes)) of \(transfer.name) sent again"
                        + (bytes <= limit ? ", which is within the allowance" : " needlessly"),
                limit: isUpload
                    ? "none for an upload"
                    : "\(Words.bytes(evidence.maximumResentBytes)) for each of "
                        + Words.count(cuts, "interruption"),
                reason: bytes <= limit ? "" : "resent",
                lines: again.map(\.line)
            )
        }
        if results.allSatisfy({ $0.verdict != .fail }), transcript.isPartlyOpaque {
            return CheckResult(
                .r1,
                .inconclusive,
                observed: "connections whose content is not known",
                limit: "",
                reason: "opaque"
            )
        }
        return .merged(results, else: skipped(.r1, "nothing was interrupted"))
    }

    func checkValidators() -> CheckResult {
        let limit = "If-Range with the strong entity tag, or with the date where there is no tag"
        let results = continuedDownloads.flatMap { transfer in
            transfer.attempts.enumerated().compactMap { place, attempt -> CheckResult? in
                guard let exchange = exchange(attempt),
                    attempt.carriesData || attempt.kind == .finish,
                    exchange.request.value.fields.rangeStart ?? 0 > 0, attempt.confirmedBefore > 0
                else {
                    return nil
                }
                let earlier = transfer.attempts[..<place]
                let judged = judgeValidator(exchange, earlier: earlier)
                return CheckResult(
                    .r5,
                    judged.verdict,
                    observed: judged.observed,
                    limit: limit,
                    reason: judged.reason,
                    lines: [exchange.request.line]
                )
            }
        }
        return .merged(results, else: skipped(.r5, "no download was continued", limit: limit))
    }

    /// Holds the conditions of a ranged GET to what the answers before it offered.
    private func judgeValidator(
        _ exchange: Exchange,
        earlier: ArraySlice<Attempt>
    ) -> (verdict: Verdict, observed: String, reason: String) {
        let fields = exchange.request.value.fields
        let last = earlier.reversed().lazy.compactMap { self.exchange($0)?.response }
            .first { $0.value.status == 200 || $0.value.status == 206 }
        let stored = last?.value.fields
        let tag = stored?.entityTag.flatMap { $0.isWeak ? nil : $0 }
        let date = stored?["last-modified"]
        if let condition = fields["if-range"] ?? fields["if-match"] {
            if condition.hasPrefix("W/") { return (.fail, "a weak entity tag", "weak-tag") }
            guard condition.hasPrefix("\"") else {
                if tag != nil {
                    return (.fail, "a date, although there is a tag", "date-despite-tag")
                }
                guard date != nil, condition != date else { return (.pass, "the date", "") }
                return (.fail, "another date than the stored one", "other-validator")
            }
            guard stored != nil, condition != tag?.text else {
                return (.pass, "the entity tag", "")
            }
            return (.fail, "another tag than the stored one", "other-validator")
        }
        if fields["if-unmodified-since"] != nil { return (.pass, "the date", "") }
        guard stored == nil || (tag == nil && date == nil) else {
            return (.fail, "the resumed request had no If-Range", "no-validator")
        }
        if wasTamperedWith, evidence.oracle == .matches {
            return (.pass, "no condition, but the result is right", "")
        }
        return (.inconclusive, "no condition, and none was offered", "none-offered")
    }

    func checkUnfittingAnswers() -> CheckResult {
        let unfitting = continuedDownloads.flatMap(\.attempts).compactMap { attempt in
            misfit(attempt).map { (attempt, $0) }
        }
        let limit = "the part that was there is not joined to such an answer"
        guard let (_, observed) = unfitting.first else {
            return skipped(.r6, "no answer failed to fit", limit: limit)
        }
        let lines = unfitting.map(\.0.line)
        // Whoever fails has not made a result of it.
        if claimsSuccess == false {
            return CheckResult(.r6, .pass, observed: observed, limit: limit, lines: lines)
        }
        switch evidence.oracle {
        case .matches:
            return CheckResult(.r6, .pass, observed: observed, limit: limit, lines: lines)
        case .differs(let words):
            return CheckResult(
                .r6,
                .fail,
                observed: "\(observed); the result: \(words)",
                limit: limit,
                reason: "joined",
                lines: lines
            )
        case .missing, .beginning, .unknown:
            return CheckResult(
                .r6,
                .inconclusive,
                observed: observed,
                limit: limit,
                reason: "no-oracle",
                lines: lines
            )
        }
    }

    /// Why the answer to a request for the rest is not the rest; nil if it is.
    private func misfit(_ attempt: Attempt) -> String? {
        guard attempt.confirmedBefore > 0, let exchange = exchange(attempt),
            let asked = exchange.request.value.fields.rangeStart, asked > 0
        else {
            return nil
        }
        let question = "bytes from \(asked) on were asked for"
        switch attempt.status {
        case 200: return "\(question), a 200 from byte 0 came"
        case 206:
            guard case .part(let range, _) = exchange.response?.value.fields.contentRange else {
                return "\(question), a 206 without a place came"
            }
            if range.lowerBound != asked {
                return "\(question), a 206 from byte \(range.lowerBound) came"
            }
            return attempt.isOtherVersion ? "\(question), a 206 of another version came" : nil
        default: return nil
        }
    }

    func checkOffsetsRise() -> CheckResult {
        let limit = "the offsets of one upload never fall"
        let results = resumableUploads.compactMap { transfer -> CheckResult? in
            var highest: [Int: Attempt.LearntOffset] = [:]
            var count = 0
            for attempt in transfer.attempts {
                for learnt in attempt.learntOffsets {
                    count += 1
                    if let before = highest[learnt.resource], learnt.offset < before.offset {
                        return CheckResult(
                            .r8,
                            wasTamperedWith ? .inconclusive : .fail,
                            observed: "\(learnt.offset) after \(before.offset)",
                            limit: limit,
                            reason: wasTamperedWith ? "lost-on-purpose" : "fell",
                            lines: [before.line, learnt.line]
                        )
                    }
                    highest[learnt.resource] = learnt
                }
            }
            guard count > 1 else { return nil }
            return CheckResult(
                .r8,
                .pass,
                observed: Words.count(count, "offset"),
                limit: limit
            )
        }
        return .merged(results, else: skipped(.r8, "fewer than two offsets", limit: limit))
    }
}
