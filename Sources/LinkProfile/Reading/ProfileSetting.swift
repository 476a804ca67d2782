import Basics
package import YAML

/// A value given on the command line, over what the profile says.
///
/// The key is a parameter of the profile or the dotted path of a setting: `link.down.rate`,
/// `down.rate` for short, `rate` for both directions. The value is a scalar or, beginning with `{`
/// or `[`, YAML in flow style.
package struct ProfileSetting: Hashable, Sendable {
    package var key: String
    package var value: String
    /// Where it was given.
    package var place: Place

    /// A setting of the command line, or one that stands in a file at `place`.
    package init(key: String, value: String, place: Place? = nil) {
        self.key = key
        self.value = value
        self.place = place ?? .setting("\(key)=\(value)")
    }

    /// Splits `key=value` at its first `=`; nil without one or without a key.
    package init?(parsing text: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
        self.init(
            key: String(text[..<equals]),
            value: String(text[text.index(after: equals)...])
        )
    }

    /// Keys that every profile has, in the short form that people type.
    static let generalKeys: [String] = {
        let both = ProfileSections.direction.names
        let single = ["down", "up"].flatMap { way in both.map { "\(way).\($0)" } }
        return both + single + ["rtt"] + ProfileSections.link.names
            + ProfileSections.nameLookup.paths + ProfileSections.tcp.paths
            + ProfileSections.crossTraffic.paths + ProfileSections.attributes.paths
            + ProfileSections.budget.paths
    }()

    /// Keys whose values may be mappings, so that a path can lead into them.
    private static let structured = ProfileSections.direction.keys.filter(\.isStructured).map(
        \.name
    )

    /// The key without the `link.` that may be left out.
    private var shortKey: Substring {
        let prefix = "\(ProfileKey.link.rawValue)."
        return key.hasPrefix(prefix) ? key.dropFirst(prefix.count) : key[...]
    }

    /// Whether the key leads to a general key, into its value, or to a mapping of such keys.
    var isGeneral: Bool {
        if key == ProfileKey.link.rawValue { return true }
        return Self.generalKeys.contains { known in
            let last = known.split(separator: ".").last.map(String.init) ?? known
            return shortKey == known || known.hasPrefix("\(shortKey).")
                || Self.structured.contains(last) && shortKey.hasPrefix("\(known).")
        }
    }

    /// What is said of a key that is neither general nor one of the parameters.
    func unknownKey(parameters: [String]) -> String {
        let parts = shortKey.split(separator: ".").map(String.init)
        let hints = parts.count > 1 ? ProfileSections.direction.hints : ProfileSections.linkHints
        if let hint = parts.last.flatMap({ hints[$0] }) { return "unknown key '\(key)'; \(hint)" }
        let names = parameters + Self.generalKeys
        let within = Self.generalKeys.first { shortKey.hasPrefix("\($0).") }
        if let nearest = within ?? NearestName.of(String(shortKey), among: names) {
            return "unknown key '\(key)'; did you mean '\(nearest)'?"
        }
        let both = ProfileSections.direction.names
        let others = Self.generalKeys.filter { !both.contains($0) && !Self.isOneWay($0) }
        return "unknown key '\(key)'; there are \((parameters + both + others).listed("and")), "
            + "and down. or up. before a key for one direction"
    }

    private static func isOneWay(_ key: String) -> Bool {
        key.hasPrefix("down.") || key.hasPrefix("up.")
    }

    /// A profile that says nothing but this.
    func root(_ diagnostics: inout Diagnostics) -> Node? {
        var path = components
        if LinkKey.names.contains(path[0]) { path.insert(ProfileKey.link.rawValue, at: 0) }
        guard path.count <= YAMLLimits.maximumDepth else {
            diagnostics.report("'\(key)' has too many parts", at: place)
            return nil
        }
        guard let leaf = leaf(&diagnostics) else { return nil }
        return path.reversed().reduce(leaf) { inner, key in
            Node(.mapping([Node.Entry(key: key, keyPlace: place, value: inner)]), at: place)
        }
    }

    private func leaf(_ diagnostics: inout Diagnostics) -> Node? {
        guard value.hasPrefix("{") || value.hasPrefix("[") else {
            return Node(.scalar(value), at: place)
        }
        return readYAML(Array(value.utf8), file: .whole(place), into: &diagnostics)
    }

    private var components: [String] {
        key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}
