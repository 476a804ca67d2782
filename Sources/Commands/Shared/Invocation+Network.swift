internal import Arguments
internal import Basics
internal import Faults
internal import LinkProfile
internal import Proxy
internal import YAML

/// Option values that describe a network.
extension Invocation {
    /// The `--fault` options.
    func faults() throws(Failure) -> [Fault] {
        var faults: [Fault] = []
        for option in options("fault") {
            do throws(ScheduleError) {
                faults.append(try Fault(parsing: option.value))
            } catch {
                throw option.origin.failure(
                    "fault",
                    "'\(option.value)', column \(error.column): \(error.description)"
                        + " (see: linkcond help faults)"
                )
            }
        }
        return faults
    }

    /// The `--set` options, those of files with their place there.
    func profileSettings() throws(Failure) -> [ProfileSetting] {
        var settings: [ProfileSetting] = []
        for option in options("set") {
            guard var setting = ProfileSetting(parsing: option.value) else {
                throw option.origin.failure(
                    "set",
                    "'\(option.value)': write KEY=VALUE, for example delay=80ms"
                )
            }
            switch option.origin {
            case .file(let place): setting.place = place
            case .alias(let word): setting.place = .option("--\(word) \(setting.value)")
            case .commandLine, .environment: break
            }
            settings.append(setting)
        }
        return settings
    }

    /// The networks of hosts that `--route` names.
    ///
    /// Load them before the profile, which then looks at all files that were read.
    func hostNetworks(from catalog: ProfileCatalog) throws(Failure) -> [HostNetwork] {
        var networks: [HostNetwork] = []
        for option in options("route") {
            let words = option.value.split(separator: "=", maxSplits: 1)
            guard words.count == 2, let hosts = HostPattern(String(words[0])) else {
                throw option.origin.failure(
                    "route",
                    "'\(option.value)': write HOST=PROFILE or HOST:PORT=PROFILE, for example"
                        + " '*.cdn.example=lte'; * stands for any characters"
                )
            }
            guard !networks.contains(where: { $0.hosts == hosts }) else {
                throw option.origin.failure(
                    "route",
                    "'\(option.value)': \(hosts.canonicalText) has a profile already; leave one out"
                )
            }
            let profile = try profile(
                String(words[1]),
                of: option,
                from: catalog,
                insteadOfItsFaults: "give faults as --fault 'host(HOST)/...'"
            )
            networks.append(HostNetwork(hosts, profile))
        }
        return networks
    }

    /// The network of the second path that `--second-path` names; nil without one.
    ///
    /// Load it before the profile, as `hostNetworks`.
    func secondPath(from catalog: ProfileCatalog) throws(Failure) -> Profile? {
        guard let option = options("second-path").last else { return nil }
        return try profile(
            option.value,
            of: option,
            from: catalog,
            insteadOfItsFaults: "give faults as --fault"
        )
    }

    private func profile(
        _ name: String,
        of option: Option,
        from catalog: ProfileCatalog,
        insteadOfItsFaults advice: String
    ) throws(Failure) -> Profile {
        let profile: Profile
        do throws(Failure) {
            profile = try catalog.load(name)
        } catch {
            guard error.diagnostics.isEmpty else { throw error }
            throw option.origin.failure(option.long, "'\(option.value)': \(error.message)")
        }
        guard profile.faults.isEmpty else {
            throw option.origin.failure(
                option.long,
                "'\(option.value)': the profile '\(name)' has faults, which act on all connections;"
                    + " name a profile without, and \(advice)"
            )
        }
        return profile
    }

    /// The profile that `--profile` names, with the `--set` options over it.
    ///
    /// - Throws: also where an option would write over one of its files.
    func profile(from catalog: ProfileCatalog) throws(Failure) -> Profile {
        let profile = try loadProfile(from: catalog)
        try catalog.requireUnread(writtenFiles)
        return profile
    }

    private func loadProfile(from catalog: ProfileCatalog) throws(Failure) -> Profile {
        let settings = try profileSettings()
        do throws(Failure) {
            return try catalog.load(value("profile") ?? "none", settings: settings)
        } catch {
            // Of a name in a file, the place helps; mistakes in the profile have their own.
            guard error.diagnostics.isEmpty, case .file = origin(of: "profile") else { throw error }
            throw failure("profile", error.message)
        }
    }
}
