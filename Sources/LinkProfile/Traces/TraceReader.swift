import Basics
import LinkEngine
internal import YAML

private enum TraceKey: String, SchemaKey { case generate, rate, length, seed, states }
private enum TraceStateKey: String, SchemaKey { case rate, stay }
private enum Process { case poisson, markov }

extension Diagnostics {
    /// The path of a mahimahi file, or a mapping that says how to generate one.
    mutating func trace(_ node: Node) -> TraceSource? {
        if case .scalar = node.value {
            let path = scalar(node, expected: "a file in mahimahi's format")
            return path.map { .file($0) }
        }
        return generator(node).map { .generated($0) }
    }

    private mutating func generator(_ node: Node) -> TraceGenerator? {
        let before = list.count
        var process: Process?
        var single: BitRate?
        var states: [TraceGenerator.State]?
        var length: Duration?
        var seed: UInt64?
        let processes = Keywords<Process>([("poisson", .poisson), ("markov", .markov)])
        for setting in settings(of: node, TraceKey.self, in: "a generated trace") {
            switch setting.key {
            case .generate: process = keyword(setting.value, processes)
            case .rate: single = traceRate(setting.value)
            case .states: states = traceStates(setting.value)
            case .length: length = wholeMilliseconds(setting.value, ProfileLimits.traceLength)
            case .seed: seed = wholeNumber(setting.value)
            }
        }
        guard list.count == before, let process = required(process, "generate", in: node),
            let length = required(length, "length", in: node),
            let seed = required(seed, "seed", in: node)
        else { return nil }
        switch (process, single, states) {
        case (.poisson, let rate?, nil):
            let state = TraceGenerator.State(rate: rate, stay: length)
            return TraceGenerator(states: [state], length: length, seed: seed)
        case (.markov, nil, let states?):
            return TraceGenerator(states: states, length: length, seed: seed)
        case (.poisson, _, _):
            report("a Poisson trace has a 'rate' and no 'states'", at: node.place)
        case (.markov, _, _):
            report("a Markov trace has 'states' and no 'rate'", at: node.place)
        }
        return nil
    }

    private mutating func traceStates(_ node: Node) -> [TraceGenerator.State]? {
        let limit = ProfileLimits.traceStates
        guard let items = items(node, expected: "states {rate, stay}", limit: limit) else {
            return nil
        }
        guard items.count > 1 else {
            report("expected at least two states", at: node.place)
            return nil
        }
        let states = items.map { traceState($0) }
        return states.contains { $0 == nil } ? nil : states.compactMap(\.self)
    }

    private mutating func traceState(_ node: Node) -> TraceGenerator.State? {
        var rate: BitRate?
        var isGap = false
        var stay: Duration?
        for setting in settings(of: node, TraceStateKey.self, in: "a state") {
            switch setting.key {
            case .rate where setting.value.value == .scalar("none"): isGap = true
            case .rate: rate = traceRate(setting.value)
            case .stay: stay = wholeMilliseconds(setting.value, ProfileLimits.traceStay)
            }
        }
        guard let stay = required(stay, "stay", in: node) else { return nil }
        guard isGap || required(rate, "rate", in: node) != nil else { return nil }
        return TraceGenerator.State(rate: rate, stay: stay)
    }

    private mutating func traceRate(_ node: Node) -> BitRate? {
        quantity(node, .bitRate, within: ProfileLimits.traceRate, text: Quantity.text) {
            text throws(QuantityError) in try Quantity.bitRate(text)
        }
    }

    private mutating func wholeMilliseconds(
        _ node: Node,
        _ range: ClosedRange<Duration>
    ) -> Duration? {
        guard let duration = duration(node, within: range) else { return nil }
        guard duration.nanoseconds.isMultiple(of: 1_000_000) else {
            report("a trace knows whole milliseconds only", at: node.place)
            return nil
        }
        return duration
    }
}
