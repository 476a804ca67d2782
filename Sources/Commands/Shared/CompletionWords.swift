internal import Analysis
internal import Arguments
internal import Exploration
internal import Faults
internal import LinkProfile

/// What a shell offers for values that people cannot know by heart.
enum CompletionWords {
    /// `rate=`, `down.rate=` and so on: what `--set` takes of every profile.
    static let settings: [String] = {
        // In a profile that says nothing both directions are equal, so each key stands once.
        let keys = Profile(name: "").settableKeys.map(\.key)
        let ofDirections = ["rate", "trace", "delay", "jitter", "loss", "queue", "outages"]
        let both = ofDirections.flatMap { ["down.\($0)", "up.\($0)"] }
        return (keys + both).map { "\($0)=" }
    }()

    /// Places to begin with, and whole faults for the rest of the kinds.
    static let faults = [
        "c1:down+", "c1:up+", "c*:down+", "c1:connect=refuse", "c1:down+65536=rst",
        "c1:down+65536=fin", "c1:down+65536=hole", "c1:down+65536=stall(5s)",
        "c1:down+65536=slow(64kbit/s)", "c1:down+65536=corrupt", "GET(/*)#1:resp.body+9=rst",
        "GET(/*)#1:req.head=status(503,retry-after=4)", "GET(/*)#1:resp.head=stall(5s)",
        "u1:up#3=drop", "u1:down#3=delay(50ms)",
    ]

    static let effects = ["standard", "all"] + Effect.Kind.searched.map(\.name)

    static let demands =
        ["pass", "fail"] + Check.allCases.map(\.rawValue) + ["attempts<=", "time<=", "wire<="]
        + Expectation.properties.map { "\($0.name)=\($0.words[0])" }

    static let upstreams = ["127.0.0.1:", "http://127.0.0.1:", "https://", "udp://127.0.0.1:"]
}
