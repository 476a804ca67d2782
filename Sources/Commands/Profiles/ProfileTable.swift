internal import Basics
internal import Journal
internal import LinkEngine
internal import LinkProfile

/// The list of profiles, grouped by where their numbers come from.
struct ProfileTable {
    let profiles: [Profile]
    let width: Int
    let style: TextStyle

    func lines() -> [String] {
        var lines: [String] = []
        for source in sources {
            if !lines.isEmpty { lines.append("") }
            lines.append(style(.heading, TextLayout.clip(source, to: width)))
            lines += profiles.filter { $0.source == source }.map { row($0) }
        }
        lines += [
            "",
            "rate: down/up in bit/s, ~ mean of a trace; rtt: both delays; loss: down/up;",
            "? numbers not confirmed at their source. More: linkcond profiles show NAME",
        ]
        return lines
    }

    /// In the order in which they first appear.
    private var sources: [String] {
        profiles.reduce(into: []) { list, profile in
            if !list.contains(profile.source) { list.append(profile.source) }
        }
    }

    private func row(_ profile: Profile) -> String {
        let columns = self.columns
        let texts = Self.texts(profile)
        let text =
            "  " + TextLayout.pad(texts.name, to: columns.name)
            + (profile.isConfirmed ? "   " : " ? ") + TextLayout.pad(texts.rate, to: columns.rate)
            + "  " + TextLayout.padLeft(texts.roundTrip, to: columns.roundTrip) + "  "
            + TextLayout.pad(texts.loss, to: columns.loss) + "  "
        let room = max(0, width - text.count)
        guard room >= 16 else { return TextLayout.clip(text, to: width) }
        let summary = PrintableText.escaped(profile.summary)
        return text + style(.faint, TextLayout.clip(summary, to: room))
    }

    private struct Texts {
        var name: String
        var rate: String
        var roundTrip: String
        var loss: String
    }

    private static func texts(_ profile: Profile) -> Texts {
        let link = profile.link
        return Texts(
            name: PrintableText.escaped(profile.name),
            rate: both(
                LinkDescription.shortRate(link.down.capacity),
                LinkDescription.shortRate(link.up.capacity)
            ),
            roundTrip: LinkDescription.roundTrip(link),
            loss: both(loss(link.down.loss), loss(link.up.loss))
        )
    }

    /// The share alone: its model is for `profiles show`.
    private static func loss(_ model: LossModel) -> String {
        LinkDescription.loss(model).map { String($0.prefix { $0 != " " }) } ?? "-"
    }

    private static func both(_ down: String, _ up: String) -> String {
        down == up ? down : "\(down)/\(up)"
    }

    /// The width of each column.
    private var columns: (name: Int, rate: Int, roundTrip: Int, loss: Int) {
        let texts = profiles.map(Self.texts)
        func widest(_ text: (Texts) -> String) -> Int { texts.map { text($0).count }.max() ?? 0 }
        return (widest(\.name), widest(\.rate), widest(\.roundTrip), widest(\.loss))
    }
}
