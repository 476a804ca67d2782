package import Basics

extension JournalRecord {
    /// Version of the journal's form, the `v` of each record.
    package static let version = 1

    /// This record as one line of a journal, its line feed included.
    ///
    /// - Parameters:
    ///   - sequence: order among all records of the run, from 0.
    ///   - time: on the journal's clock, which starts with the run.
    /// - Returns: JSON in UTF-8.
    package func line(sequence: UInt64, at time: Instant) -> [UInt8] {
        var object = object
        object.append("n_approx", .number(sequence))
        object.append("at_ns", .number(time.nanoseconds))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        object.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// The members of this record, but for order and time.
    package var object: JSONObject {
        switch self {
        case .start(let start): start.object
        case .connection(let id, let environment):
            Self.members("conn", id, [:], environment: environment)
        case .connectionEnd(let end): end.object
        case .flow(let id, let environment):
            Self.members("flow", id, [:], environment: environment)
        case .flowEnd(let end): end.object
        case .quic(let id, let report): Self.members("quic", id, report.object)
        case .quicPacket(let report): report.object
        case .datagram(let report): report.object
        case .fault(let report): report.object
        case .draw(let id, let stream, let index, let value):
            Self.members(
                "draw",
                id,
                ["stream": .string(stream), "index": .number(index), "value": .number(value)]
            )
        case .path(let id, let path):
            Self.members(
                "path",
                id,
                [
                    "interface": .string(path.interface), "expensive": .bool(path.isExpensive),
                    "constrained": .bool(path.isConstrained),
                    "unsatisfied": path.isSatisfied ? nil : .bool(true),
                ]
            )
        case .budget(let limit, let bytes, let rate):
            Self.members(
                "budget",
                nil,
                [
                    "limit": .string(limit.rawValue), "bytes": .number(bytes),
                    "bps": rate.map { .number($0) },
                ]
            )
        case .upstream(let id, let trouble, let words):
            Self.members(
                "upstream",
                id,
                ["error": .string(trouble.rawValue)],
                environment: ["words": .string(words)]
            )
        case .note(let id, let text): Self.members("note", id, ["text": .string(text)])
        case .change(let report): report.object
        case .trouble(let kind, let words):
            Self.members(
                "internal",
                nil,
                ["kind": .string(kind.rawValue), "text": .string(words)]
            )
        case .request(let report): report.object
        case .response(let report): report.object
        case .body(let report): report.object
        case .messages(let report): report.object
        case .opaque(let report): report.object
        case .dns(let report, let environment): report.object(environment)
        case .origin(let report): report.object
        case .command(let report): report.object
        case .verdict(let report): report.object
        case .end(let end): end.object
        }
    }

    /// A record's members with what all records share in front, `env` last.
    static func members(
        _ type: String,
        _ connection: ConnectionID?,
        request: UInt32? = nil,
        _ own: JSONObject,
        environment: JSONObject = [:]
    ) -> JSONObject {
        var object: JSONObject = ["v": .number(version), "t": .string(type)]
        if let connection {
            if connection.listener != 1 { object.append("l", .number(connection.listener)) }
            object.append(connection.isFlow ? "u" : "c", .number(connection.ordinal))
        }
        if let request { object.append("r", .number(request)) }
        for member in own.members { object.append(member.key, member.value) }
        if !environment.isEmpty { object.append("env", .object(environment)) }
        return object
    }
}

extension RunStart {
    fileprivate var object: JSONObject {
        JournalRecord.members(
            "start",
            nil,
            [
                "tool": .string(tool), "command": .string(command), "seed": .number(seed),
                "schedule": .string(schedule), "profile": .string(profile),
                "profile_sha256": .string(profileDigest),
            ],
            environment: environment
        )
    }
}

extension ConnectionEnd {
    fileprivate var object: JSONObject {
        let isOwn = by == .client || by == .upstream
        let isUpToTiming = isOwn && hasStreams && (how == .fin || how == .rst)
        let isOrderly = isOwn && how == .fin || isUpToTiming
        return JournalRecord.members(
            "connend",
            connection,
            [
                isOrderly ? "by_approx" : "by": .string(by.rawValue),
                isUpToTiming ? "how_approx" : "how": .string(how.rawValue),
                down.isExact ? "down_bytes" : "down_bytes_approx": .number(down.bytes),
                up.isExact ? "up_bytes" : "up_bytes_approx": .number(up.bytes),
                "down_sha256": down.exactDigest, "up_sha256": up.exactDigest,
                "client_end_ns": clientEndedAt.map { .number($0.nanoseconds) },
                "late_streams": lateStreams > 0 ? .number(lateStreams) : nil,
            ],
            environment: environment
        )
    }

    private var environment: JSONObject {
        [
            "server": server.map { .string($0) }, "tls": isSealed ? true : nil,
            "early_bytes": earlyBytes > 0 ? .number(earlyBytes) : nil,
        ]
    }
}

extension ConnectionEnd.Delivered {
    fileprivate var exactDigest: JSONValue? { isExact ? digest.map { .string($0) } : nil }
}

extension FaultReport {
    fileprivate var object: JSONObject {
        JournalRecord.members(
            "fault",
            connection,
            request: request,
            [
                "id": .string(id), "address": .string(address), "effect": .string(effect),
                "state": .string(state.word), "reason": state.reason.map { .string($0) },
                "offset": offset.map { .number($0) }, "racy": isRacy ? .bool(true) : nil,
                "by_hand": isByHand ? .bool(true) : nil,
            ]
        )
    }
}

extension FaultReport.State {
    fileprivate var word: String {
        switch self {
        case .fired: "fired"
        case .undelivered: "undelivered"
        case .unreached: "unreached"
        }
    }

    fileprivate var reason: String? {
        if case .unreached(let reason) = self { reason } else { nil }
    }
}

extension RunEnd {
    fileprivate var object: JSONObject {
        JournalRecord.members(
            "end",
            nil,
            [
                "exit": .number(exitCode), "verdict": verdict.map { .string($0.rawValue) },
                "digest": digest.map { .string($0) },
            ],
            environment: [
                "repeat": reproduction.map { .string($0) },
                "unrepeated": unrepeated.map { .string($0) },
            ]
        )
    }
}
