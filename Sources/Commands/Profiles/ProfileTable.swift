internal import Basics
internal import LinkProfile

/// The list of profiles, grouped by what they imitate.
struct ProfileTable {
    private let profiles: [Profile]
    private let width: Int
    private let style: TextStyle
    /// The width of each column.
    private let widths: (name: Int, rate: Int, roundTrip: Int, loss: Int)

    init(profiles: [Profile], width: Int, style: TextStyle) {
        self.profiles = profiles
        self.width = width
        self.style = style
        let figures = profiles.map(ProfileFigures.init)
        func widest(_ texts: [String], _ head: String) -> Int {
            texts.reduce(head.count) { max($0, $1.count) }
        }
        widths = (
            widest(profiles.map { PrintableText.escaped($0.name) }, "name"),
            widest(figures.map(\.rate), "rate"), widest(figures.map(\.roundTrip), "rtt"),
            widest(figures.map(\.loss), "loss")
        )
    }

    func lines() -> [String] {
        var lines: [String] = [style(.faint, TextLayout.clip(head, to: width))]
        for kind in Profile.Kind.allCases {
            let group = profiles.filter { $0.kind == kind }
            guard !group.isEmpty else { continue }
            lines += ["", style(.heading, TextLayout.clip(kind.title, to: width))]
            lines += group.map { row($0) }
        }
        lines += [
            "",
            "rate: down/up in bit/s, ~ mean of a trace; rtt: both delays; loss: down/up;",
            "? numbers not confirmed at their source. More: linkcond profiles show NAME",
        ]
        return lines
    }

    private var head: String {
        columns(of: "name", "   ", "rate", "rtt", "loss") + "what it is like"
    }

    private func row(_ profile: Profile) -> String {
        let figures = ProfileFigures(profile)
        let text = columns(
            of: PrintableText.escaped(profile.name),
            profile.isConfirmed ? "   " : " ? ",
            figures.rate,
            figures.roundTrip,
            figures.loss
        )
        let room = max(0, width - text.count)
        guard room >= 16 else { return TextLayout.clip(text, to: width) }
        let summary = PrintableText.escaped(profile.summary)
        return text + style(.faint, TextLayout.clip(summary, to: room))
    }

    private func columns(
        of name: String,
        _ doubt: String,
        _ rate: String,
        _ roundTrip: String,
        _ loss: String
    ) -> String {
        "  " + TextLayout.pad(name, to: widths.name) + doubt
            + TextLayout.pad(rate, to: widths.rate) + "  "
            + TextLayout.padLeft(roundTrip, to: widths.roundTrip) + "  "
            + TextLayout.pad(loss, to: widths.loss) + "  "
    }
}
