internal import Basics
internal import Journal

// Q4, Q5: QUIC connections whose packets were opened.

extension CheckRow {
    static let ofQUIC = [
        CheckRow(
            .q4,
            "a new path of a QUIC connection is validated",
            measure: "after rebind, once the handshake is confirmed, one of the server's first 10"
                + " packets carries PATH_CHALLENGE, and the client answers with the same bytes;"
                + " needs --quic-secrets",
            level: .note,
            finding: .protocol,
            source: "RFC 9000, sections 8.2 and 9.3"
        ) { $0.checkNewPaths() },
        CheckRow(
            .q5,
            "a QUIC connection is not used after its idle time",
            measure: "the shorter of the two idle times, plus three probe timeouts; a packet that"
                + " closes it is fine; needs --quic-secrets",
            level: .note,
            finding: .protocol,
            isOfTimes: true,
            source: "RFC 9000, section 10.1"
        ) { $0.checkIdleTimes() },
    ]
}

extension CheckContext {
    func checkNewPaths() -> CheckResult {
        let limit = "PATH_CHALLENGE in one of the first \(NewPath.patience) packets, and its answer"
        let moved = transcript.flows.filter { $0.isQUIC && $0.hasMoved }
        guard !moved.isEmpty else { return skipped(.q4, "no QUIC flow moved", limit: limit) }
        guard moved.contains(where: { !$0.packets.isEmpty }) else {
            return skipped(.q4, "the secrets are not known", limit: limit)
        }
        let opened = moved.filter(\.isOpened)
        guard !opened.isEmpty else {
            return skipped(.q4, "some packets were not opened", limit: limit)
        }
        let read = opened.map { $0.readPackets() }.filter { !$0.contains(where: \.isCut) }
        guard !read.isEmpty else {
            return skipped(.q4, "some packets have frames that are not known", limit: limit)
        }
        return checkNewPaths(read.map(PathReading.init), limit: limit)
    }

    private func checkNewPaths(_ readings: [PathReading], limit: String) -> CheckResult {
        if let mistake = readings.lazy.compactMap(\.mistake).first {
            return CheckResult(
                .q4,
                .fail,
                observed: mistake.words,
                limit: limit,
                reason: mistake.reason,
                lines: [mistake.line]
            )
        }
        let paths = readings.flatMap(\.paths)
        let validated = paths.count { $0.isValidated }
        guard validated > 0 else {
            let reason =
                if paths.contains(where: { $0.serverPackets > 0 }) {
                    "too few packets"
                } else if paths.isEmpty, readings.contains(where: \.hasEarlyPath) {
                    "no address changed after the handshake was confirmed"
                } else {
                    "the server sent nothing to a new address"
                }
            return skipped(.q4, reason, limit: limit)
        }
        let observed = Words.count(validated, "new path") + " validated"
        return CheckResult(.q4, .pass, observed: observed, limit: limit)
    }

    func checkIdleTimes() -> CheckResult {
        let limit = "nothing but a close after the idle time"
        var judged = 0
        for flow in transcript.flows where !flow.packets.isEmpty {
            var reading = IdleReading(client: flow.clientIdleMilliseconds)
            let late = flow.readPackets().first { reading.isLate($0) }
            guard reading.hasIdleTime else { continue }
            judged += 1
            guard let late, let idle = reading.idleTime else { continue }
            let end = late.direction == .up ? "client" : "server"
            return CheckResult(
                .q5,
                .fail,
                observed: "the \(end) sent on after \(Words.time(late.silence))",
                limit: "\(limit) of \(Words.time(idle))",
                reason: "outlives-idle-time",
                lines: [late.line]
            )
        }
        guard judged > 0 else {
            return skipped(
                .q5,
                "the secrets are not known, or no end has an idle time",
                limit: limit
            )
        }
        return CheckResult(.q5, .pass, observed: Words.count(judged, "connection"), limit: limit)
    }
}

extension FlowTrace {
    fileprivate var hasMoved: Bool {
        faults.contains { $0.value.isFired && $0.value.effect.utf8.starts(with: "rebind".utf8) }
    }

    /// Whether every packet was opened, so that nothing that was sent is unknown.
    fileprivate var isOpened: Bool {
        guard let end = end?.value, !packets.isEmpty else { return false }
        return end.up.unopened == 0 && end.down.unopened == 0
    }

    /// Its packets in the order in which they came.
    fileprivate func readPackets() -> [ReadPacket] {
        packets.sorted {
            ($0.value.cameAt, $0.line) < ($1.value.cameAt, $1.line)
        }
        .map(ReadPacket.init)
    }
}
