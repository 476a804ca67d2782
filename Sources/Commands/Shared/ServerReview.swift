internal import Arguments
internal import Basics
internal import Conformance
internal import Exploration
internal import Faults
internal import HTTPTransport
internal import HTTPWire
internal import Reports
internal import SystemIO
internal import Trials

/// Checks of the server that a command talks to, beside what is said of the command.
///
/// They run as the client of a trial, so that a server that runs start is started for them, too.
final class ServerReview: ClientCode {
    /// What a command asked the server for.
    struct Target: Hashable {
        let path: String
        let isUpload: Bool
    }

    private let loop: EventLoop
    private let targets: [Target]
    /// How a failed check is repeated, given its name and what it was of.
    private let repetition: @Sendable (String, Target) -> String
    private var waiting: ArraySlice<Target>
    private var client: HTTPClient?
    private var probe: ServerProbe?
    private var done: ((Int) -> Void)?
    private(set) var reports: [(report: ProbeReport, problem: String?)] = []

    /// More objects of one server tell little more of it.
    private static let mostTargets = 3

    /// - Parameters:
    ///   - map: what the command asked for.
    ///   - repetition: how a failed check is repeated, given its name and what it was of.
    ///   - loop: where it runs.
    init(
        _ map: BoundaryMap,
        repetition: @escaping @Sendable (String, Target) -> String,
        on loop: EventLoop
    ) {
        self.loop = loop
        self.repetition = repetition
        targets = Self.targets(map)
        waiting = targets[...]
    }

    /// Whether the command asked for nothing that can be checked.
    var isEmpty: Bool { targets.isEmpty }

    /// Objects that were fetched, and where uploads were made that can be resumed: others would leave
    /// something behind with every request.
    private static func targets(_ map: BoundaryMap) -> [Target] {
        let isResumable = map.exchanges.contains { exchange in
            exchange.method == "PATCH" || exchange.interims.contains { $0.status == 104 }
        }
        var targets: [Target] = []
        for exchange in map.exchanges where !exchange.path.utf8.contains(UInt8(ascii: "*")) {
            let isObject = exchange.method == "GET" && exchange.status == 200
            guard isObject || exchange.method == "POST" && isResumable else { continue }
            let target = Target(path: exchange.path, isUpload: !isObject)
            if !targets.contains(target) { targets.append(target) }
        }
        return Array(targets.prefix(mostTargets))
    }

    // MARK: Running

    func start(_ place: TrialPlace, done: @escaping (Int) -> Void) {
        self.done = done
        var settings = HTTPClientSettings()
        // A connection that the server closes meanwhile would look like a refusal.
        settings.idleConnections = 0
        settings.connectTime = .seconds(10)
        settings.progressTime = .seconds(10)
        if let trust = place.trust {
            settings.tls = try? .client(authorities: trust.certificate, verifiesPeer: true)
        }
        client = try? HTTPClient(loop: loop, settings: settings)
        next(place)
    }

    func cancel() { end(1) }

    private func next(_ place: TrialPlace) {
        guard let target = waiting.popFirst(), let client,
            let url = try? HTTPURL("\(place.url)\(target.path)")
        else { return end(0) }
        var report = ProbeReport("{url}\(target.path)") { [repetition] in repetition($0, target) }
        let probe = ServerProbe(ProbePlace(url, [:]), client)
        probe.onResult = { report.add($0) }
        self.probe = probe
        probe.start(isUpload: target.isUpload) { [weak self] problem in
            self?.reports.append((report, problem?.words))
            self?.next(place)
        }
    }

    private func end(_ code: Int) {
        guard let done else { return }
        self.done = nil
        client?.close()
        client = nil
        done(code)
    }

    // MARK: Results

    var errors: Int { reports.reduce(0) { $0 + $1.report.count(.error) } }

    /// For people: what was checked, and each rule that is broken.
    func lines(style: TextStyle) -> [String] {
        guard !isEmpty else {
            return ["server     not checked: the command fetched no object and made no upload", ""]
        }
        return reports.flatMap { report, problem in
            let broken = report.results.filter(\.isFailed).flatMap {
                report.lines($0, style: style, isThere: false)
            }
            return ["server     \(report.url): \(problem ?? report.summary)"] + broken
        } + [""]
    }

    /// Suites of JUnit, one for each object or place of uploads.
    var suites: [JUnitDocument.Suite] {
        reports.map { $0.report.suite(problem: $0.problem) }
    }

    /// Sections of a page.
    var sections: [String] { reports.flatMap { $0.report.section(problem: $0.problem) } }

    /// For the summary of a job on GitHub.
    var summary: [String] {
        reports.flatMap { report, problem in
            let words = "server \(report.url): \(problem ?? report.summary)"
            let broken = report.results.filter(\.isFailed).map { result in
                "- \(result.check.name) " + GitHubCommand.escaped(result.check.rule)
            }
            return ["#### \(GitHubCommand.escaped(words))", ""] + broken + [""]
        }
    }

    /// The same as JSON lines.
    var json: [String] {
        reports.flatMap { entry in entry.report.results.map { entry.report.json($0).text } }
    }
}

extension ServerProbe.Problem {
    /// Why, in a sentence.
    var words: String {
        switch self {
        case .unreachable(let words), .inconclusive(let words): words
        }
    }
}

extension ServerReview {
    /// Options that say what answers.
    private static let serverOptions =
        ["upstream"] + OptionSpecification.upstreamTLS.map(\.long)
        + ["serve", "misbehave", "framing", "origin-cmd", "transport"]

    /// The command line that repeats a check, with the same server.
    static func repetition(_ invocation: Invocation) -> @Sendable (String, Target) -> String {
        let isSecure = invocation.has("https")
        let options =
            invocation.words(serverOptions)
            + ["https", "http2"].filter { invocation.has($0) }.map { "--\($0)" }
        return { name, target in
            ShellText.line(
                [CommandSet.program, "run", "-q"] + options
                    + ["--", CommandSet.program, "probe", "--only", name]
                    + (target.isUpload ? ["--upload"] : [])
                    + (isSecure ? ["--cacert", "{ca}"] : [])
                    + ["{url}\(target.path)"]
            )
        }
    }

    /// The trial in which this is the client.
    func trial(like other: Trial) -> Trial {
        var trial = other
        trial.schedule.faults = []
        trial.lookups = nil
        trial.client = .code(self)
        trial.oracles = []
        trial.folder = nil
        trial.deadlineMilliseconds = Self.deadlineMilliseconds
        return trial
    }

    private static let deadlineMilliseconds: UInt64 = 300_000
}

extension OptionSpecification {
    static let probeServer = OptionSpecification(
        long: "probe-server",
        help: """
            Also check the server with the rules of `linkcond probe`: the objects that CMD fetches \
            (at most three), and the URLs at which it creates resumable uploads. If the server \
            breaks a rule, the exit code is 1.
            """,
        group: .result
    )
}
