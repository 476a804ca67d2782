internal import Basics
internal import Faults
internal import LinkEngine
internal import Planning

/// A prediction as JSON.
enum PlanJSON {
    static func value(_ prediction: Prediction, profile: String) -> JSONValue {
        let model = prediction.model
        return [
            "v": 1, "profile": .string(profile), "seed": .number(model.seed),
            "bytes": .number(model.bytes), "direction": .string(name(model.direction)),
            "connectionCount": .number(model.connections), "isHTTP": .bool(model.http != nil),
            "completionNanoseconds": nanoseconds(prediction.completion),
            "firstByteNanoseconds":
                nanoseconds(prediction.connections.compactMap(\.firstByte).min()),
            "goodputBitsPerSecond":
                .optional(prediction.goodputBitsPerSecond),
            "stallThresholdNanoseconds": .number(model.stallThreshold.nanoseconds),
            "connections": .array(prediction.connections.map(connection)),
            "throughput": throughput(prediction.throughput),
            "packets": [
                "down": counts(prediction.packets.down), "up": counts(prediction.packets.up),
            ],
            "losses": .array(prediction.packets.losses.map(loss)),
            "stallCount": .number(prediction.stallCount),
            "stalls": .array(prediction.stalls.map(stall)),
            "neverReached": .array(prediction.neverReached.map(fault)),
            "notPredicted": .array(prediction.notPredicted.map { .string($0) }),
        ]
    }

    /// A fault that did not act, and why.
    static func fault(_ row: FaultLedger.Row) -> JSONValue {
        ["id": .string(row.id), "reason": .string("\(row.reason)")]
    }

    static func name(_ direction: Direction) -> String { direction == .down ? "down" : "up" }

    private static func nanoseconds(_ instant: Instant?) -> JSONValue {
        instant.map { .number($0.nanoseconds) } ?? .null
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
            "delivered": .number(connection.delivered), "ending": .string(ending),
            "endNanoseconds": nanoseconds(at), "fault": .optional(fault),
            "firstByteNanoseconds": nanoseconds(connection.firstByte),
        ]
    }

    static func throughput(_ series: ThroughputSeries) -> JSONValue {
        [
            "binNanoseconds": .number(series.binLength.nanoseconds),
            "bytes": .array(series.bytes.map { .number($0) }),
        ]
    }

    static func counts(_ counts: PacketCensus.Counts) -> JSONValue {
        [
            "sent": .number(counts.sent), "lost": .number(counts.lost),
            "full": .number(counts.full),
            "outage": .number(counts.outage),
        ]
    }

    private static func loss(_ record: PacketRecord) -> JSONValue {
        [
            "atNanoseconds": .number(record.enter.nanoseconds),
            "connection": .number(record.stream.connection + 1),
            "direction": .string(name(record.stream.direction)),
            "kind": .string(record.kind.rawValue), "number": .number(record.place.number),
            "resends": .number(record.place.resends),
            "offset": .number(record.offset), "length": .number(record.length),
            "fate": .string(record.fate.rawValue),
        ]
    }

    private static func stall(_ stall: Prediction.Stall) -> JSONValue {
        [
            "connection": .number(stall.connection + 1),
            "beginNanoseconds": .number(stall.begin.nanoseconds),
            "endNanoseconds": .number(stall.end.nanoseconds),
        ]
    }
}
