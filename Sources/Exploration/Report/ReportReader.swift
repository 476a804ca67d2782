internal import Analysis
package import Basics
internal import Faults
internal import Journal

/// Reads a report from its lines, one after the other.
package struct ReportReader {
    private var parts: [String?: Part] = [:]
    /// The tests in the order of their first lines.
    private var tests: [String?] = []

    package init() {}

    /// Why a line cannot be part of a report, in words.
    package struct Problem: Error, Hashable, Sendable {
        package let words: String
    }

    /// Takes one line; lines of types that it does not know are passed over.
    package mutating func take(_ line: JSONObject) throws(Problem) {
        let type = try line.text("t")
        let test: String? = line["test"] == nil ? nil : try line.text("test")
        guard type == "start" || !parts.isEmpty else {
            throw Problem(words: "the first line is '\(type)', not 'start': this is no report")
        }
        if type == "start", case .string? = line["command"] {
            throw Problem(
                words: "this is the journal of a run, not a report; `linkcond report` judges it"
            )
        }
        if type == "start" {
            if parts[test] == nil { tests.append(test) }
            try parts[test, default: Part()].takeStart(line)
        } else if Part.types.contains(type) {
            guard parts[test] != nil else {
                throw Problem(words: "this '\(type)' is of a test without a 'start' before it")
            }
            try parts[test]?.take(line, type)
        }
    }

    /// What the lines so far make; nil before the first one.
    package var report: SuiteReport? {
        let reports = tests.compactMap { parts[$0]?.report }
        return reports.isEmpty ? nil : SuiteReport(reports)
    }
}

/// What the lines of one test say.
private struct Part {
    private var settings: ReportSettings?
    private var baseline: BaselineSummary?
    private var problem: BaselineProblem?
    private var records: [PointRecord] = []
    private var minima: [Minimum] = []
    private var shards: [Shard] = []
    /// Whether the last line says that the search came to its end.
    private var isComplete = false
    private var remainingPoints = 0

    /// Of lines that count, besides `start`.
    static let types: Set<String> = ["baseline", "run", "minimum", "end"]

    mutating func take(_ line: JSONObject, _ type: String) throws(ReportReader.Problem) {
        switch type {
        case "baseline": baseline = try BaselineSummary(line)
        case "run": take(try PointRecord(line))
        case "minimum": minima.append(try Minimum(line))
        default:
            isComplete = line["complete"] == .bool(true)
            if line["remaining"] != nil { remainingPoints = try line.number("remaining") }
            if case .object(let found) = line["problem"] { problem = try BaselineProblem(found) }
        }
    }

    private mutating func take(_ record: PointRecord) {
        if record.corrects {
            records.removeAll {
                $0.point.identity == record.point.identity && $0.purpose.isSearch
            }
        }
        records.append(record)
    }

    mutating func takeStart(_ line: JSONObject) throws(ReportReader.Problem) {
        guard line["v"] == .number(ReportLines.version) else {
            throw ReportReader.Problem(words: "this is a report of another version of linkcond")
        }
        settings = try ReportSettings(line)
        guard let shard = Shard(parsing: try line.text("shard")) else {
            throw ReportReader.Problem(words: "'shard' is not of the form 2/4")
        }
        shards.append(shard)
    }

    var report: CampaignReport? {
        guard let settings else { return nil }
        var report = CampaignReport(
            settings: settings,
            baseline: baseline,
            problem: problem,
            records: records,
            minima: minima,
            shards: shards,
            isComplete: isComplete
        )
        report.remainingPoints = remainingPoints
        return report
    }
}

extension JSONObject {
    fileprivate func text(_ key: String) throws(ReportReader.Problem) -> String {
        guard case .string(let text) = self[key] else {
            throw ReportReader.Problem(words: "'\(key)' is missing or no text")
        }
        return text
    }

    fileprivate func texts(_ key: String) throws(ReportReader.Problem) -> [String] {
        guard case .array(let values) = self[key] ?? .array([]) else {
            throw ReportReader.Problem(words: "'\(key)' is no list")
        }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else {
                throw ReportReader.Problem(words: "'\(key)' holds something other than text")
            }
            texts.append(text)
        }
        return texts
    }

    fileprivate func number<Number: FixedWidthInteger>(
        _ key: String
    ) throws(ReportReader.Problem) -> Number {
        guard case .integer(let value) = self[key], let number = Number(exactly: value) else {
            throw ReportReader.Problem(words: "'\(key)' is missing or no number in its range")
        }
        return number
    }

    /// A time, cut to a century, so that those of many runs can be added.
    fileprivate func milliseconds(_ key: String) throws(ReportReader.Problem) -> UInt64 {
        min(try number(key), UInt64(Duration.century.wholeMilliseconds))
    }

    fileprivate func point(_ key: String) throws(ReportReader.Problem) -> Point {
        let text = try text(key)
        do throws(ScheduleError) {
            return try Point(parsing: text)
        } catch {
            throw ReportReader.Problem(words: "'\(text)', column \(error.column): \(error)")
        }
    }

    fileprivate var trace: String? {
        guard case .object(let environment) = self["env"],
            case .string(let path) = environment["trace"]
        else {
            return nil
        }
        return path
    }
}

