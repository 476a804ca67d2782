import Basics
internal import Faults
import LinkEngine

extension Profile {
    /// The profile as YAML with everything resolved and nothing left to defaults.
    ///
    /// It reads back as the same profile, but for the parameters, whose values it has put in; and
    /// equal profiles have equal text.
    package var canonicalText: String {
        var lines: [String] = []
        if !parameters.isEmpty {
            let values = parameters.map { "\($0.name)=\($0.value)" }
            lines.append("# Resolved with \(values.joined(separator: ", ")).")
        }
        lines.append("name: \(quoted(name))")
        if !summary.isEmpty { lines.append("summary: \(quoted(summary))") }
        if let statedKind { lines.append("kind: \(statedKind.rawValue)") }
        if !source.isEmpty { lines.append("source: \(quoted(source))") }
        lines.append("confirmed: \(ProfileWords.truth.word(for: isConfirmed))")
        lines.append("link:")
        lines += pathLines("down", link.down, traces.down)
        lines += pathLines("up", link.up, traces.up)
        let tcp = [
            "behaviour: \(ProfileWords.behaviour.word(for: link.tcp.behaviour))",
            "congestion: \(ProfileWords.congestion.word(for: link.tcp.congestionControl))",
            "handshake: \(ProfileWords.truth.word(for: link.tcp.handshake))",
        ]
        lines.append("  tcp: \(mapping(tcp))")
        lines.append("  address: \(ProfileWords.indexing.word(for: link.indexing))")
        if let crossTraffic = link.crossTraffic {
            lines.append("  cross-traffic: \(mapping(crossTraffic.items))")
        }
        lines += handoverLines + policyLines
        return lines.joined(separator: "\n") + "\n"
    }

    private var handoverLines: [String] {
        guard !link.handovers.isEmpty else { return [] }
        return ["handovers:"]
            + link.handovers.indices.map { index in
                let (handover, traces) = (link.handovers[index], handoverTraces[index])
                let paths = [
                    "down: \(mapping(pathItems(handover.down, traces.down)))",
                    "up: \(mapping(pathItems(handover.up, traces.up)))",
                ]
                let items = [
                    "at: \(Quantity.text(handover.at))",
                    "for: \(Quantity.text(handover.silence))", "link: \(mapping(paths))",
                    "path: \(mapping(handoverPaths[index].items))",
                ]
                return "  - \(mapping(items))"
            }
    }

    private var policyLines: [String] {
        var attributes = path.items
        if let delay = path.onDemand { attributes.append("on-demand: \(Quantity.text(delay))") }
        var lines = ["path: \(mapping(attributes))"]
        if let budget { lines.append("budget: \(mapping(budget.items))") }
        if nameLookupDelay > .zero {
            lines.append("dns: {delay: \(Quantity.text(nameLookupDelay))}")
        }
        if !faults.isEmpty {
            lines.append("faults:")
            lines += faults.map { "  - \(quoted($0.canonicalText))" }
        }
        return lines
    }
}

extension CrossTraffic {
    fileprivate var items: [String] {
        ["flows: \(flows)", "direction: \(ProfileWords.direction.word(for: direction))"]
    }
}

extension DataBudget {
    fileprivate var items: [String] {
        var items: [String] = []
        if let softLimitBytes { items.append("soft: \(byteCountText(softLimitBytes))") }
        if let rateAfterSoftLimit { items.append("then: \(Quantity.text(rateAfterSoftLimit))") }
        if let hardLimitBytes {
            items.append("hard: \(byteCountText(hardLimitBytes))")
            items.append("at-hard: \(ProfileWords.atHardLimit.word(for: atHardLimit))")
        }
        return items
    }
}

extension PathAttributes {
    fileprivate var items: [String] {
        [
            "interface: \(ProfileWords.interface.word(for: interface))",
            "expensive: \(ProfileWords.truth.word(for: isExpensive))",
            "constrained: \(ProfileWords.truth.word(for: isConstrained))",
        ]
    }
}

private func pathLines(
    _ name: String,
    _ path: PathSettings,
    _ source: TraceSource?
) -> [String] {
    ["  \(name):"] + pathItems(path, source).map { "    \($0)" }
}

