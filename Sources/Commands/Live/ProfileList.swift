internal import Basics

/// The profiles of a choice as lines: groups with their heads, and each with its figures.
struct ProfileList {
    let choice: ProfileChoice
    let width: Int

    /// Lines, and whether each is the selected profile's.
    var lines: [(line: StyledLine, isSelected: Bool)] {
        let matches = choice.matches
        let names = (matches.map(\.name.count).max() ?? 0) + 2
        let figures = (matches.map(\.figures.count).max() ?? 0) + 2
        var lines: [(line: StyledLine, isSelected: Bool)] = []
        var group = ""
        for (place, profile) in matches.enumerated() {
            if profile.group != group {
                group = profile.group
                lines.append((StyledLine(TextLayout.clip(group, to: width), .faint), false))
            }
            let isSelected = place == choice.selected
            let now = profile.name == choice.current ? "(now) " : ""
            var text = "\(isSelected ? ">" : " ") " + TextLayout.pad(profile.name, to: names)
            if figures > 2 { text += TextLayout.pad(profile.figures, to: figures) }
            let whole = TextLayout.clip(text + now + profile.summary, to: width)
            lines.append((StyledLine(whole, isSelected ? .heading : nil), isSelected))
        }
        return lines
    }
}
