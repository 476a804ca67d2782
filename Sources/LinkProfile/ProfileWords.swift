import Basics
import LinkEngine

/// The words of the schema that stand for values.
enum ProfileWords {
    /// YAML 1.1 reads these as truth values, JSON has two of them; here the schema does.
    static let truth = Keywords([("yes", true), ("no", false), ("true", true), ("false", false)])
    static let interface = Keywords<PathAttributes.Interface>([
        ("wifi", .wifi), ("cellular", .cellular), ("wired", .wired), ("other", .other),
    ])
    static let kind = Keywords<Profile.Kind>(Profile.Kind.allCases.map { ($0.rawValue, $0) })
    static let atHardLimit = Keywords<DataBudget.AtHardLimit>([
        ("refuse", .refuse), ("stall", .stall),
    ])
    static let behaviour = Keywords<TCPSettings.Behaviour>([("linux", .linux), ("rfc", .rfc)])
    static let congestion = Keywords<TCPSettings.CongestionControl>([
        ("cubic", .cubic), ("reno", .reno),
    ])
    static let direction = Keywords<Direction>([("down", .down), ("up", .up)])
    static let indexing = Keywords<PacketIndexing>([("offset", .offset), ("packet", .packet)])
    static let treatment = Keywords<Outages.Treatment>([("drop", .drop), ("hold", .hold)])
}
