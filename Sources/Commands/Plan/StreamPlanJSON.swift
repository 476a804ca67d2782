internal import Basics
internal import LinkEngine
internal import Planning

/// A prediction of streams of datagrams as JSON.
enum StreamPlanJSON {
    static func value(_ prediction: StreamPrediction, profile: String) -> JSONValue {
        let model = prediction.model
        return [
            "v": 1, "profile": .string(profile), "seed": .number(model.seed),
            "bitsPerSecond": .number(model.rate.bitsPerSecond),
            "length": .number(model.length),
            "timeNanoseconds": .number(model.time.nanoseconds),
            "direction": .string(PlanJSON.name(model.direction)),
            "flows": .array(prediction.flows.map(flow)),
            "throughput": PlanJSON.throughput(prediction.throughput),
            "packets": PlanJSON.counts(prediction.packets[model.direction]),
            "losses": .array(prediction.packets.losses.map(loss)),
            "neverReached": .array(prediction.neverReached.map(PlanJSON.fault)),
            "notPredicted": .array(prediction.notPredicted.map { .string($0) }),
        ]
    }

    private static func flow(_ flow: StreamPrediction.Flow) -> JSONValue {
        [
            "sent": .number(flow.sent), "arrived": .number(flow.arrived),
            "lost": .number(flow.lost), "droppedByFaults": .number(flow.dropped),
            "duplicates": .number(flow.duplicates), "outOfOrder": .number(flow.late),
            "longestLossRun": .number(flow.longestLoss),
            "longestGapNanoseconds": .number(flow.longestGap.nanoseconds),
            "jitterNanoseconds": .number(flow.jitter.nanoseconds),
            "delayNanoseconds": .object(delays(flow)),
        ]
    }

    private static func delays(_ flow: StreamPrediction.Flow) -> JSONObject {
        var delays = JSONObject()
        for percent in RunStatistics.percentiles + [100] {
            delays.append(
                "p\(percent)",
                flow.delay(percentile: percent).map { .number($0.nanoseconds) } ?? .null
            )
        }
        return delays
    }

    private static func loss(_ loss: PacketRecord) -> JSONValue {
        [
            "flow": .number(loss.stream.connection - Stream.firstFlow + 1),
            "datagram": .number(loss.offset + 1),
            "fate": .string(loss.fate.rawValue),
            "enterNanoseconds": .number(loss.enter.nanoseconds),
        ]
    }
}
