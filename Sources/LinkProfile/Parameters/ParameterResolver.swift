import Basics
internal import YAML

/// The parameters of a profile and its ancestors, with their values.
struct ParameterResolver {
    private var declarations: [ParameterDeclaration] = []
    private var values: [String: ParameterText] = [:]

    /// Reads the declarations; `roots` begins with the oldest ancestor.
    init(roots: [Node], _ diagnostics: inout Diagnostics) {
        var merged: [Node.Entry] = []
        for root in roots {
            guard let block = root[ProfileKey.parameters.rawValue] else { continue }
            guard case .mapping(let entries) = block.value else {
                diagnostics.report(
                    "expected parameters by name; found \(block.description)",
                    at: block.place
                )
                continue
            }
            for entry in entries { Self.lay(entry, over: &merged) }
        }
        guard merged.count <= ProfileLimits.parameters else {
            diagnostics.report(
                "\(merged.count) parameters; the limit is \(ProfileLimits.parameters)",
                at: merged[ProfileLimits.parameters].keyPlace
            )
            return
        }
        for entry in merged {
            guard isProfileName(entry.key) else {
                diagnostics.report(
                    "'\(entry.key)' is not a name of letters a-z, digits and hyphens",
                    at: entry.keyPlace
                )
                continue
            }
            guard let declaration = diagnostics.parameter(entry.key, entry.value) else { continue }
            declarations.append(declaration)
            values[entry.key] = declaration.standard
        }
    }

    var names: [String] { declarations.map(\.name) }

    var resolved: [ParameterValue] {
        declarations.map { declaration in
            ParameterValue(
                name: declaration.name,
                value: (values[declaration.name] ?? declaration.standard).text,
                defaultValue: declaration.standard.text,
                allowed: declaration.allowed,
                help: declaration.help
            )
        }
    }

    /// Takes a setting if it names a parameter.
    mutating func take(_ setting: ProfileSetting, _ diagnostics: inout Diagnostics) -> Bool {
        guard let declaration = declarations.first(where: { $0.name == setting.key }) else {
            return false
        }
        switch declaration.value(setting.value) {
        case .success(let value): values[setting.key] = value
        case .failure(let mistake): diagnostics.report(mistake.message, at: setting.place)
        }
        return true
    }

    /// Puts values for `${name}` into everything but the declarations.
    func substitute(in root: Node, _ diagnostics: inout Diagnostics) -> Node {
        guard case .mapping(let entries) = root.value else { return root }
        let changed = entries.map { entry in
            guard entry.key != ProfileKey.parameters.rawValue else { return entry }
            let value = entry.value.mapScalars { text, place in
                expand(text, at: place, &diagnostics)
            }
            return Node.Entry(key: entry.key, keyPlace: entry.keyPlace, value: value)
        }
        return Node(.mapping(changed), at: root.place)
    }

    private func expand(
        _ text: String,
        at place: Place,
        _ diagnostics: inout Diagnostics
    ) -> String {
        var rest = Substring(text)
        var expanded = ""
        while let start = rest.firstRange(of: "${") {
            expanded += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: "}") else {
                diagnostics.report("'${' without '}' in '\(text)'", at: place)
                return expanded
            }
            let name = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            if let value = values[name] {
                expanded += value.text
            } else {
                diagnostics.report(unknown(name), at: place)
            }
        }
        return expanded + rest
    }

    private func unknown(_ name: String) -> String {
        if let nearest = NearestName.of(name, among: names) {
            return "unknown parameter '\(name)'; did you mean '\(nearest)'?"
        }
        return names.isEmpty
            ? "unknown parameter '\(name)'; the profile has none"
            : "unknown parameter '\(name)'; expected \(names.listed())"
    }

    /// A descendant may change single keys of a declaration, most often the default.
    private static func lay(_ entry: Node.Entry, over entries: inout [Node.Entry]) {
        guard let index = entries.firstIndex(where: { $0.key == entry.key }) else {
            entries.append(entry)
            return
        }
        guard case .mapping(let old) = entries[index].value.value,
            case .mapping(let new) = entry.value.value
        else {
            entries[index] = entry
            return
        }
        let kept = old.filter { entry.value[$0.key] == nil }
        let value = Node(.mapping(kept + new), at: entry.value.place)
        entries[index] = Node.Entry(key: entry.key, keyPlace: entry.keyPlace, value: value)
    }
}
