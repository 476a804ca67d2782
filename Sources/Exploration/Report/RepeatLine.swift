internal import Basics
internal import Analysis

/// The command line that repeats a run of an exploration and fails as that run did.
///
/// What the user's own options demand stands in the exploration's line already. Here comes what the
/// exploration demanded without being told: the result of the runs without faults, an end before the
/// deadline, success where the faults pass.
struct RepeatLine {
    private let settings: ReportSettings
    private let baseline: BaselineSummary?

    /// What a client keeps to go on with is of one URL, so both runs of a pair need one address.
    private static let address = "127.0.0.1:8437"

    init(_ settings: ReportSettings, _ baseline: BaselineSummary?) {
        self.settings = settings
        self.baseline = baseline
    }

    /// - Parameters:
    ///   - point: its faults.
    ///   - kind: how it failed.
    ///   - reason: why, as the judge has it.
    /// - Returns: a line for a shell, which ends with another exit code than 0.
    func text(for point: Point, _ kind: FindingClass, reason: String) -> String {
        let demands = demands(point, kind, reason)
        guard reason.hasPrefix(Judge.laterRun) else {
            return line(point, demands + (Self.maySpin(kind, reason) ? deadline : []))
        }
        // The first of the two may have been ended by the deadline, which was no finding then.
        let place = ["--dir \"$dir\"", "--listen \(Self.address)"] + uploadFolder + deadline
        return "dir=$(mktemp -d); \(line(point, place)); \(line(point.later, place + demands))"
    }

    private func demands(_ point: Point, _ kind: FindingClass, _ reason: String) -> [String] {
        // A command that cannot succeed only has to end.
        guard kind == .hang, point.isPermanent, !reason.hasPrefix(Judge.laterRun) else {
            return result + uploads(kind, reason) + expectation(kind, reason)
        }
        return ["--expect \(Check.b5.rawValue)"]
    }

    /// Whether a command may go on and on where it fails like this.
    private static func maySpin(_ kind: FindingClass, _ reason: String) -> Bool {
        kind == .hang || Judge.failedCheck(in: reason) == Check.b5.rawValue[...]
    }

    /// - Returns: a line for a shell which fails where the rule is broken again.
    func text(for advice: CampaignAdvice) -> String {
        line(advice.simplest, ["--expect \(advice.check.rawValue)"])
    }

    /// The exploration's line with a schedule and further options.
    private func line(_ point: Point, _ options: [String]) -> String {
        let schedule = "'lc1;seed=\(settings.seed)\(point.schedule.dropFirst("lc1".count))'"
        let words = ([schedule] + options).joined(separator: " ")
        guard let mark = settings.replay.firstRange(of: "{}") else {
            return "\(settings.replay) \(words)"
        }
        let head = settings.replay[..<mark.lowerBound]
        return "\(head)\(words)\(settings.replay[mark.upperBound...])"
    }

    /// What the result has to be, if the runs without faults say it.
    private var result: [String] {
        if let digest = baseline?.digest { return ["--sha256 \(digest)"] }
        guard let object = baseline?.object else { return [] }
        return ["--fetch-check \(Self.quoted("{out}=\(object)"))"]
    }

    /// What the server has to have; its state tells of each upload whether it is complete, and then
    /// its digest.
    private func uploads(_ kind: FindingClass, _ reason: String) -> [String] {
        if kind == .duplicate, reason.hasPrefix(ResultComparison.check) {
            let limit = baseline?.uploads.count ?? 0
            return [
                "--server-check '[ $(curl -s {control}/state | grep -o \"state...complete\""
                    + " | wc -l) -le \(limit) ]'"
            ]
        }
        guard kind == .lost else { return [] }
        return Set(baseline?.uploads ?? []).sorted().map {
            "--server-check 'curl -s {control}/state | grep -q \"complete[^}]*\($0)\"'"
        }
    }

    /// What the server has of the first run is there in the second.
    private var uploadFolder: [String] {
        baseline?.uploads.isEmpty == false
            ? ["--keep-uploads \"$dir/\(RunFolders.uploadsName)\""] : []
    }

    private var deadline: [String] {
        guard let limit = settings.deadlineMilliseconds else { return [] }
        let isWhole = limit.isMultiple(of: 1_000)
        return ["--deadline \(isWhole ? "\(limit / 1_000)s" : "\(limit)ms")"]
    }

    private func expectation(_ kind: FindingClass, _ reason: String) -> [String] {
        if let check = Judge.failedCheck(in: reason) { return ["--expect \(Self.quoted(check))"] }
        switch kind {
        case .duplicate where !reason.hasPrefix(ResultComparison.check): return ["--expect R3,R4"]
        default:
            // With a check of the result success is demanded, too.
            let checks = result + uploads(kind, reason)
            return baseline?.oracle == .given || !checks.isEmpty ? [] : ["--expect exit=0"]
        }
    }

    /// A text as a shell reads it back.
    private static func quoted(_ text: some StringProtocol) -> String {
        if text.allSatisfy({ $0.isLetter || $0.isNumber }) { return String(text) }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.joined(separator: "'\\''"))'"
    }
}
