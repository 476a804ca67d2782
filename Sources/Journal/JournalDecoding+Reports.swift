internal import Basics

extension RunStart {
    init?(_ members: RecordMembers) {
        guard let tool = members.text("tool"), let command = members.text("command") else {
            return nil
        }
        self.init(
            tool: tool,
            command: command,
            seed: members.number("seed") ?? 0,
            schedule: members.text("schedule") ?? "",
            profile: members.text("profile") ?? "",
            profileDigest: members.text("profile_sha256") ?? "",
            environment: members.environment
        )
    }
}

extension ConnectionEnd {
    init?(_ members: RecordMembers, _ connection: ConnectionID) {
        guard let by = (members.text("by") ?? members.text("by_approx")).flatMap(Party.init),
            let how = (members.text("how") ?? members.text("how_approx")).flatMap(Manner.init)
        else {
            return nil
        }
        self.init(
            connection: connection,
            by: by,
            how: how,
            down: Delivered(members, "down"),
            up: Delivered(members, "up"),
            clientEndedAt: members.instant("client_end_ns")
        )
        lateStreams = members.number("late_streams") ?? 0
        if case .string(let address) = members.environment["server"] { server = address }
        isSealed = members.environment["tls"] == .bool(true)
        if case .integer(let count) = members.environment["early_bytes"] {
            earlyBytes = UInt64(clamping: count)
        }
        hasStreams = members.text("how_approx") != nil
    }
}

extension ConnectionEnd.Delivered {
    fileprivate init(_ members: RecordMembers, _ direction: String) {
        let (bytes, isExact) = members.count("\(direction)_bytes") ?? (0, false)
        self.init(
            bytes: bytes,
            isExact: isExact,
            digest: members.text(JSONKey("\(direction)_sha256"))
        )
    }
}

extension FaultReport {
    init?(_ members: RecordMembers) {
        guard let id = members.text("id"), let word = members.text("state"),
            let state = State(word, reason: members.text("reason"))
        else {
            return nil
        }
        self.init(
            connection: members.connection,
            request: members.number("r"),
            id: id,
            address: members.text("address") ?? "",
            effect: members.text("effect") ?? "",
            state: state,
            offset: members.number("offset"),
            isRacy: members.isTrue("racy"),
            isByHand: members.isTrue("by_hand")
        )
    }
}

extension FaultReport.State {
    fileprivate init?(_ word: String, reason: String?) {
        switch word {
        case "fired": self = .fired
        case "undelivered": self = .undelivered
        case "unreached": self = .unreached(reason: reason ?? "")
        default: return nil
        }
    }
}

extension RunEnd {
    init?(_ members: RecordMembers) {
        guard let exitCode: UInt8 = members.number("exit") else { return nil }
        self.init(
            exitCode: exitCode,
            verdict: members.text("verdict").flatMap(Verdict.init),
            digest: members.text("digest"),
            reproduction: members.environmentText("repeat"),
            unrepeated: members.environmentText("unrepeated")
        )
    }
}

extension OriginReport {
    init?(_ members: RecordMembers) {
        guard let event = members.text("event").flatMap(Event.init),
            let resource = members.text("resource")
        else {
            return nil
        }
        self.init(
            event,
            resource: resource,
            offset: members.number("offset"),
            digest: members.text("sha256")
        )
    }
}

extension CommandReport {
    init(_ members: RecordMembers) {
        var arguments: [String] = []
        if case .array(let values) = members.environment["argv"] {
            arguments = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        self.init(
            arguments,
            exitCode: members.number("exit"),
            signal: members.number("signal"),
            isTimedOut: members.isTrue("timed_out"),
            startedAt: members.instant("started_ns") ?? .start
        )
    }
}

extension VerdictReport {
    init?(_ members: RecordMembers) {
        guard let check = members.text("check"),
            let verdict = members.text("verdict").flatMap(Verdict.init)
        else {
            return nil
        }
        self.init(
            check: check,
            verdict,
            observed: members.text("observed_approx") ?? "",
            limit: members.text("limit") ?? "",
            lines: members.numbers("lines_approx"),
            reason: members.text("reason") ?? ""
        )
    }
}
