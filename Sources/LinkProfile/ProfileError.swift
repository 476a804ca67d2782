internal import Basics
package import YAML

/// Why there is no profile.
package enum ProfileError: Error, Hashable, Sendable {
    /// No profile has this name; `suggestions` are those that may be meant.
    case unknownProfile(String, suggestions: [String])
    /// The file of a profile cannot be read.
    case unreadable(String, reason: String)
    /// The text of a profile, or what it refers to, is wrong. Never empty, in order of place.
    case invalid([Diagnostic])

    /// What to print, one line each.
    package var lines: [String] {
        switch self {
        case .unknownProfile(let name, let suggestions):
            ["unknown profile '\(name)'\(Self.hint(suggestions))"]
        case .unreadable(let path, let reason): ["cannot read '\(path)': \(reason)"]
        case .invalid(let diagnostics): diagnostics.map(\.text)
        }
    }

    /// `; did you mean 'lte'?`, or nothing.
    package static func hint(_ suggestions: [String]) -> String {
        switch suggestions.count {
        case 0: ""
        case 1: "; did you mean '\(suggestions[0])'?"
        default: "; did you mean \(suggestions.map { "'\($0)'" }.listed())?"
        }
    }
}

extension Diagnostics {
    /// Ends the work if there was any mistake.
    func throwIfAny() throws(ProfileError) {
        if !list.isEmpty { throw .invalid(sorted) }
    }
}
