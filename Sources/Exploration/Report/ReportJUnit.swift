/// A report as JUnit XML: each point is a test case.
///
/// Readers differ in what they take beyond name, class name, time, failure, error and skipped, so
/// all details are in the failure's text.
package enum ReportJUnit {
    package static func document(_ report: CampaignReport, replay: ReportText) -> [String] {
        var seen: Set<PointIdentity> = []
        let records = report.records.filter {
            $0.isCounted && seen.insert($0.point.identity).inserted
        }
        let counts = report.counts
        let problems = report.problem == nil ? 0 : 1
        let time = seconds(records.reduce(0) { $0 + $1.milliseconds })
        let totals =
            "tests=\"\(records.count + problems)\" failures=\"\(counts.failed)\""
            + " errors=\"\(counts.inconclusive + problems)\" skipped=\"\(counts.unreached + counts.idle)\""
            + " time=\"\(time)\""
        let name = MarkupText.escaped(
            "linkcond explore " + report.settings.command.joined(separator: " ")
        )
        let head = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(totals)>",
            "  <testsuite name=\"\(name)\" \(totals)>",
        ]
        let cases = (report.problem.map(testCase) ?? []) + records.flatMap { testCase($0, replay) }
        return head + cases + ["  </testsuite>", "</testsuites>"]
    }

    /// The runs without faults, which failed.
    private static func testCase(_ problem: BaselineProblem) -> [String] {
        [
            "    <testcase classname=\"baseline\" name=\"without faults\" time=\"0.000\">",
            "      <error type=\"baseline\" message=\"\(MarkupText.escaped(problem.words))\"/>",
            "    </testcase>",
        ]
    }

    private static func testCase(_ record: PointRecord, _ replay: ReportText) -> [String] {
        let place = MarkupText.escaped(record.positions.joined(separator: " + "))
        let head =
            "    <testcase classname=\"\(place)\" name=\"\(MarkupText.escaped(record.point.schedule))\""
            + " time=\"\(seconds(record.milliseconds))\""
        let reason = MarkupText.escaped(record.judgement.reason)
        switch record.judgement.letter {
        case "X":
            let details =
                [record.judgement.reason] + record.evidence + [replay.command(for: record)]
            let text = MarkupText.escaped(details.joined(separator: "\n"))
            return [
                head + ">",
                "      <failure type=\"\(record.judgement.word)\" message=\"\(reason)\">\(text)</failure>",
                "    </testcase>",
            ]
        case "-": return [head + ">", "      <skipped message=\"\(reason)\"/>", "    </testcase>"]
        case "?":
            return [
                head + ">",
                "      <error type=\"\(record.judgement.word)\" message=\"\(reason)\"/>",
                "    </testcase>",
            ]
        default: return [head + "/>"]
        }
    }

    private static func seconds(_ milliseconds: UInt64) -> String {
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
