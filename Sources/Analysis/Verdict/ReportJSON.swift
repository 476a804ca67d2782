package import Basics
package import Journal

// What reports say for programs, alike in files and over the control API.

extension Transfer {
    package var document: JSONValue {
        [
            "kind": .string(kind.rawValue), "target": .string(target), "bytes": .optional(size),
            "complete": .bool(isComplete), "tries": .number(tryCount),
            "payloadBytes": .number(figures.payload), "wireBytes": .number(figures.wire),
            "resentAvoidableBytes": .number(figures.resentAvoidable),
            "resentForcedBytes": .number(figures.resentForced),
            "abandonedBytes": .number(figures.abandoned),
            "gapNanoseconds": .array(gaps.map { .number($0.length.nanoseconds) }),
            "attempts": .array(attempts.map(\.document)),
        ]
    }
}

extension Attempt {
    fileprivate var document: JSONValue {
        [
            "kind": .string(kind.rawValue), "connection": .number(connection.ordinal),
            "listener": .number(connection.listener), "request": .optional(exchange?.ordinal),
            "method": .string(method), "target": .string(target), "status": .optional(status),
            "start": .number(start), "bytes": .number(bytes),
            "resentBytes": .number(resentBytes), "confirmedBefore": .number(confirmedBefore),
            "offsetsTold": .array(learntOffsets.map { .number($0.offset) }),
            "beganNanoseconds": .number(beganAt.nanoseconds),
            "endedNanoseconds": .optional(endedAt?.nanoseconds),
            "failure": .optional(failure?.words), "line": .number(line),
            "lastLine": .number(lastLine),
        ]
    }
}

extension CheckResult {
    package var document: JSONValue {
        [
            "check": .string(check.rawValue), "title": .string(check.title),
            "advisory": .bool(check.isAdvisory), "verdict": .string(verdict.rawValue),
            "observed": .string(observed), "limit": .string(limit), "reason": .string(reason),
            "lines": .array(lines.map { .number($0) }),
        ]
    }
}

extension Finding {
    package var document: JSONValue {
        [
            "class": .string(kind.rawValue), "words": .string(words),
            "check": .optional(check?.rawValue), "lines": .array(lines.map { .number($0) }),
        ]
    }
}

extension Timed where Value == LiveChange {
    package var document: JSONValue { .object(members) }

    var members: JSONObject {
        [
            "atNanoseconds": .number(at.elapsed(since: .start).nanoseconds),
            "line": .number(line), "action": .string(value.action),
            "by": .optional(value.by?.rawValue), "words": .string(value.words),
            "detail": .object(value.detail), "path": value.path?.document ?? .null,
            "connections": .number(value.connections),
        ]
    }
}

extension PathReport {
    package var document: JSONValue {
        [
            "interface": .string(interface), "expensive": .bool(isExpensive),
            "constrained": .bool(isConstrained), "satisfied": .bool(isSatisfied),
        ]
    }
}
