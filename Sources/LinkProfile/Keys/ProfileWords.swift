import Basics
import LinkEngine

/// The words of the schema that stand for values in more than one place.
enum ProfileWords {
    /// YAML 1.1 reads these as truth values, JSON has two of them; here the schema does.
    static let truth = Keywords([("yes", true), ("no", false), ("true", true), ("false", false)])
    static let kind = Keywords<Profile.Kind>(Profile.Kind.allCases.map { ($0.rawValue, $0) })
    static let direction = Keywords<Direction>([("down", .down), ("up", .up)])
    static let treatment = Keywords<Outages.Treatment>([("drop", .drop), ("hold", .hold)])
}
