internal import LinkEngine

/// A prediction as JSON.
enum PlanJSON {
    static func value(_ prediction: Prediction, profile: String) -> JSONValue {
        let model = prediction.model
        return [
            "v": 1, "profile": .string(profile), "seed": .init(model.seed),
            "bytes": .init(model.bytes), "direction": .string(name(model.direction)),
            "connectionCount": .integer(Int64(model.connections)),
            "completionNanoseconds": nanoseconds(prediction.completion),
            "firstByteNanoseconds":
                nanoseconds(prediction.connections.compactMap(\.firstByte).min()),
            "goodputBitsPerSecond":
                prediction.goodputBitsPerSecond.map(JSONValue.unsigned) ?? .null,
            "stallThresholdNanoseconds": .integer(model.stallThreshold.nanoseconds),
            "connections": .array(prediction.connections.map(connection)),
            "throughput": [
                "binNanoseconds": .integer(prediction.throughput.binLength.nanoseconds),
                "bytes": .array(prediction.throughput.bytes.map(JSONValue.unsigned)),
            ],
            "packets": [
                "down": counts(prediction.packets.down), "up": counts(prediction.packets.up),
            ],
            "losses": .array(prediction.packets.losses.map(loss)),
            "stallCount": .init(prediction.stallCount),
            "stalls": .array(prediction.stalls.map(stall)),
        ]
    }

    static func name(_ direction: Direction) -> String { direction == .down ? "down" : "up" }

    private static func nanoseconds(_ instant: Instant?) -> JSONValue {
        instant.map { .integer($0.nanoseconds) } ?? .null
    }

    private static func connection(_ connection: Prediction.Connection) -> JSONValue {
        let (ending, at, fault): (String, Instant?, String?) =
            switch connection.ending {
            case .completed(let at): ("complete", at, nil)
            case .timedOut(let at): ("timed-out", at, nil)
            case .cut(let at, let fault): ("cut", at, fault)
            case .unfinished: ("unfinished", nil, nil)
            }
        return [
            "delivered": .init(connection.delivered), "ending": .string(ending),
            "endNanoseconds": nanoseconds(at), "fault": .init(fault),
            "firstByteNanoseconds": nanoseconds(connection.firstByte),
        ]
    }

    private static func counts(_ counts: PacketCensus.Counts) -> JSONValue {
        [
            "sent": .init(counts.sent), "lost": .init(counts.lost), "full": .init(counts.full),
            "outage": .init(counts.outage),
        ]
    }

    private static func loss(_ record: PacketRecord) -> JSONValue {
        [
            "atNanoseconds": .integer(record.enter.nanoseconds),
            "connection": .integer(Int64(record.stream.connection) + 1),
            "direction": .string(name(record.stream.direction)),
            "index": .init(record.index), "kind": .string(record.kind.rawValue),
            "offset": .integer(record.offset), "length": .init(record.length),
            "fate": .string(record.fate.rawValue),
        ]
    }

    private static func stall(_ stall: Prediction.Stall) -> JSONValue {
        [
            "connection": .integer(Int64(stall.connection) + 1),
            "beginNanoseconds": .integer(stall.begin.nanoseconds),
            "endNanoseconds": .integer(stall.end.nanoseconds),
        ]
    }
}
