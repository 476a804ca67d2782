internal import Basics
internal import Journal

// Q4 and Q5: QUIC connections whose packets were opened.
extension CheckContext {
    func checkNewPaths() -> CheckResult {
        let limit = "PATH_CHALLENGE in one of the first \(NewPath.patience) packets, and its answer"
        let moved = transcript.flows.filter { $0.isQUIC && $0.hasMoved }
        guard !moved.isEmpty else { return skipped(.q4, "no QUIC flow moved", limit: limit) }
        guard moved.contains(where: { !$0.packets.isEmpty }) else {
            return skipped(.q4, "the secrets are not known", limit: limit)
        }
        let paths = moved.filter(\.isOpened).flatMap(\.newPaths)
        for path in paths {
            guard let (reason, words, line) = path.mistake else { continue }
            return CheckResult(
                .q4,
                .fail,
                observed: words,
                limit: limit,
                reason: reason,
                lines: [line]
            )
        }
        let validated = paths.filter(\.isValidated)
        guard !validated.isEmpty else {
            let reason = paths.isEmpty ? "some packets were not opened" : "too few packets"
            return skipped(.q4, reason, limit: limit)
        }
        let observed = Words.count(validated.count, "new path") + " validated"
        return CheckResult(.q4, .pass, observed: observed, limit: limit)
    }

    func checkIdleTimes() -> CheckResult {
        let limit = "nothing but a close after the idle time"
        var judged = 0
        for flow in transcript.flows where !flow.packets.isEmpty {
            guard let idle = flow.idleNanoseconds else { continue }
            judged += 1
            guard let packet = flow.lateUse(idle) else { continue }
            let end = packet.value.direction == .up ? "client" : "server"
            return CheckResult(
                .q5,
                .fail,
                observed:
                    "the \(end) sent on after \(Words.time(packet.value.silenceNanoseconds ?? 0))",
                limit: "\(limit) of \(Words.time(idle))",
                reason: "outlives-idle-time",
                lines: [packet.line]
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

    /// Its paths after the first one, those on which the server sent something.
    fileprivate var newPaths: [NewPath] {
        let sent = packets.sorted {
            ($0.value.cameNanoseconds, $0.line) < ($1.value.cameNanoseconds, $1.line)
        }
        let server = sent.filter { $0.value.direction == .down }
        let client = sent.filter { $0.value.direction == .up }
        return Set(server.map(\.value.path)).subtracting([0]).sorted().map { path in
            NewPath(
                server: server.filter { $0.value.path == path },
                everything: server,
                client: client.filter { $0.value.path >= path }
            )
        }
    }

    /// The shorter of both ends' idle times; nil if none is known.
    fileprivate var idleNanoseconds: UInt64? {
        let server = packets.lazy.compactMap(\.value.idleMilliseconds).first { $0 > 0 }
        return [clientIdleMilliseconds, server].compactMap(\.self).min().map {
            $0.multipliedReportingOverflow(by: 1_000_000)
        }.flatMap { $0.overflow ? nil : $0.partialValue }
    }

    /// The first packet with which an end that should have given the connection up goes on.
    ///
    /// It has at least three probe timeouts (RFC 9000 §10.1), which grow with each probe. They are not
    /// seen; none is taken to be longer than twice the longest silence that was no mistake, or a second.
    fileprivate func lateUse(_ idle: UInt64) -> Timed<QUICPacketReport>? {
        var longest: [Direction: UInt64] = [:]
        let sent = packets.sorted {
            ($0.value.cameNanoseconds, $0.line) < ($1.value.cameNanoseconds, $1.line)
        }
        for packet in sent where packet.value.type == "1rtt" {
            guard let silence = packet.value.silenceNanoseconds else { continue }
            let earlier = longest[packet.value.direction] ?? 0
            let probe = max(1_000_000_000, 2 * min(earlier, idle))
            if silence > idle, silence - idle > 3 * probe, !packet.value.isClosing { return packet }
            longest[packet.value.direction] = max(earlier, silence)
        }
        return nil
    }
}

/// What both ends sent after the client had come from another address.
private struct NewPath {
    /// The server's packets that came on it, in their order.
    let server: [Timed<QUICPacketReport>]
    /// And those on all paths.
    let everything: [Timed<QUICPacketReport>]
    /// The client's packets from then on.
    let client: [Timed<QUICPacketReport>]

    /// How many packets a server may send first: those that were ready to go.
    static let patience = 10
    /// How many packets a client may send first, after it has acknowledged what it has to answer.
    private static let patienceForAnswer = 3

    private var challenges: [(data: String, packet: Timed<QUICPacketReport>)] {
        server.flatMap { packet in packet.value.values("path_challenge").map { ($0, packet) } }
    }

    private var answers: Set<String> { Set(client.flatMap { $0.value.values("path_response") }) }

    var isValidated: Bool { challenges.contains { answers.contains($0.data) } }

    /// What is wrong: a reason, words and a line; nil for nothing.
    var mistake: (reason: String, words: String, line: Int)? {
        let first = server.prefix(Self.patience)
        if server.count > Self.patience,
            !first.contains(where: { !$0.value.values("path_challenge").isEmpty })
        {
            let words =
                "no PATH_CHALLENGE in \(Words.count(first.count, "packet")) to a new address"
            return ("no-challenge", words, first[0].line)
        }
        let known = Set(everything.flatMap { $0.value.values("path_challenge") })
        for packet in client {
            for data in packet.value.values("path_response") where !known.contains(data) {
                return ("wrong-response", "PATH_RESPONSE \(data) answers nothing", packet.line)
            }
        }
        guard !isValidated, let open = challenges.first(where: { isIgnored($0.packet.value) })
        else {
            return nil
        }
        return ("no-response", "PATH_CHALLENGE \(open.data) is not answered", open.packet.line)
    }

    /// Whether the client has acknowledged a packet and then sent others.
    private func isIgnored(_ packet: QUICPacketReport) -> Bool {
        guard let place = client.firstIndex(where: { $0.value.acknowledges(packet.number) }) else {
            return false
        }
        let further = client[place...].dropFirst().filter { !$0.value.isClosing }
        return further.count > Self.patienceForAnswer
    }
}

extension QUICPacketReport {
    /// What stands after the name of its frames of a type.
    fileprivate func values(_ name: String) -> [String] {
        frames.filter { $0.utf8.starts(with: "\(name)=".utf8) }
            .map { String($0.dropFirst(name.utf8.count + 1)) }
    }

    /// Whether it ends the connection.
    fileprivate var isClosing: Bool {
        !values("connection_close").isEmpty || !values("application_close").isEmpty
    }

    /// Whether the first range of its ACK has a number.
    fileprivate func acknowledges(_ number: UInt64) -> Bool {
        values("ack").contains { text in
            let ends = text.split(separator: "-").compactMap { UInt64($0) }
            guard let first = ends.first, let last = ends.last, first <= last else { return false }
            return (first...last).contains(number)
        }
    }
}
