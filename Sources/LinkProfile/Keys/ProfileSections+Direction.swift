import Basics
import LinkEngine
internal import YAML

// One direction of a link.
extension ProfileSections {
    /// Of a link and of its directions.
    static let linkHints = [
        "latency": "write 'delay' (one way) or 'rtt' (both ways)",
        "bandwidth": "write 'rate'", "speed": "write 'rate'", "throughput": "write 'rate'",
        "plr": "write 'loss'", "packet-loss": "write 'loss'",
        "buffer": "write 'queue'", "limit": "write 'queue'",
        "ping": "write 'rtt' under 'link'",
    ]

    static let delay = SectionKey<PathDraft>(
        "delay",
        .time,
        \.settings.delay,
        help: "one way; \(ProfileLimits.delayText)"
    )

    static let direction = ProfileSection<PathDraft>(
        name: "",
        what: "a direction",
        hints: linkHints.merging(
            ["rtt": "a direction has a 'delay' (one way); 'rtt' stands under 'link'"]
        ) { $1 },
        keys: [
            SectionKey(
                "rate",
                .rateOrNone,
                optional: \.rate,
                slot: "capacity",
                help: "\(Quantity.readable(ProfileLimits.rate.lowerBound)) to "
                    + "\(Quantity.readable(ProfileLimits.rate.upperBound)), or unlimited"
            ),
            SectionKey(
                "trace",
                .trace,
                optional: \.trace,
                slot: "capacity",
                help: "delivery times instead of a rate: a file in mahimahi's format"
            ),
            delay,
            SectionKey(
                "jitter",
                .jitter,
                \.settings.jitter,
                help: "none, {uniform: 3ms}, {normal: 3ms} or {pareto: 3ms}"
            ),
            SectionKey(
                "loss",
                .loss,
                \.settings.loss,
                help: "none, 0% to 100%, or in bursts: {burst: {loss: 2%, mean: 4packets}}"
            ),
            SectionKey(
                "queue",
                .queue,
                \.settings.queue,
                help: "auto, \(PacketCount.text(ProfileLimits.queuePackets.lowerBound)) to "
                    + "\(PacketCount.text(ProfileLimits.queuePackets.upperBound)), or a size, as"
                    + " 64KiB"
            ),
            SectionKey(
                "outages",
                .outages,
                \.settings.outages,
                help: "none, or [{at: 10s, for: 2s}]"
            ),
        ]
    )
}

extension ValueForm<PathDraft.Rate> {
    fileprivate static var rateOrNone: ValueForm {
        ValueForm(
            placeholder: "RATE",
            schema: ProfileJSONSchema.text("a rate, as 50Mbit/s, or unlimited"),
            read: { node, diagnostics in
                if node.value == .scalar("unlimited") { return .unlimited }
                return diagnostics.rate(node).map { .limited($0) }
            },
            text: { if case .limited(let rate) = $0 { Quantity.text(rate) } else { "unlimited" } },
            readable: {
                if case .limited(let rate) = $0 { Quantity.readable(rate) } else { "unlimited" }
            }
        )
    }
}

extension ValueForm<PathDraft.Trace> {
    fileprivate static var trace: ValueForm {
        ValueForm(
            placeholder: "FILE",
            isStructured: true,
            schema: ProfileJSONSchema.either(
                ProfileJSONSchema.text("a file in mahimahi's format"),
                ["type": "object"]
            ),
            read: { node, diagnostics in
                diagnostics.trace(node).map { PathDraft.Trace(source: $0, place: node.place) }
            },
            text: { traceText($0.source) },
            readable: { traceText($0.source) }
        )
    }
}

extension ValueForm<Jitter> {
    fileprivate static var jitter: ValueForm {
        ValueForm(
            placeholder: "VALUE",
            isStructured: true,
            schema: ProfileJSONSchema.either(
                ProfileJSONSchema.words(["none"]),
                ["type": "object", "maxProperties": 1]
            ),
            read: { $1.jitter($0) },
            text: { jitterText($0) },
            readable: { jitterText($0) }
        )
    }
}

extension ValueForm<LossModel> {
    fileprivate static var loss: ValueForm {
        ValueForm(
            placeholder: "VALUE",
            isStructured: true,
            schema: ProfileJSONSchema.either(
                ProfileJSONSchema.text("none or a share, as 1%"),
                ["type": "object", "maxProperties": 1]
            ),
            read: { $1.loss($0) },
            text: { lossText($0) },
            readable: { lossText($0) }
        )
    }
}

extension ValueForm<QueueLimit> {
    fileprivate static var queue: ValueForm {
        ValueForm(
            placeholder: "VALUE",
            schema: ProfileJSONSchema.text("auto, 50packets or 64KiB"),
            read: { $1.queue($0) },
            text: { queueText($0) },
            readable: { queueText($0) }
        )
    }
}

extension ValueForm<Outages> {
    fileprivate static var outages: ValueForm {
        ValueForm(
            placeholder: "VALUE",
            isStructured: true,
            schema: ProfileJSONSchema.either(
                ProfileJSONSchema.words(["none"]),
                ["type": "array"],
                ["type": "object"]
            ),
            read: { $1.outages($0) },
            text: { outagesText($0) },
            readable: { outagesText($0) }
        )
    }
}