private func pathItems(_ path: PathSettings, _ source: TraceSource?) -> [String] {
    [
        capacityText(path.capacity, source),
        "delay: \(Quantity.text(path.delay))",
        "jitter: \(jitterText(path.jitter))",
        "loss: \(lossText(path.loss))",
        "queue: \(queueText(path.queue))",
        "outages: \(outagesText(path.outages))",
    ]
}

func capacityText(_ capacity: Capacity, _ source: TraceSource?) -> String {
    switch (capacity, source) {
    case (.unlimited, _): return "rate: unlimited"
    case (.rate(let rate), _): return "rate: \(Quantity.text(rate))"
    case (.trace, .file(let path)?): return "trace: \(quoted(path))"
    case (.trace, .generated(let generator)?): return "trace: \(generatorText(generator))"
    case (.trace(let trace), nil):
        preconditionFailure("a trace of \(trace.meanBitsPerSecond) bit/s without a source")
    }
}

private func generatorText(_ generator: TraceGenerator) -> String {
    let common = ["length: \(Quantity.text(generator.length))", "seed: \(generator.seed)"]
    if generator.states.count == 1, let rate = generator.states[0].rate {
        return mapping(["generate: poisson", "rate: \(Quantity.text(rate))"] + common)
    }
    let states = generator.states.map { state in
        let rate = state.rate.map { Quantity.text($0) } ?? "none"
        return mapping(["rate: \(rate)", "stay: \(Quantity.text(state.stay))"])
    }
    return mapping(["generate: markov"] + common + ["states: \(list(states))"])
}

func jitterText(_ jitter: Jitter) -> String {
    switch jitter {
    case .none: "none"
    case .uniform(let spread): "{uniform: \(Quantity.text(spread))}"
    case .normal(let spread): "{normal: \(Quantity.text(spread))}"
    case .pareto(let spread): "{pareto: \(Quantity.text(spread))}"
    }
}

func lossText(_ loss: LossModel) -> String {
    func entry(_ key: String, _ chance: Probability) -> String {
        "\(key): \(Quantity.text(chance))"
    }
    switch loss {
    case .none: return "none"
    case .bernoulli(let chance): return Quantity.text(chance)
    case .gilbertElliott(let chain):
        let items = [
            entry("p", chain.goodToBad), entry("r", chain.badToGood),
            entry("h", chain.lossInBad.complement), entry("k", chain.lossInGood.complement),
        ]
        return mapping(["gilbert-elliott: \(mapping(items))"])
    case .fourState(let chain):
        let items = [
            entry("p13", chain.p13), entry("p31", chain.p31), entry("p32", chain.p32),
            entry("p23", chain.p23), entry("p14", chain.p14),
        ]
        return mapping(["four-state: \(mapping(items))"])
    case .list(let indexes):
        return mapping(["list: \(list(indexes.map { String($0) }))"])
    }
}

func queueText(_ queue: QueueLimit) -> String {
    switch queue {
    case .automatic: "auto"
    case .packets(let count): PacketCount.text(count)
    case .bytes(let count): byteCountText(UInt64(count))
    }
}

func outagesText(_ outages: Outages) -> String {
    let treatment = "treatment: \(ProfileWords.treatment.word(for: outages.treatment))"
    switch outages.schedule {
    case .never: return "none"
    case .windows(let windows, let period):
        let items = windows.map { window in
            let at = Quantity.text(window.at)
            return mapping(["at: \(at)", "for: \(Quantity.text(window.length))"])
        }
        let repetition = period.map { ["period: \(Quantity.text($0))"] } ?? []
        return mapping(["windows: \(list(items))"] + repetition + [treatment])
    case .random(let up, let down):
        let means = mapping(["up: \(Quantity.text(up))", "down: \(Quantity.text(down))"])
        return mapping(["random: \(means)", treatment])
    }
}

private func mapping(_ items: [String]) -> String { "{\(items.joined(separator: ", "))}" }

private func list(_ items: [String]) -> String { "[\(items.joined(separator: ", "))]" }

/// A double-quoted scalar.
///
/// Whatever YAML may not hold or would fold is escaped.
func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x22, 0x5C: quoted += "\\" + String(scalar)
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0x1_0000...0x10_FFFF:
            quoted.unicodeScalars.append(scalar)
        default:
            let digits = String(scalar.value, radix: 16)
            quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
    }
    return quoted + "\""
}
