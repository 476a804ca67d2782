/// What somebody at the live view wants done.
enum LiveCommand: Hashable, Sendable {
    case quit
    /// Holds everything back, or lets it go on.
    case pause
    case cut
    /// For `stallSeconds`.
    case stall
    /// Refuses the next connection.
    case refuse
    /// Lets nothing over the link, or lets it carry again.
    case outage
    case mark
    /// Wants to choose among the profiles.
    case listProfiles
    case profile(String)
    /// Shows and steers the next proxy of the run.
    case nextProxy

    static let stallSeconds: Int64 = 5

    /// A key with what it does, for the footer and the help.
    struct Binding: Hashable, Sendable {
        var key: String
        /// A word or two.
        var short: String
        var meaning: String
    }

    /// In the order in which they are shown; the footer leaves out from the end what has no room.
    static let bindings: [Binding] = [
        .init(key: "space", short: "pause", meaning: "pause connections, or resume them"),
        .init(key: "c", short: "cut", meaning: "reset connections"),
        .init(key: "s", short: "stall 5 s", meaning: "hold connections back for 5 seconds"),
        .init(key: "r", short: "refuse next", meaning: "refuse the next connection"),
        .init(key: "p", short: "profile", meaning: "choose another profile"),
        .init(key: "m", short: "mark", meaning: "write a mark to the journal"),
        .init(key: "o", short: "outage", meaning: "start or end an outage"),
        .init(key: "/", short: "filter", meaning: "only connections with a text; Esc shows all"),
        .init(key: "x", short: "next proxy", meaning: "show and steer the next proxy of the run"),
    ]

    /// What a key of the view itself does; nil for none.
    init?(_ key: UInt8) {
        switch key {
        case UInt8(ascii: "q"): self = .quit
        case UInt8(ascii: " "): self = .pause
        case UInt8(ascii: "c"): self = .cut
        case UInt8(ascii: "s"): self = .stall
        case UInt8(ascii: "r"): self = .refuse
        case UInt8(ascii: "o"): self = .outage
        case UInt8(ascii: "m"): self = .mark
        case UInt8(ascii: "p"): self = .listProfiles
        case UInt8(ascii: "x"): self = .nextProxy
        default: return nil
        }
    }
}
