/// A value given on the command line, over what the profile says.
///
/// The key is a parameter of the profile or the dotted path of a setting: `link.down.rate`,
/// `down.rate` for short, `rate` for both directions. The value is a scalar or, beginning with `{`
/// or `[`, YAML in flow style.
package struct ProfileSetting: Hashable, Sendable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    /// Splits `key=value` at its first `=`; nil without one or without a key.
    package init?(parsing text: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
        key = String(text[..<equals])
        value = String(text[text.index(after: equals)...])
    }

    var place: Place { .setting("\(key)=\(value)") }

    /// Whether the key can be a path: it begins with a key that may be set.
    var isPath: Bool { Self.firstKeys.contains(components[0]) }

    /// Keys a path can begin with: parts of a profile, or of its link.
    static let firstKeys =
        [ProfileKey.link, .path, .budget, .dns].map(\.rawValue) + LinkKey.allCases.map(\.rawValue)

    /// A profile that says nothing but this.
    func root(_ diagnostics: inout Diagnostics) -> Node? {
        var path = components
        if LinkKey(rawValue: path[0]) != nil { path.insert(ProfileKey.link.rawValue, at: 0) }
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
        return readYAML(Array(value.utf8), file: .setting("\(key)=\(value)"), into: &diagnostics)
    }

    private var components: [String] {
        key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}