extension ReportSettings {
    fileprivate init(_ line: JSONObject) throws(ReportReader.Problem) {
        self.init(
            tool: try line.text("tool"),
            test: line["test"] == nil ? nil : try line.text("test"),
            command: try line.texts("command"),
            seed: try line.number("seed"),
            effects: try line.texts("effects").compactMap(Effect.Kind.init(named:)),
            depth: try line.number("depth"),
            replay: try line.text("repeat"),
            deadlineMilliseconds: line["deadline_ms"] == nil ? nil : try line.number("deadline_ms"),
            allowedUnreached: try line.number("allow_unreached"),
            requiresComplete: line["require_complete"] == .bool(true)
        )
        if line["warp"] != nil { warp = try line.number("warp") }
    }
}

extension BaselineSummary {
    fileprivate init(_ line: JSONObject) throws(ReportReader.Problem) {
        self.init(
            base: try line.text("base"),
            isStable: line["stable"] == .bool(true),
            exchanges: try line.texts("exchanges"),
            ignoredChecks: try line.texts("ignored_checks"),
            oracle: Oracle(rawValue: try line.text("oracle")) ?? .none,
            digest: line["sha256"] == nil ? nil : try line.text("sha256"),
            object: line["object"] == nil ? nil : try line.text("object"),
            uploads: try line.texts("uploads"),
            milliseconds: try line.milliseconds("elapsed_ms")
        )
        if line["refusal"] != nil { refusal = try line.text("refusal") }
        if line["alteration"] != nil { alteration = try line.text("alteration") }
    }
}

extension PointRecord {
    fileprivate init(_ line: JSONObject) throws(ReportReader.Problem) {
        var reason = ""
        if line["reason"] != nil { reason = try line.text("reason") }
        guard
            let judgement = PointJudgement(word: try line.text("verdict"), reason: reason),
            let purpose = Purpose(rawValue: try line.text("purpose"))
        else {
            throw ReportReader.Problem(words: "'verdict' or 'purpose' has an unknown word")
        }
        self.init(
            point: try line.point("schedule"),
            purpose: purpose,
            judgement: judgement,
            signature: Signature(
                verdict: judgement.word,
                ending: try line.text("ending"),
                content: line["content"] == nil ? "" : try line.text("content"),
                later: line["later"] == nil ? nil : try line.text("later"),
                requests: try line.texts("requests")
            ),
            positions: try line.texts("positions")
        )
        triesAgain = line["again"] == .bool(true)
        if line["series"] != nil { series = try line.text("series") }
        if line["at"] != nil { at = try line.number("at") as UInt64 }
        advice = try line.texts("advice").compactMap { text in
            guard let end = text.firstRange(of: ": "),
                let check = Check(rawValue: String(text[..<end.lowerBound]))
            else { return nil }
            return .init(check: check, words: String(text[end.upperBound...]))
        }
        evidence = try line.texts("evidence")
        milliseconds = try line.milliseconds("elapsed_ms")
        trace = line.trace
        corrects = line["corrects"] == .bool(true)
    }
}

extension Minimum {
    fileprivate init(_ line: JSONObject) throws(ReportReader.Problem) {
        guard let kind = FindingClass(rawValue: try line.text("class")) else {
            throw ReportReader.Problem(words: "'class' has an unknown word")
        }
        self.init(
            of: try line.point("of"),
            kind: kind,
            point: try line.point("schedule"),
            positions: try line.texts("positions"),
            tests: try line.number("tests")
        )
    }
}

extension BaselineProblem {
    fileprivate init(_ line: JSONObject) throws(ReportReader.Problem) {
        switch try line.text("kind") {
        case "failed": self = .failed(reason: try line.text("reason"))
        case "disturbed": self = .disturbed(reason: try line.text("reason"))
        case "unreachable": self = .unreachable(reason: try line.text("reason"))
        case "no-traffic": self = .noTraffic
        case let kind: throw ReportReader.Problem(words: "'\(kind)' is no kind of problem")
        }
    }
}
