internal import Proxy
internal import FaultInjection
internal import LinkEngine
internal import LinkProfile

/// What `--dry-run` prints: every setting and where it comes from.
struct DryRun {
    let description: RunDescription
    let invocation: Invocation
    let options: ProxyOptions

    func lines() -> [String] {
        let profile = description.profile
        var lines = [
            row("profile", profile.name, origin("profile")),
            row("seed", String(description.seed), seedOrigin),
        ]
        for route in description.routes {
            lines.append(row("listen", route.listen.description, origin("listen")))
            lines.append(row("upstream", route.upstreamText, origin("upstream")))
        }
        lines += [
            row("down", LinkDescription.direction(profile.link.down), "profile"),
            row("up", LinkDescription.direction(profile.link.up), "profile"),
        ]
        for parameter in profile.parameters {
            let isSet = options.settings.contains { $0.key == parameter.name }
            lines.append(
                row(
                    "parameter",
                    "\(parameter.name)=\(parameter.value)",
                    isSet ? "--set" : "default"
                )
            )
        }
        for (index, fault) in description.faults.enumerated() {
            let origin = index < options.faults.count ? "--fault" : "profile"
            lines.append(row("fault", fault.canonicalText, origin))
        }
        lines.append(row("path", pathText, "profile"))
        return lines + ["repeat with: \(description.reproduction)"]
    }

    private var pathText: String {
        let path = description.profile.path
        return ProfileJSON.interface(path.interface)
            + (path.isExpensive ? ", expensive" : "") + (path.isConstrained ? ", constrained" : "")
    }

    private func row(_ name: String, _ value: String, _ origin: String) -> String {
        TextLayout.pad(name, to: 11) + TextLayout.pad(value, to: 44) + "  (\(origin))"
    }

    private var seedOrigin: String {
        options.seed == nil ? "chosen" : origin("seed")
    }

    private func origin(_ option: String) -> String {
        guard invocation.has(option) else { return "default" }
        guard invocation.environmentOptions.contains(option) else { return "--\(option)" }
        return invocation.command.option(long: option)?.environment ?? "environment"
    }
}
