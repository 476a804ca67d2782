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
        lines.append("  \(ProfileSections.tcp.line(link.tcp))")
        lines += ProfileSections.link.items(link).map { "  \($0)" }
        if let crossTraffic = link.crossTraffic {
            lines.append("  \(ProfileSections.crossTraffic.line(crossTraffic))")
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
                    ProfileSections.attributes.line(handoverPaths[index]),
                ]
                return "  - \(mapping(items))"
            }
    }

    private var policyLines: [String] {
        var lines = [ProfileSections.attributes.line(path)]
        if let budget { lines.append(ProfileSections.budget.line(budget)) }
        if nameLookupDelay > .zero {
            lines.append(ProfileSections.nameLookup.line(nameLookupDelay))
        }
        if !faults.isEmpty {
            lines.append("faults:")
            lines += faults.map { "  - \(quoted($0.canonicalText))" }
        }
        return lines
    }
}

extension ProfileSection {
    /// `NAME: {KEY: VALUE, ...}`.
    fileprivate func line(_ model: Model) -> String { "\(name): \(mapping(items(model)))" }
}

private func pathLines(
    _ name: String,
    _ path: PathSettings,
    _ source: TraceSource?
) -> [String] {
    ["  \(name):"] + pathItems(path, source).map { "    \($0)" }
}

private func pathItems(_ path: PathSettings, _ source: TraceSource?) -> [String] {
    if case .trace(let trace) = path.capacity, source == nil {
        preconditionFailure("a trace of \(trace.meanBitsPerSecond) bit/s without a source")
    }
    return ProfileSections.direction.items(PathDraft(path, source))
}

func traceText(_ source: TraceSource) -> String {
    switch source {
    case .file(let path): quoted(path)
    case .generated(let generator): generatorText(generator)
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
