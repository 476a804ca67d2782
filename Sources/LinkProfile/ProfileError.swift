package import YAML

/// Why there is no profile.
package enum ProfileError: Error, Hashable, Sendable {
    /// No profile has this name; `suggestion` is the nearest known one, if one is near.
    case unknownProfile(String, suggestion: String?)
    /// The file of a profile cannot be read.
    case unreadable(String, reason: String)
    /// The text of a profile, or what it refers to, is wrong. Never empty, in order of place.
    case invalid([Diagnostic])

    /// What to print, one line each.
    package var lines: [String] {
        switch self {
        case .unknownProfile(let name, nil): ["unknown profile '\(name)'"]
        case .unknownProfile(let name, let nearest?):
            ["unknown profile '\(name)'; did you mean '\(nearest)'?"]
        case .unreadable(let path, let reason): ["cannot read '\(path)': \(reason)"]
        case .invalid(let diagnostics): diagnostics.map(\.text)
        }
    }
}

extension Diagnostics {
    /// Ends the work if there was any mistake.
    func throwIfAny() throws(ProfileError) {
        if !list.isEmpty { throw .invalid(sorted) }
    }
}
