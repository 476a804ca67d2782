import Faults
import Analysis
import Testing

@testable import Exploration

/// The line that repeats a run and fails as it did.
@Suite struct RepeatLineTests {
    private static let point = (try? Point(parsing: "lc1;c1/r1:resp.body+1=fin")) ?? .quiet

    private static func baseline(
        _ oracle: BaselineSummary.Oracle,
        digest: String? = nil,
        object: String? = nil,
        uploads: [String] = []
    ) -> BaselineSummary {
        BaselineSummary(
            base: "0",
            isStable: true,
            exchanges: [],
            ignoredChecks: [],
            oracle: oracle,
            digest: digest,
            object: object,
            uploads: uploads,
            milliseconds: 1
        )
    }

    /// What stands between the schedule and the command.
    private static func options(
        _ baseline: BaselineSummary,
        _ kind: FindingClass,
        _ reason: String = "exit 0, but the content is no version of the object",
        deadline: UInt64? = 60_000
    ) -> String {
        let line = line(point, baseline, kind, reason, deadline: deadline)
        let start = "linkcond replay 'lc1;seed=1;c1/r1:resp.body+1=fin'"
        return String(line.trimmingPrefix(start).trimmingSuffix(" -- get").dropFirst())
    }

    private static func line(
        _ point: Point,
        _ baseline: BaselineSummary,
        _ kind: FindingClass,
        _ reason: String,
        deadline: UInt64?
    ) -> String {
        let settings = ReportSettings(
            tool: "linkcond",
            command: ["get"],
            seed: 1,
            effects: [.finish],
            depth: 1,
            replay: "linkcond replay {} -- get",
            deadlineMilliseconds: deadline
        )
        return RepeatLine(settings, baseline).text(for: point, kind, reason: reason)
    }

    @Test func `what the result was compared with stands in the line`() {
        let file = Self.baseline(.file, digest: "ab12")
        #expect(Self.options(file, .corrupt) == "--sha256 ab12")
        #expect(
            Self.options(file, .giveup, "exit 9, although the failure was temporary")
                == "--sha256 ab12"
        )
        let object = Self.baseline(.file, object: "/it's")
        #expect(Self.options(object, .corrupt) == "--fetch-check '{out}=/it'\\''s'")
        #expect(Self.options(Self.baseline(.given), .corrupt) == "")
    }

    @Test func `without a result to compare, success is demanded`() {
        let reason = "exit 9, although the failure was temporary"
        #expect(Self.options(Self.baseline(.none), .giveup, reason) == "--expect exit=0")
        #expect(Self.options(Self.baseline(.uploads), .giveup, reason) == "--expect exit=0")
        #expect(Self.options(Self.baseline(.none), .escaped, "x: y") == "--expect exit=0")
    }

    @Test func `what is lost is looked for at the server, what is there twice is counted there`() {
        let uploads = Self.baseline(.uploads, uploads: ["ab12", "ab12"])
        #expect(
            Self.options(uploads, .lost, "exit 0, but the origin has nothing")
                == "--server-check 'curl -s {control}/state | grep -q \"complete[^}]*ab12\"'"
        )
        #expect(
            Self.options(uploads, .duplicate, "uploads: 2 complete uploads instead of 1")
                == "--server-check '[ $(curl -s {control}/state | grep -o \"state...complete\""
                + " | wc -l) -le 2 ]'"
        )
        #expect(
            Self.options(uploads, .duplicate, "created more than once") == "--expect R3,R4"
        )
    }

    @Test(arguments: [
        ("R5: no condition at all", "R5"), ("without any fault: R1: twice", "R1"),
        ("wire<=1.25: 2.00 × the payload", "'wire<=1.25'"),
    ])
    func `a rule that was broken is demanded`(reason: String, expected: String) {
        let file = Self.baseline(.file, digest: "ab12")
        #expect(Self.options(file, .protocol, reason) == "--sha256 ab12 --expect \(expected)")
        #expect(Self.options(Self.baseline(.given), .waste, reason) == "--expect \(expected)")
    }

    @Test(arguments: [(60_000, "60s"), (1_500, "1500ms")] as [(UInt64, String)])
    func `a hang is ended where the exploration ended it`(limit: UInt64, text: String) {
        let words = "still running at the deadline"
        let given = Self.baseline(.given)
        #expect(Self.options(given, .hang, words, deadline: limit) == "--deadline \(text)")
        #expect(Self.options(given, .corrupt, words, deadline: limit) == "")
        #expect(Self.options(given, .hang, words, deadline: nil) == "")
    }

    @Test func `a command that cannot succeed has to end, and one that tries on and on is ended`()
        throws
    {
        let file = Self.baseline(.file, digest: "ab12")
        let lasting = try Point(parsing: "lc1;c*:connect=refuse")
        func demands(_ point: Point, _ kind: FindingClass, _ reason: String) -> Substring {
            let line = Self.line(point, file, kind, reason, deadline: 60_000)
            return line.trimmingSuffix(" -- get").drop { $0 != "-" }
        }
        let hang = "still running at the deadline"
        #expect(demands(lasting, .hang, hang) == "--expect B5 --deadline 60s")
        #expect(demands(Self.point, .hang, hang) == "--sha256 ab12 --deadline 60s")
        let tries = "B5: 34 fruitless attempts for /x"
        #expect(demands(lasting, .waste, tries) == "--sha256 ab12 --expect B5 --deadline 60s")
    }

    @Test func `what a later run shows is repeated by two runs in one folder at one address`() {
        let file = Self.baseline(.file, digest: "ab12")
        let reason = "a later run without faults does not finish: exit 3"
        let place = "--dir \"$dir\" --listen 127.0.0.1:8437 --deadline 60s"
        #expect(
            Self.line(Self.point, file, .giveup, reason, deadline: 60_000)
                == "dir=$(mktemp -d); linkcond replay 'lc1;seed=1;c1/r1:resp.body+1=fin' \(place)"
                + " -- get; linkcond replay 'lc1;seed=1' \(place) --sha256 ab12 -- get"
        )
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ suffix: String) -> SubSequence {
        hasSuffix(suffix) ? dropLast(suffix.count) : self[...]
    }
}
