internal import Arguments
internal import Basics
internal import DNS
internal import Faults
internal import LinkProfile
internal import Proxy
internal import Trials

/// What `--dry-run` prints: every setting and where it comes from.
struct DryRun {
    let description: RunDescription
    let invocation: Invocation
    let options: ProxyOptions
    let origins: SettingOrigins

    private static let builtIn = "built in"
    /// Options with rows of their own.
    private static let special = [
        "profile", "set", "fault", "seed", "listen", "upstream", "dry-run",
    ]

    func lines() -> [String] {
        let seed = options.seed == nil ? "chosen now" : origin("seed")
        var lines = [
            row("profile", description.profile.name, origin("profile")),
            row("seed", String(description.seed), seed),
        ]
        for (index, route) in description.routes.enumerated() {
            if index < options.inheritedListeners.count {
                let descriptor = "descriptor \(options.inheritedListeners[index])"
                lines.append(row("listen", descriptor, "LISTEN_FDS"))
            } else {
                lines.append(row("listen", route.listen.description, origin("listen", index)))
            }
            lines.append(row("upstream", route.upstreamText, origin("upstream", index)))
        }
        for name in description.lookups?.names.dropFirst(options.lookups?.names.count ?? 0) ?? [] {
            lines.append(row("name", name.canonicalText, "of --upstream"))
        }
        let absent = otherOptions.filter { invocation.options($0.long).isEmpty }.map {
            "--\($0.long)"
        }
        lines += linkRows + faultRows + otherRows
        lines += TextLayout.wrap(absent.joined(separator: " "), width: 80).enumerated().map {
            TextLayout.pad($0 == 0 ? "not given" : "", to: 17) + $1
        }
        let files = invocation.configurationFiles
        lines.append("configuration: \(files.isEmpty ? "no file" : files.joined(separator: ", "))")
        return lines + ["repeat with: \(description.reproduction)"]
    }

    /// What the profile comes to, without what it leaves as every link has it.
    private var linkRows: [String] {
        let plain = Profile(name: "").settableKeys
        return description.profile.settableKeys.compactMap { key in
            let setting = origins[key.key]
            guard let value = key.value, setting != nil || key.isParameter || !plain.contains(key)
            else { return nil }
            let origin = setting.map(Self.origin) ?? "profile \(description.profile.name)"
            return row(key.key, value.count > 60 ? "..." : value, origin)
        }
    }

    private static func origin(_ setting: ProfileSetting) -> String {
        OptionOrigin.file(setting.place).description(of: "set")
    }

    private var faultRows: [String] {
        let given = invocation.options("fault")
        return description.faults.enumerated().map { index, fault in
            let origin =
                index < given.count
                ? given[index].origin.description(of: "fault")
                : "profile \(description.profile.name)"
            return row("fault", fault.canonicalText, origin)
        }
    }

    private var otherOptions: [OptionSpecification] {
        invocation.command.options.filter {
            $0.group != .general && !Self.special.contains($0.long)
        }
    }

    private var otherRows: [String] {
        otherOptions.flatMap { option in
            invocation.options(option.long).map {
                row(
                    option.long,
                    option.value == nil ? "yes" : Invocation.shown($0.value, of: option.long),
                    $0.origin.description(of: option.long)
                )
            }
        }
    }

    private func row(_ name: String, _ value: String, _ origin: String) -> String {
        TextLayout.pad(name, to: 16) + " " + TextLayout.pad(value, to: 34) + "  (\(origin))"
    }

    /// Where an option was given, the `index`th of several.
    private func origin(_ option: String, _ index: Int = 0) -> String {
        let given = invocation.options(option)
        guard let last = given.last else { return Self.builtIn }
        return (index < given.count ? given[index] : last).origin.description(of: option)
    }
}
