internal import Analysis
internal import Arguments
internal import Journal
internal import Reports
internal import SystemIO

/// Where the report of a run goes besides the text, and in which forms.
struct RunOutput: Hashable, Sendable {
    let junit: String?
    let page: String?
    let forGitHub: Bool

    /// - Throws: `usage` for one file for two things.
    init(_ invocation: Invocation) throws(Failure) {
        junit = invocation.value("junit")
        page = invocation.value("html")
        forGitHub = invocation.has("github") || GitHubJob.isHere
        let files = invocation.writtenFiles.map { (option: "--\($0.option)", path: $0.path) }
        for (place, file) in files.enumerated() {
            for other in files.prefix(place) { try OutputPlace.requireDistinct(file, other) }
        }
        if let option = ["junit", "html"].first(where: { invocation.value($0) == "-" }) {
            throw invocation.failure(option, "standard output belongs to the command; name a file")
        }
    }

    /// Checks before the run that its reports can be written after it.
    func requireWritable() throws(Failure) {
        if let junit { try OutputPlace.checkWritable(junit, "the JUnit report") }
        if let page { try OutputPlace.checkWritable(page, "the page") }
    }

    /// - Parameters:
    ///   - run: the run to report.
    ///   - server: the checks of its server; nil if none were asked for.
    ///   - console: where annotations go.
    /// - Throws: `cannotCreate` for what cannot be written.
    func write(
        _ run: JudgedRun,
        _ server: ServerReview?,
        to console: Console
    ) throws(Failure) {
        if let junit {
            let document = RunReportJUnit(runs: [run], further: server?.suites ?? [])
            try replace(junit, with: Console.bytes(document.lines()))
        }
        if let page {
            let document = RunReportPage(runs: [run], across: [], further: server?.sections ?? [])
            try replace(page, with: Array(document.document().utf8))
        }
        guard forGitHub else { return }
        if let annotation = Self.annotation(run) {
            try console.writeAnnotations([annotation], toErrors: true)
        }
        try GitHubJob.appendToSummary(Self.summary(run) + (server?.summary ?? []))
    }

    private func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try FileSystem.replace(path, with: bytes)
        } catch {
            throw Failure(.cannotCreate, "cannot write '\(path)': \(error)")
        }
    }

    /// Nil for a run that passes, of which there may be many in a job.
    static func annotation(_ run: JudgedRun) -> String? {
        let level: GitHubCommand.Level
        switch run.verdict {
        case .pass, .skipped: return nil
        case .inconclusive: level = .warning
        case .fail: level = .error
        }
        let text = "\(run.reason)\nrepeat with: \(run.reproduction)"
        return GitHubCommand.annotation(level, title: run.name, text)
    }

    static func summary(_ run: JudgedRun) -> [String] {
        let title = "### \(GitHubCommand.escaped(run.name)): \(run.verdict.rawValue)"
        let findings = run.report.findings.map {
            "- \($0.kind.rawValue): \(GitHubCommand.escaped($0.words))"
        }
        return [title, "", GitHubCommand.escaped(run.reason), ""] + findings
            + (findings.isEmpty ? [] : [""]) + GitHubCommand.fenced([run.reproduction]) + [""]
    }
}
