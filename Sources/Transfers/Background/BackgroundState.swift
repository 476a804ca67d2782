package import Basics

/// How a background transfer is, as its events and its worker tell.
package struct BackgroundState: Hashable, Sendable {
    package enum Condition: String, Hashable, Sendable {
        /// A worker is at it.
        case running
        /// A worker waits for the path or for a time.
        case waiting
        /// Stopped; it can go on.
        case paused
        case finished
        /// Failed; nothing can be resumed.
        case failed
        /// Failed; it can go on.
        case resumable
        /// The worker was killed, or the machine was restarted.
        case interrupted
    }

    package private(set) var condition = Condition.interrupted
    package private(set) var position: UInt64 = 0
    package private(set) var expected: UInt64?
    /// What it waits for, or how it failed.
    package private(set) var detail: String?
    private var hasEnded = false

    package init() {}

    /// From all events, the oldest first.
    package init(_ events: [JSONObject], isWorkerAlive: Bool) {
        for event in events { add(event) }
        if isWorkerAlive {
            if condition == .interrupted || hasEnded { condition = .running }
        } else if !hasEnded {
            condition = .interrupted
        }
    }

    private mutating func add(_ event: JSONObject) {
        guard case .string(let type)? = event["t"] else { return }
        switch type {
        case "started", "resumed":
            condition = .running
            detail = nil
            hasEnded = false
        case "progress":
            position = Self.number(event["received"] ?? event["acked"]) ?? position
            expected = Self.number(event["expected"]) ?? expected
        case "waiting":
            condition = .waiting
            detail = Self.text(event["reason"])
        case "retrying": detail = Self.text(event["reason"])
        case "finished":
            end(.finished, nil)
            position = Self.number(event["size"]) ?? position
            expected = position
        case "failed":
            let isResumable = take(resumeData: event)
            end(isResumable ? .resumable : .failed, Self.text(event["error"]))
        case "paused":
            let isResumable = take(resumeData: event)
            end(.paused, isResumable ? nil : "it will start over")
        default: break
        }
    }

    /// Whether there is something to go on from; notes how far it is.
    private mutating func take(resumeData event: JSONObject) -> Bool {
        guard case .object(let state)? = event["resumeData"] else { return false }
        position = Self.number(state["stored"] ?? state["acknowledged"]) ?? position
        return true
    }

    private mutating func end(_ condition: Condition, _ detail: String?) {
        self.condition = condition
        self.detail = detail
        hasEnded = true
    }

    private static func number(_ value: JSONValue?) -> UInt64? {
        guard case .integer(let number)? = value else { return nil }
        return UInt64(exactly: number)
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard case .string(let text)? = value else { return nil }
        return text
    }

    /// Whether a new worker can take it up.
    package var canResume: Bool {
        switch condition {
        case .paused, .resumable, .interrupted, .failed: true
        case .running, .waiting, .finished: false
        }
    }
}
