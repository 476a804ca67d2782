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
            lines += profiles.filter { $0.source == source }.map(row)
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

    private var nameWidth: Int { min(profiles.map(\.name.count).max() ?? 0, 28) }

    private func row(_ profile: Profile) -> String {
        let link = profile.link
        let rate = both(
            LinkDescription.shortRate(link.down.capacity),
            LinkDescription.shortRate(link.up.capacity)
        )
        let loss = both(
            LinkDescription.loss(link.down.loss) ?? "-",
            LinkDescription.loss(link.up.loss) ?? "-"
        )
        let columns =
            "  " + TextLayout.pad(profile.name, to: nameWidth)
            + (profile.isConfirmed ? "   " : " ? ") + TextLayout.pad(rate, to: 12) + " "
            + TextLayout.padLeft(LinkDescription.roundTrip(link), to: 8) + "  "
            + TextLayout.pad(loss, to: 6) + " "
        let room = max(0, width - columns.count)
        guard room >= 16 else { return TextLayout.clip(columns, to: width) }
        return columns + style(.faint, TextLayout.clip(profile.summary, to: room))
    }

    private func both(_ down: String, _ up: String) -> String {
        down == up ? down : "\(down)/\(up)"
    }
}
