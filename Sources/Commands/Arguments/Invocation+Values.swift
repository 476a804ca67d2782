internal import Basics
internal import Faults
internal import LinkProfile

/// Option values as what they mean.
extension Invocation {
    /// `--seed`, a number of 64 bits.
    func seed() throws(Failure) -> UInt64? {
        guard let text = value("seed") else { return nil }
        guard let seed = UInt64(text) else {
            throw failure("seed", "'\(text)' is not a whole number from 0 to \(UInt64.max)")
        }
        return seed
    }

    /// A whole number within bounds.
    func count(_ option: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw failure(
                option,
                "'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// A size such as `10MB`; a bare number is refused.
    func byteCount(_ option: String) throws(Failure) -> UInt64? {
        guard let text = value(option) else { return nil }
        do throws(QuantityError) {
            if UInt64(text) != nil {
                throw QuantityError(text, kind: .byteCount, .missingUnit)
            }
            return try Quantity.byteCount(text)
        } catch {
            throw failure(option, error.description)
        }
    }

    /// A ratio such as `1.25`, as it was written.
    func ratio(_ option: String) throws(Failure) -> String? {
        guard let text = value(option) else { return nil }
        guard let number = Double(text), number.isFinite, number >= 0 else {
            throw failure(option, "expected a number, as in 1.25; found '\(text)'")
        }
        return text
    }

    /// A time such as `30s`.
    func duration(_ option: String) throws(Failure) -> Duration? {
        guard let text = value(option) else { return nil }
        do throws(QuantityError) {
            return try Quantity.duration(text)
        } catch {
            throw failure(option, error.description)
        }
    }

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
