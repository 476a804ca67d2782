internal import Analysis
internal import Basics
internal import Journal

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
        [messages, ending].compactMap(\.self).joined(separator: ", ")
    }

    /// What came inside, and the close frame's code; nil of other attempts.
    private var messages: String? {
        guard let received = attempt.receivedMessages else { return nil }
        let more = received.partialBytes > 0 ? " + \(Figures.bytes(received.partialBytes))" : ""
        guard received.kind != .event else {
            return Figures.count(Int(received.count), "event") + more
        }
        let code = received.closeCode ?? attempt.sentMessages?.closeCode
        return "\(received.count)\(more) down, \(attempt.sentMessages?.count ?? 0) up"
            + (code.map { ", close \($0)" } ?? "")
            + (received.status.map { ", status \($0)" } ?? "")
    }

    private var ending: String? {
        guard let failure = attempt.failure else {
            if attempt.isLeftInSilence { return "silence" }
            guard attempt.endedAt != nil else { return "open" }
            if attempt.receivedMessages != nil { return nil }
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
        gap.map { "+\(Figures.time($0.length))" }
    }
}
