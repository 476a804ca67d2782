internal import Basics
internal import LinkProfile
internal import YAML

extension Problem {
    /// Why there is no profile.
    init(_ error: ProfileError) {
        switch error {
        case .unknownProfile(let name, let suggestions):
            let hint =
                suggestions.isEmpty
                ? "; GET /v1/profiles lists them" : ProfileError.hint(suggestions)
            self = .invalid(
                "/profile",
                "unknown profile '\(name)'\(hint)",
                suggestion: suggestions.first
            )
        case .unreadable(let path, let reason):
            self = .invalid("/profile", "cannot read '\(path)': \(reason)")
        case .invalid(let diagnostics): self = .invalid(diagnostics.map(Mistake.init))
        }
    }
}

extension Problem.Mistake {
    fileprivate init(_ diagnostic: Diagnostic) {
        guard case .setting(let text) = diagnostic.place else {
            self.init("", diagnostic.text)
            return
        }
        let key = String(text.prefix { $0 != "=" })
        self.init("/settings" + JSONPointer.step(key), diagnostic.message)
    }
}
