internal import Basics
internal import ControlAPI
internal import LinkProfile

/// A profile in the list of the live view.
struct LiveProfile: Hashable, Sendable {
    var name: String
    /// What it imitates; profiles of one group follow one another.
    var group = ""
    /// Rates, round trip and loss; empty if there is nothing to say.
    var figures = ""
    var summary = ""

    /// Whether every word occurs in what is shown of it, whatever the case.
    func shows(_ words: String) -> Bool {
        let text = "\(name)\n\(group)\n\(figures)\n\(summary)".lowercased()
        return words.lowercased().split(separator: " ").allSatisfy { text.contains(String($0)) }
    }
}

extension LiveProfile {
    init(_ card: ProfileCard) {
        self.init(
            name: card.name,
            group: card.kind.title,
            figures: card.figures,
            summary: card.summary
        )
    }

    /// As `GET /v1/profiles?details=true` has it; nil without a name.
    init?(_ document: JSONObject) {
        guard let name = document.text("name") else { return nil }
        self.init(
            name: name,
            group: document.text("group") ?? "",
            figures: document.text("figures") ?? "",
            summary: document.text("summary") ?? ""
        )
    }
}
