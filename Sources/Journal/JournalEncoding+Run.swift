internal import Basics

extension OriginReport {
    var object: JSONObject {
        JournalRecord.members(
            "origin",
            nil,
            [
                "event": .string(event.rawValue), "resource": .string(resource),
                "offset": offset.map { .number($0) }, "sha256": digest.map { .string($0) },
            ]
        )
    }
}

extension CommandReport {
    var object: JSONObject {
        JournalRecord.members(
            "command",
            nil,
            [
                "exit": exitCode.map { .number($0) }, "signal": signal.map { .number($0) },
                "timed_out": isTimedOut ? .bool(true) : nil,
                "started_ns": .number(startedAt.nanoseconds),
            ],
            environment: ["argv": .array(arguments.map { .string($0) })]
        )
    }
}

extension VerdictReport {
    var object: JSONObject {
        JournalRecord.members(
            "verdict",
            nil,
            [
                "check": .string(check), "verdict": .string(verdict.rawValue),
                "limit": .string(limit), "reason": reason.isEmpty ? nil : .string(reason),
                "observed_approx": .string(observed),
                "lines_approx": .array(lines.map { .number($0) }),
            ]
        )
    }
}
