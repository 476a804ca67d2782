internal import Basics

extension JournalRecord {
    /// A record about an exchange.
    fileprivate static func members(
        _ type: String,
        _ exchange: ExchangeID,
        _ own: JSONObject
    ) -> JSONObject {
        members(type, exchange.connection, request: exchange.ordinal, own)
    }
}

extension RequestReport {
    var object: JSONObject {
        JournalRecord.members(
            "req",
            exchange,
            [
                "method": .string(method), "target": .string(target),
                "framing": .string(framing.word), "length": framing.length.map { .number($0) },
                "head_bytes": .number(headBytes), "fields": fields.value,
                "racy": isRacy ? .bool(true) : nil, "http": isStream ? .string("2") : nil,
            ]
        )
    }
}

extension ResponseReport {
    var object: JSONObject {
        JournalRecord.members(
            interimOrdinal == nil ? "resp" : "interim",
            exchange,
            [
                "k": interimOrdinal.map { .number($0) }, "status": .number(status),
                "framing": interimOrdinal == nil ? .string(framing.word) : nil,
                "length": framing.length.map { .number($0) }, "head_bytes": .number(headBytes),
                "fields": fields.value, "by": isByFault ? .string("fault") : nil,
            ]
        )
    }
}

extension BodyReport {
    var object: JSONObject {
        JournalRecord.members(
            "body",
            exchange,
            [
                "dir": .string(side.rawValue), isExact ? "bytes" : "bytes_approx": .number(bytes),
                "complete": .bool(isComplete),
                "sha256": isExact ? digest.map { .string($0) } : nil,
                "first64k_sha256": isExact ? prefixDigest.map { .string($0) } : nil,
                "chunks": isExact && !chunkEdges.isEmpty
                    ? .array(chunkEdges.map { .number($0) }) : nil,
                "first_ns": firstByteAt.map { .number($0.nanoseconds) },
            ]
        )
    }
}

extension MessagesReport {
    var object: JSONObject {
        JournalRecord.members(
            "messages",
            exchange,
            [
                "dir": .string(side.rawValue), "kind": .string(kind.rawValue),
                isExact ? "count" : "count_approx": .number(count),
                isExact ? "partial" : "partial_approx": partialBytes > 0
                    ? .number(partialBytes) : nil,
                "whole": .bool(isWhole), "close": closeCode.map { .number($0) },
                isExact ? "last_id" : "last_id_approx": lastID.map { .string($0) },
                "retry": retryMilliseconds.map { .number($0) },
                "status": status.map { .number($0) },
                "pushback": pushbackMilliseconds.flatMap { $0 < 0 ? nil : .number($0) },
                "no_retry": pushbackMilliseconds ?? 0 < 0 ? .bool(true) : nil,
            ]
        )
    }
}

extension OpaqueReport {
    var object: JSONObject {
        JournalRecord.members(
            "opaque",
            connection,
            ["dir": .string(side.rawValue), "reason": .string(reason)]
        )
    }
}

extension ReportedFraming {
    fileprivate var word: String {
        switch self {
        case .none: "none"
        case .length: "length"
        case .chunked: "chunked"
        case .close: "close"
        }
    }

    fileprivate var length: UInt64? { if case .length(let length) = self { length } else { nil } }
}

extension ReportedFields {
    fileprivate var value: JSONValue {
        var object = JSONObject()
        for field in fields { object.append(field.name, .string(field.value)) }
        return .object(object)
    }
}
