internal import Analysis
internal import Faults

/// A report in plain text, for a terminal or a log.
package struct ReportText {
    let report: CampaignReport
    /// Ids of findings that an earlier report has, too.
    let known: Set<String>
    /// How wide the table may be.
    private let width: Int

    /// How wide text is that is not for a terminal.
    package static let fileWidth = 100
    /// The most findings that are shown in full.
    package static let fullFindings = 10
    /// The most places of one that are.
    private static let fullPlaces = 12

    /// - Parameters:
    ///   - report: what to tell.
    ///   - known: ids of findings that an earlier report has, too.
    ///   - width: how many columns the table may take.
    package init(
        _ report: CampaignReport,
        known: Set<String> = [],
        width: Int = Self.fileWidth
    ) {
        self.report = report
        self.known = known
        self.width = width
    }

    package var lines: [String] {
        opening + baseline + matrix + findings + advice + summary
    }

    private var baseline: [String] {
        guard let baseline = report.baseline else { return [] }
        let stability =
            baseline.isStable
            ? "two runs exchanged the same messages" : "nondeterministic client: two runs differed"
        var lines = ["baseline \(baseline.base): \(stability)"]
        lines += baseline.exchanges.map { "  \($0)" }
        if !baseline.ignoredChecks.isEmpty {
            let names = baseline.ignoredChecks.joined(separator: ", ")
            lines.append("  not judged, since they fail without faults, too: \(names)")
        }
        switch baseline.oracle {
        case .file: lines.append("  the result must equal {out} of these runs")
        case .uploads: lines.append("  the result must equal the uploads of these runs")
        case .given, .none: break
        }
        return lines + [""]
    }

    private var matrix: [String] {
        let matrix = Matrix(report.records)
        guard !matrix.rows.isEmpty else { return [] }
        let legend = Matrix.legend.map { "\($0.letter) \($0.meaning)" }.joined(separator: "   ")
        return MatrixText(matrix, width: width).lines + [legend] + StatusCells(report.records).lines
            + guesses + Matrix.doubts(report.records) + [""]
    }

    /// Pairs and random schedules, which have no place in a table.
    private var guesses: [String] {
        [(PointRecord.Purpose.pair, "pair", " of faults"), (.random, "random schedule", "")]
            .flatMap { purpose, name, rest -> [String] in
                let records = report.records.filter { $0.purpose == purpose }
                guard !records.isEmpty else { return [] }
                let plural = records.count == 1 ? "" : "s"
                let line = "\(records.count) \(name)\(plural)\(rest): \(Self.outcomes(of: records))"
                return [line] + (purpose == .pair ? pairs : Self.honestPlaces(records))
            }
    }

    /// The most combinations of two effects that have a line.
    private static let fullPairs = 3

    /// What the pairs consist of, those that failed first.
    private var pairs: [String] {
        let records = report.records.filter { $0.purpose == .pair }
        let groups = Dictionary(grouping: records) { record in
            record.point.faults.map(\.effect.kind.name).joined(separator: " + ")
        }
        let failures = { (records: [PointRecord]) in
            records.count { $0.judgement.letter == "X" }
        }
        let sorted = groups.sorted { a, b in
            let (x, y) = (failures(a.value), failures(b.value))
            return (y, b.value.count, a.key) < (x, a.value.count, b.key)
        }
        let rest = sorted.dropFirst(Self.fullPairs).flatMap(\.value)
        let named =
            sorted.prefix(Self.fullPairs).map { ($0.key, $0.value) }
            + (rest.isEmpty ? [] : [("other effects", rest)])
        return named.flatMap { name, records in
            ["  \(name): \(Self.outcomes(of: records))"] + Self.honestPlaces(records)
        }
    }

    /// The most places of honest failures that are named, and the most effects at one of them.
    private static let namedHonestPlaces = 2
    private static let namedDeeds = 3

    /// Where the command failed honestly, and by which effects; most often first.
    private static func honestPlaces(_ records: [PointRecord]) -> [String] {
        let honest = records.filter { $0.judgement == .honest }
        let places = Dictionary(grouping: honest) { $0.positions.joined(separator: " + ") }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        let lines = places.prefix(namedHonestPlaces).map { position, records in
            let deeds = Set(records.map { $0.point.faults.map(\.deed).joined(separator: " + ") })
            let named = deeds.sorted().shortList(atMost: namedDeeds, separator: "; ")
            return "    honestly at \(position): \(named)"
        }
        let rest = places.count - lines.count
        return lines + (rest > 0 ? ["    and at \(rest) place\(rest == 1 ? "" : "s") more"] : [])
    }

    /// As in `12 passed, 1 failed`.
    private static func outcomes(of records: [PointRecord]) -> String {
        let words: [(letter: Character, word: String)] = [
            (".", "passed"), ("h", "failed honestly"), ("X", "failed"), ("-", "did not act"),
        ]
        let doubtful = records.count { $0.judgement.letter == "?" }
        let parts = words.compactMap { letter, word in
            let count = records.count { $0.judgement.letter == letter }
            return count == 0 ? nil : "\(count) \(word)"
        }
        return (parts + (doubtful == 0 ? [] : [Self.proveNothing(doubtful)])).joined(
            separator: ", "
        )
    }

    /// As in `1 proves nothing`.
    static func proveNothing(_ count: Int) -> String {
        "\(count) prove\(count == 1 ? "s" : "") nothing"
    }

    private var findings: [String] {
        let findings = report.findings
        let shown = findings.prefix(Self.fullFindings).flatMap { text(of: $0) + [""] }
        let rest = findings.dropFirst(Self.fullFindings).map {
            "\($0.id)  \($0.kind.rawValue) at \($0.position): \($0.minimal.schedule)"
        }
        return shown + rest + (rest.isEmpty ? [] : [""])
    }

    /// One finding in full.
    package func text(of finding: Finding) -> [String] {
        let title = known.contains(finding.id) ? "KNOWN" : "FINDING"
        var lines = ["\(title) \(finding.id)  \(finding.kind.rawValue): \(meaning(of: finding))"]
        for (index, place) in finding.places.prefix(Self.fullPlaces).enumerated() {
            lines += text(of: place, head: index == 0 ? "  where     " : "            ")
        }
        if finding.places.count > Self.fullPlaces {
            lines.append("            and \(finding.places.count - Self.fullPlaces) places more")
        }
        lines.append("  why       \(finding.reason)")
        lines += finding.evidence.map { "            \($0)" }
        let confirmed =
            finding.confirmations.of > 0 ? "  (again: \(finding.confirmations.text))" : ""
        lines.append("  smallest  \(finding.minimal.schedule)\(confirmed)")
        if !finding.others.isEmpty {
            lines.append("  others    \(finding.others.joined(separator: "; "))")
        }
        lines.append("  repeat    \(command(for: finding))")
        if let duration = duration(of: finding) { lines.append("            \(duration)") }
        if let remedy = finding.remedy { lines.append("  remedy    \(remedy)") }
        if let trace = finding.trace { lines.append("  trace     \(trace)") }
        return lines
    }

    /// The place, what befalls the command there, and from which byte to which.
    private func text(of place: FindingPlace, head: String) -> [String] {
        let deeds = place.deeds.isEmpty ? "" : ": \(place.deeds.joined(separator: "; "))"
        return ["\(head)\(place.position)\(deeds)"]
            + place.intervals.map { interval in
                let exact = interval.isExact ? "" : " (edges not searched to the byte)"
                return "              \(interval.deed): \(interval.text)\(exact)"
            }
    }

    /// Rules that are broken without failing the exploration, each once.
    private var advice: [String] {
        let lines = report.advice.flatMap { advice in
            [
                "\(advice.level.rawValue.uppercased()) \(advice.check.rawValue): \(advice.words)",
                "  \(advice.points) point\(advice.points == 1 ? "" : "s");"
                    + (advice.repetition.map { " \($0);" } ?? "")
                    + " --expect \(advice.check.rawValue) makes it a finding",
                "  repeat    \(command(for: advice))",
            ]
        }
        return lines.isEmpty ? [] : lines + [""]
    }

    private func meaning(of finding: Finding) -> String {
        finding.kind == finding.failure
            ? finding.meaning
            : "\(finding.meaning): \(finding.failure.rawValue) \(finding.confirmations.text)"
    }

    /// How long the command line takes that repeats a finding, if it waits for the deadline.
    func duration(of finding: Finding) -> String? {
        guard let limit = report.settings.deadlineMilliseconds, finding.deadlines > 0 else {
            return nil
        }
        return "ends after up to \((limit * finding.deadlines + 999) / 1_000) s"
    }

    /// The command line that repeats a finding.
    package func command(for finding: Finding) -> String {
        command(for: finding.minimal, finding.failure, finding.reason)
    }

    /// The command line that shows what a warning or a note is about, and fails for it.
    func command(for advice: CampaignAdvice) -> String {
        RepeatLine(report.settings, report.baseline).text(for: advice)
    }

    /// The command line that repeats a run that failed.
    func command(for record: PointRecord) -> String {
        let judgement = record.judgement
        return command(for: record.point, judgement.failure ?? .flaky, judgement.reason)
    }

    private func command(for point: Point, _ kind: FindingClass, _ reason: String) -> String {
        RepeatLine(report.settings, report.baseline).text(for: point, kind, reason: reason)
    }

    /// As in `29 points: 12 passed, 17 failed`.
    static func counts(of report: CampaignReport) -> String {
        let counts = report.counts
        let combinations = counts.idle == 1 ? "combination" : "combinations"
        let parts = [
            (counts.passed, "\(counts.passed) passed"),
            (counts.honest, "\(counts.honest) failed honestly"),
            (counts.failed, "\(counts.failed) failed"),
            (counts.inconclusive, proveNothing(counts.inconclusive)),
            (counts.unreached, "\(counts.unreached) did not act"),
            (counts.idle, "\(counts.idle) \(combinations) did not act"),
        ].filter { $0.0 > 0 }.map(\.1)
        let shard = report.shards.first.flatMap {
            $0.count > 1 && report.shards.count == 1 ? $0 : nil
        }
        return "\(counts.total) point\(counts.total == 1 ? "" : "s")"
            + (shard.map { " of shard \($0.text)" } ?? "") + (parts.isEmpty ? "" : ": ")
            + parts.joined(separator: ", ")
    }

    private var summary: [String] {
        var lines = ["\(Self.counts(of: report)); seed \(report.settings.seed)"]
        if !report.missingShards.isEmpty {
            let missing = report.missingShards.map(String.init).joined(separator: ", ")
            lines.append("missing: shard \(missing)")
        }
        let repetitions = report.repetitions
        if repetitions.all > 0 {
            lines.append(
                "\(repetitions.all) point\(repetitions.all == 1 ? "" : "s") run twice: "
                    + (repetitions.different.isEmpty
                        ? "every message the same" : "\(repetitions.different.count) differ")
            )
        }
        let checks = report.speedChecks
        if checks.all > 0 {
            lines.append(
                "\(checks.all) pass\(checks.all == 1 ? "" : "es") run again at real speed: "
                    + (checks.different.isEmpty
                        ? "all the same" : "\(checks.different.count) differ")
            )
        }
        return lines + [report.verdict.reason]
    }
}
