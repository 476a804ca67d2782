internal import Basics
internal import Analysis
internal import Faults

/// What keeps well-known programs from a failure, where an option of theirs does.
enum ClientAdvice {
    /// - Parameters:
    ///   - cause: how and why the command fails.
    ///   - manner: how it comes about.
    ///   - points: all faults that make it fail so.
    ///   - command: its words.
    ///   - retriesElsewhere: whether it was seen to retry after other failures.
    /// - Returns: a sentence without a full stop; nil if nothing is known.
    static func remedy(
        _ cause: FindingCause,
        _ manner: Finding.Manner,
        after points: [Point],
        _ command: [String],
        retriesElsewhere: Bool
    ) -> String? {
        let families = Set(points.flatMap(\.families))
        if cause.sign.kind == .giveup, families == [.interim] {
            return "an interim response (1xx) is not the final one: a client waits for that, and"
                + " ignores interim ones that it does not know (RFC 9110 §15.2)"
        }
        if cause.sign.isWithoutRetry, !cause.isOfFailure { return nil }
        if case .repeated = manner {
            return "let it make more attempts; --accept giveup accepts this and every other giveup"
        }
        if cause.sign.isWithoutRetry {
            if families == [.answer] { return repetition(command) }
            return retry(command, retriesElsewhere: retriesElsewhere)
        }
        if cause.isOfRedirection, cause.sign.isFalseSuccess { return redirection(command) }
        if cause.isOfAnswer, cause.sign.isFalseSuccess { return errors(command) }
        guard cause.sign.kind == .hang else { return nil }
        if families == [.answer] { return patience(command) }
        let faults = points.flatMap(\.faults)
        return limit(
            command,
            forConnections: faults.contains(where: \.mayBeBeforeRequests),
            forTransfers: !faults.allSatisfy(\.isBeforeRequests)
        )
    }

    private static func errors(_ command: [String]) -> String? {
        guard program(command) == "curl", !hasFlag("f", "--fail", command) else { return nil }
        return "curl takes the page of an HTTP error for the result; --fail makes it an error"
    }

    private static func redirection(_ command: [String]) -> String? {
        guard program(command) == "curl", !hasFlag("L", "--location", command) else { return nil }
        return "curl does not follow redirections, and takes them for success; -L follows them"
    }

    /// Of a command that repeats what is cut, but no answer.
    private static func repetition(_ command: [String]) -> String {
        switch program(command) {
        case "curl": retry(command, retriesElsewhere: true)
        case "wget" where !has("--retry-on-http-error", command):
            "wget repeats no answer; --retry-on-http-error=429,500,502,503,504 changes that"
        default:
            "the command does not retry after these statuses; if it has an option for that, use it"
        }
    }

    private static func retry(_ command: [String], retriesElsewhere: Bool) -> String {
        switch program(command) {
        case "curl" where !has("--retry", command):
            "curl makes one attempt; let it retry with --retry 3 --retry-all-errors"
        case "curl" where !has("--retry-all-errors", command):
            "--retry alone repeats timeouts and a few statuses; add --retry-all-errors"
        case _ where retriesElsewhere:
            "the command retries after other failures; let it retry here, too"
        default:
            "the command makes one attempt; if it has an option for retries, use it and explore again"
        }
    }

    /// What ends the wait that an answer asks for.
    private static func patience(_ command: [String]) -> String? {
        guard program(command) == "curl", !has("--retry-max-time", command) else { return nil }
        return "curl waits as Retry-After says, without end if that lies in the past;"
            + " --retry-max-time 60 sets a limit"
    }

    /// What ends a hang.
    ///
    /// - Parameters:
    ///   - command: its words.
    ///   - connections: whether it hangs while a name is looked up or a connection made.
    ///   - transfers: whether it hangs after that.
    /// - Returns: a sentence without a full stop; nil if nothing is known.
    private static func limit(
        _ command: [String],
        forConnections connections: Bool,
        forTransfers transfers: Bool
    ) -> String? {
        switch program(command) {
        case "curl" where !hasAny(["--max-time", "-m"], command):
            curlLimit(
                forConnections: connections && !has("--connect-timeout", command),
                forTransfers: transfers
                    && !hasAny(["--speed-time", "-y", "--speed-limit", "-Y"], command)
            )
        case "wget" where !hasAny(["--timeout", "-T"], command):
            if transfers, !has("--read-timeout", command) {
                "wget waits 15 minutes for data; --timeout=30 shortens that"
            } else if connections {
                "wget leaves it to the system how long this takes; --timeout=30 sets a limit"
            } else {
                nil
            }
        case "git" where transfers && !command.contains(where: { $0.contains("lowSpeed") }):
            "git waits forever; -c http.lowSpeedLimit=1 -c http.lowSpeedTime=30 ends that"
        default: nil
        }
    }

    private static func curlLimit(
        forConnections connections: Bool,
        forTransfers transfers: Bool
    ) -> String? {
        switch (connections, transfers) {
        case (true, false):
            "curl waits 300 s for a name and a connection; --connect-timeout 10 shortens that"
        case (false, true):
            "curl waits forever; --speed-limit 1 --speed-time 30 ends a stalled transfer"
        case (true, true):
            "curl waits 300 s for a connection and forever for data; --connect-timeout 10"
                + " --speed-limit 1 --speed-time 30 end both"
        case (false, false): nil
        }
    }

    /// The name of the program, which an interpreter or `env` may hide.
    private static func program(_ command: [String]) -> String {
        command.first?.split(separator: "/").last.map(String.init) ?? ""
    }

    private static func has(_ option: String, _ command: [String]) -> Bool {
        command.contains { $0 == option || $0.hasPrefix("\(option)=") }
    }

    /// Whether a flag is there by its letter, also among others, or by a beginning of its name.
    private static func hasFlag(_ letter: Character, _ name: String, _ command: [String]) -> Bool {
        command.contains {
            $0.hasPrefix(name) || $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains(letter)
        }
    }

    private static func hasAny(_ options: [String], _ command: [String]) -> Bool {
        options.contains { option in
            has(option, command)
                || !option.hasPrefix("--") && command.contains { $0.hasPrefix(option) }
        }
    }
}

extension Fault {
    /// Whether it acts before a client can send its first request.
    fileprivate var isBeforeRequests: Bool {
        if effect.kind == .query { return true }
        return address.anchor == .tls(.hello) || address.anchor == .tls(.handshake)
    }

    /// A connection that is never answered was accepted: a client sends its request, but for TLS.
    fileprivate var mayBeBeforeRequests: Bool { isBeforeRequests || address.anchor == .connect }
}
