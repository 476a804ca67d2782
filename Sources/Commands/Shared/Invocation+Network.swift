internal import Arguments
internal import Faults
internal import LinkProfile

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
            if case .file(let place) = option.origin { setting.place = place }
            settings.append(setting)
        }
        return settings
    }

    /// Options that name a file to write.
    private static let outputs = [
        "journal", "ready-file", "packets", "report", "junit", "html",
    ]

    /// The profile that `--profile` names, with the `--set` options over it.
    ///
    /// - Throws: also where an option would write over one of its files.
    func profile(from catalog: ProfileCatalog) throws(Failure) -> Profile {
        let profile = try loadProfile(from: catalog)
        try catalog.requireUnread(Self.outputs.map { ($0, value($0)) })
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
