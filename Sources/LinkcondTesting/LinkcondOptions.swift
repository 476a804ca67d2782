internal import Basics
internal import Exploration
internal import Faults
internal import LinkProfile
internal import Origin
internal import Proxy
internal import Trials
internal import YAML

/// What network a test runs behind, as it was written down.
struct LinkcondOptions: Hashable, Sendable {
    var profile = "none"
    /// `KEY=VALUE` each.
    var settings: [String] = []
    var faults: [String] = []
    /// Instead of faults.
    var schedule: String?
    var seed: UInt64?
    /// `host:port` of the server; nil for a test server.
    var upstream: String?
    /// What the test server serves.
    var folder: String?
    /// What it does wrong.
    var misbehaviour = ""
    var mustFire = true

    /// Without a choice, every run draws the same.
    static let defaultSeed: UInt64 = 1

    /// The trial whose client is `client`.
    func trial(_ client: any ClientCode) throws(LinkcondError) -> Trial {
        let network = try loadedProfile()
        var whole = try ownSchedule()
        whole.seed = seed ?? whole.seed ?? Self.defaultSeed
        whole.faults += network.faults.filter { !whole.faults.contains($0) }
        var trial = Trial(schedule: whole, client: .code(client))
        trial.profile = network
        trial.purpose = "test"
        trial.server = try server()
        return trial
    }

    func loadedProfile() throws(LinkcondError) -> Profile {
        var parsed: [ProfileSetting] = []
        for text in settings {
            guard let setting = ProfileSetting(parsing: text) else {
                throw LinkcondError("'\(text)': write KEY=VALUE, for example delay=80ms")
            }
            parsed.append(setting)
        }
        do throws(ProfileError) {
            return try ProfileFiles.library.load(profile, settings: parsed)
        } catch {
            throw LinkcondError("profile '\(profile)': \(Self.words(error))")
        }
    }

    private static func words(_ error: ProfileError) -> String {
        switch error {
        case .unknownProfile(_, let suggestions):
            "there is no such profile" + ProfileError.hint(suggestions)
        case .unreadable(let path, let reason): "cannot read '\(path)': \(reason)"
        case .invalid(let diagnostics): diagnostics.map(\.text).joined(separator: "\n")
        }
    }

    private func ownSchedule() throws(LinkcondError) -> FaultSchedule {
        do throws(ScheduleError) {
            if let schedule { return try FaultSchedule(parsing: schedule) }
        } catch {
            throw LinkcondError(error.diagnostic(label: "schedule"))
        }
        var parsed: [Fault] = []
        for text in faults {
            do throws(ScheduleError) {
                parsed.append(try Fault(parsing: text))
            } catch {
                throw LinkcondError(error.diagnostic(label: "fault '\(text)'"))
            }
        }
        return FaultSchedule(seed: nil, faults: parsed)
    }

    private func server() throws(LinkcondError) -> Trial.Server {
        guard let upstream else {
            var configuration = OriginConfiguration()
            configuration.folder = folder
            configuration.keepsUploads = false
            configuration.misbehaviour = misbehaviour
            return .embedded(configuration)
        }
        do throws(ProxyError) {
            return .upstream(try Endpoint(parsing: upstream))
        } catch {
            throw LinkcondError(error.description)
        }
    }

    /// How to write the same again.
    func reproduction(_ place: Linkcond) -> String {
        var words: [String] = []
        if profile != "none" { words.append(Self.literal(profile)) }
        if !settings.isEmpty {
            words.append("set: [\(settings.map(Self.literal).joined(separator: ", "))]")
        }
        words.append("schedule: \(Self.literal(place.schedule))")
        return ".linkcond(\(words.joined(separator: ", ")))"
    }

    static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
