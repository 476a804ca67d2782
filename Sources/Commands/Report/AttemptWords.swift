internal import Analysis
internal import Basics

/// What an attempt was, in a few words: kind, bytes, how it ended, and how long after a failure.
struct AttemptWords {
    private let attempt: Attempt
    private let gap: RetryGap?

    init(_ attempt: Attempt, gap: RetryGap?) {
        self.attempt = attempt
        self.gap = gap
    }

    var role: TextStyle.Role? {
        switch attempt.kind {
        case .restarted, .overlap, .gap: .warning
        default: attempt.hasFailed ? .bad : nil
        }
    }

    func text(width: Int) -> String {
        if width < 30 { return "\(kind) \(end)" }
        let bytes = attempt.bytes > 0 ? Figures.bytes(attempt.bytes) : ""
        var text =
            TextLayout.pad(kind, to: 14) + TextLayout.padLeft(bytes, to: 8) + "  \(end)"
        if width >= 40, let wait {
            text = TextLayout.pad(text, to: max(text.count + 2, width - wait.count)) + wait
        }
        return text
    }

    /// HEAD and the like by their method.
    var kind: String {
        attempt.kind == .probe && !attempt.method.isEmpty ? attempt.method : attempt.kind.rawValue
    }

    var end: String {
        guard let failure = attempt.failure else {
            if attempt.isLeftInSilence { return "silence" }
            guard attempt.endedNanoseconds != nil else { return "open" }
            return attempt.status.map(String.init) ?? "closed"
        }
        return switch failure.cause {
        case .cut(let by): "cut (\(by))"
        case .abandoned: "gave up"
        case .status(let status): "\(status)"
        case .turnedAway: "refused"
        }
    }

    /// `+80.0 ms`, the time since the failure that it answers.
    var wait: String? {
        gap.map { "+\(Figures.time(nanoseconds: Int64(clamping: $0.nanoseconds)))" }
    }
}
