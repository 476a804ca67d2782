internal import Basics
internal import LinkEngine
internal import LinkProfile

/// What linkcond knows of a profile, as comments of YAML around its text.
enum ProfileComments {
    /// What it comes to.
    static func before(_ profile: Profile) -> [String] {
        [
            // What editors look for, in the first line alone.
            "# yaml-language-server: $schema=linkcond-profile.schema.json",
            "# down: \(LinkDescription.direction(profile.link.down))",
            "# up:   \(LinkDescription.direction(profile.link.up))",
        ] + (profile.isConfirmed ? [] : ["# The numbers are not confirmed at their source."])
    }

    /// What can be set, with the values of now.
    static func after(_ profile: Profile) -> [String] {
        let keys = profile.settableKeys
        let own = keys.filter(\.isParameter)
        var lines = ["#"]
        if !own.isEmpty {
            lines += ["# Parameters of this profile, to change with --set KEY=VALUE:"]
            lines += rows(own) + ["#"]
        }
        lines += [
            own.isEmpty
                ? "# To change with --set KEY=VALUE (down.KEY, up.KEY: one direction alone):"
                : "# What every profile has (down.KEY, up.KEY: one direction alone):"
        ]
        return lines + rows(keys.filter { !$0.isParameter })
    }

    private static func rows(_ keys: [SettableKey]) -> [String] {
        keys.map { key in
            let value = key.value ?? key.placeholder
            let shown = value.count > 40 ? "..." : value
            return "#   " + TextLayout.pad("\(key.key)=\(shown)", to: 28) + "  \(key.help)"
        }
    }
}
