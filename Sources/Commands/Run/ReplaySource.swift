internal import Arguments
internal import Basics
internal import Faults
internal import Journal
internal import LinkProfile
internal import SystemIO

/// The run that `replay` repeats: a schedule, or the journal of a run.
struct ReplaySource {
    let schedule: FaultSchedule
    /// Of the run that was recorded.
    private(set) var journal: CanonicalJournal?
    private(set) var purpose = "run"
    private var profileName: String?
    private var profileDigest: String?
    private var settings: [String] = []
    private var arguments: [String] = []
    /// The options of the name server that the recorded run had; empty for none.
    private var lookups: [(option: String, values: [String])] = []
    private var tool: String?
    /// What the journal lacks.
    private var gap: String?

    init(_ invocation: Invocation) throws(Failure) {
        switch (invocation.operands.first, invocation.value("from-journal")) {
        case (let text?, nil):
            guard text != "lc1" else {
                throw Failure(
                    .usage,
                    "the schedule has no faults; did the shell take the rest? Put it in quotes:"
                        + " 'lc1;c1:down+1000=rst'"
                )
            }
            schedule = try Self.schedule(text, place: "the schedule")
        case (nil, let path?):
            let (start, journal) = try Self.read(path)
            // With what was done by hand while that run went on.
            schedule = try Self.schedule(
                journal.schedule ?? start.schedule,
                place: "the schedule of '\(path)'"
            )
            self.journal = journal
            gap = JournalFiles(path).note.map { "'\(path)' \($0)" }
            purpose = start.command
            profileName = start.profile
            profileDigest = start.profileDigest
            tool = start.tool
            settings = Self.texts(start.environment["settings"])
            arguments = Self.texts(start.environment["argv"])
            lookups = Self.lookups(start.environment["dns"])
        case (nil, nil):
            throw Failure(
                .usage,
                "nothing to replay: give a schedule such as 'lc1;seed=7;c1:down+1000=rst', or"
                    + " --from-journal FILE"
            )
        case (_?, _?):
            throw Failure(.usage, "give a schedule or --from-journal FILE, not both")
        }
    }

    private static func schedule(
        _ text: String,
        place: String
    ) throws(Failure) -> FaultSchedule {
        do throws(ScheduleError) {
            return try FaultSchedule(parsing: text)
        } catch {
            throw Failure(
                .usage,
                "\(place), column \(error.column): \(error.description) (see: linkcond help faults)"
            )
        }
    }

    private static func read(
        _ path: String
    ) throws(Failure) -> (start: RunStart, journal: CanonicalJournal) {
        var start: RunStart?
        let journal = try JournalInput.canonical(path) { entry in
            if case .start(let found)? = JournalRecord(entry) { start = found }
        }
        guard let start else {
            throw Failure(.configuration, "'\(path)' has no start record; is it a journal?")
        }
        return (start, journal)
    }

    private static func lookups(_ value: JSONValue?) -> [(option: String, values: [String])] {
        guard case .object(let dns) = value else { return [] }
        var options = [(LookupOptions.flag, [""]), ("name", texts(dns["names"]))]
        if case .string(let upstream) = dns["upstream"] {
            options.append(("dns-upstream", [upstream]))
        }
        return options
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        guard case .array(let values) = value else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// Puts the seed and the network of the run that is repeated before what the environment and
    /// configuration files say; the command line itself counts more.
    func complete(_ invocation: inout Invocation) {
        if let seed = schedule.seed, !invocation.isGiven("seed") {
            invocation.replace("seed", with: [String(seed)])
        }
        for (option, values) in lookups
        where !values.isEmpty && !invocation.isGiven(option) {
            invocation.replace(option, with: values)
        }
        guard let profileName, !invocation.isGiven("profile"), !invocation.isGiven("set") else {
            return
        }
        invocation.replace("profile", with: [profileName])
        invocation.replace("set", with: settings)
    }

    /// What is different from the recorded run before anything happens.
    func notes(_ profile: Profile, program: [String]) -> [String] {
        var notes = [gap].compactMap(\.self)
        if let profileDigest,
            profileDigest != SHA256.hexadecimal(Array(profile.canonicalText.utf8))
        {
            notes.append("the network is not the recorded one, which was \(profileName ?? "none")")
        }
        if !arguments.isEmpty, arguments != program {
            notes.append("the recorded command was: \(ShellText.line(arguments))")
        }
        if let tool, tool != "\(CommandSet.program) \(Version.number)" {
            notes.append("it was recorded by \(tool)")
        }
        return notes
    }
}
