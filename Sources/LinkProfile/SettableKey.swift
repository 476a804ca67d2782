import Basics
import LinkEngine

/// One thing in a profile that `key=value` can change, with its value as it is now.
package struct SettableKey: Hashable, Sendable {
    /// As the user types it: a parameter's name, `delay`, `down.rate`.
    package let key: String
    /// As the user could type it; nil if nothing is set.
    package let value: String?
    /// Stands for the value where there is none, as `SIZE` in `budget.soft=SIZE`.
    package let placeholder: String
    /// What it is, with units and range.
    package let help: String
    /// The words that it takes, if it takes nothing else.
    package var words: [String] = []
    /// Whether it is a choice that this profile offers, not one that all have.
    package let isParameter: Bool
}

extension Profile {
    /// Everything that can be set, in the order of the profile format, parameters first.
    ///
    /// What is equal in both directions has one key; `down.` or `up.` before it sets one direction.
    package var settableKeys: [SettableKey] {
        let own = parameters.map { parameter in
            SettableKey(
                key: parameter.name,
                value: parameter.value,
                placeholder: "VALUE",
                help: parameter.help.isEmpty
                    ? parameter.allowed : "\(parameter.help); \(parameter.allowed)",
                isParameter: true
            )
        }
        return own + PathKey.allCases.flatMap(pathKeys) + linkKeys + policyKeys
    }

    private func pathKeys(_ key: PathKey) -> [SettableKey] {
        let down = link.down.value(of: key, traces.down)
        let up = link.up.value(of: key, traces.up)
        // A parameter of this name goes first, so the key alone would not mean both directions.
        let isTaken = parameters.contains { $0.name == key.rawValue }
        let rows =
            down == up && !isTaken
            ? [(key.rawValue, down)]
            : [("down.\(key.rawValue)", down), ("up.\(key.rawValue)", up)]
        return rows.map { name, value in
            .general(name, value, key.placeholder, key.help)
        }
    }

    private var linkKeys: [SettableKey] {
        let roundTrip = Quantity.readable(link.down.delay + link.up.delay)
        return [
            .general("rtt", roundTrip, "TIME", "both ways, half of it each way, instead of delay"),
            .general(
                "tcp.behaviour",
                ProfileWords.behaviour,
                link.tcp.behaviour,
                "the sender's algorithms"
            ),
            .general(
                "tcp.congestion",
                ProfileWords.congestion,
                link.tcp.congestionControl,
                "its window"
            ),
            .general(
                "tcp.handshake",
                ProfileWords.yesOrNo,
                link.tcp.handshake,
                "whether opening costs a round trip"
            ),
            .general(
                "address",
                ProfileWords.indexing,
                link.indexing,
                "what random decisions are indexed by"
            ),
            .general(
                "cross-traffic.flows",
                String(link.crossTraffic?.flows ?? 0),
                "NUMBER",
                "further TCP connections that share the link; 0 to \(ProfileLimits.crossFlows)"
            ),
            .general(
                "cross-traffic.direction",
                link.crossTraffic.map { ProfileWords.direction.word(for: $0.direction) },
                "WORD",
                "the direction in which they send: down or up",
                ProfileWords.direction.words
            ),
        ]
    }

    private var policyKeys: [SettableKey] {
        let soft = budget?.softLimitBytes.map(byteCountText)
        let hard = budget?.hardLimitBytes.map(byteCountText)
        return [
            .general(
                "path.interface",
                ProfileWords.interface,
                path.interface,
                "the interface that is reported"
            ),
            .general(
                "path.expensive",
                ProfileWords.yesOrNo,
                path.isExpensive,
                "reported as costing money"
            ),
            .general(
                "path.constrained",
                ProfileWords.yesOrNo,
                path.isConstrained,
                "reported as Low Data Mode"
            ),
            .general(
                "path.on-demand",
                path.onDemand.map { Quantity.readable($0) },
                "TIME",
                "the path comes up this long after the first connection asks for it"
            ),
            .general("budget.soft", soft, "SIZE", "payload bytes after which the rate falls"),
            .general(
                "budget.then",
                budget?.rateAfterSoftLimit.map { Quantity.readable($0) },
                "RATE",
                "the rate from there on"
            ),
            .general("budget.hard", hard, "SIZE", "payload bytes after which nothing passes"),
            .general(
                "budget.at-hard",
                budget?.hardLimitBytes == nil
                    ? nil : budget.map { ProfileWords.atHardLimit.word(for: $0.atHardLimit) },
                "WORD",
                "what happens there: refuse or stall",
                ProfileWords.atHardLimit.words
            ),
            .general(
                "dns.delay",
                Quantity.readable(nameLookupDelay),
                "TIME",
                "before a connection opens; \(PathKey.delayRange)"
            ),
        ]
    }
}

extension SettableKey {
    fileprivate static func general(
        _ key: String,
        _ value: String?,
        _ placeholder: String,
        _ help: String,
        _ words: [String] = []
    ) -> SettableKey {
        SettableKey(
            key: key,
            value: value,
            placeholder: placeholder,
            help: help,
            words: words,
            isParameter: false
        )
    }

    fileprivate static func general<Meaning>(
        _ key: String,
        _ words: Keywords<Meaning>,
        _ meaning: Meaning,
        _ help: String
    ) -> SettableKey {
        general(
            key,
            words.word(for: meaning),
            "WORD",
            "\(help): \(listed(words.words))",
            words.words
        )
    }
}

extension ProfileWords {
    fileprivate static let yesOrNo = Keywords([("yes", true), ("no", false)])
}

extension PathKey {
    fileprivate static var delayRange: String {
        "\(Quantity.readable(ProfileLimits.delay.lowerBound)) to "
            + Quantity.readable(ProfileLimits.delay.upperBound)
    }

    fileprivate var placeholder: String {
        switch self {
        case .rate: "RATE"
        case .trace: "FILE"
        case .delay: "TIME"
        case .jitter, .loss, .queue, .outages: "VALUE"
        }
    }

    fileprivate var help: String {
        switch self {
        case .rate:
            "\(Quantity.readable(ProfileLimits.rate.lowerBound)) to "
                + "\(Quantity.readable(ProfileLimits.rate.upperBound)), or unlimited"
        case .trace: "delivery times instead of a rate: a file in mahimahi's format"
        case .delay: "one way; \(Self.delayRange)"
        case .jitter: "none, {uniform: 3ms}, {normal: 3ms} or {pareto: 3ms}"
        case .loss: "none, 0% to 100%, or in bursts: {burst: {loss: 2%, mean: 4packets}}"
        case .queue:
            "auto, \(PacketCount.text(ProfileLimits.queuePackets.lowerBound)) to "
                + "\(PacketCount.text(ProfileLimits.queuePackets.upperBound)), or a size, as 64KiB"
        case .outages: "none, or [{at: 10s, for: 2s}]"
        }
    }
}

extension PathSettings {
    /// Nil for the one of rate and trace that is not in use.
    fileprivate func value(of key: PathKey, _ source: TraceSource?) -> String? {
        switch (key, capacity) {
        case (.rate, .unlimited): "unlimited"
        case (.rate, .rate(let rate)): Quantity.readable(rate)
        case (.trace, .trace) where source != nil:
            String(capacityText(capacity, source).dropFirst("trace: ".count))
        case (.rate, .trace), (.trace, _): nil
        case (.delay, _): Quantity.readable(delay)
        case (.jitter, _): jitterText(jitter)
        case (.loss, _): lossText(loss)
        case (.queue, _): queueText(queue)
        case (.outages, _): outagesText(outages)
        }
    }
}
