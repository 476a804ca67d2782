import Analysis
import Basics
import Testing

@testable import Arguments
@testable import Commands

@Suite struct ReportOptionsTests {
    private static func options(_ arguments: String...) throws -> ReportOptions {
        try ReportOptions(ArgumentParser.parse(["report"] + arguments) { _ in nil })
    }

    private static func mistake(_ arguments: [String]) -> String? {
        do throws(Failure) {
            _ = try ReportOptions(ArgumentParser.parse(["report"] + arguments) { _ in nil })
            return nil
        } catch {
            #expect(error.code == .usage)
            return error.message
        }
    }

    @Test func `limits become evidence`() throws {
        let options = try Self.options(
            "--max-resent",
            "1MiB",
            "--max-stalled-attempts",
            "7",
            "--cap",
            "30s",
            "--exit-code",
            "3",
            "a.jsonl",
            "b.jsonl"
        )
        #expect(options.journals == ["a.jsonl", "b.jsonl"])
        #expect(options.evidence.maximumResentBytes == 1_048_576)
        #expect(options.evidence.maximumTries == 7)
        #expect(options.evidence.cap == .seconds(30))
        #expect(options.evidence.exitCode == 3)
    }

    @Test(arguments: [
        (["--same", "a", "j"], "--same needs --result FILE, the file that the client created"),
        (["--result", "a", "j"], "--result needs --same FILE, the expected content"),
        (
            ["--same", "a", "--result", "b", "j", "k"],
            "--same and --result apply to one journal, not 2"
        ),
        (
            ["--json", "--html", "-", "j"],
            "only one of --json, --html -, --junit -, --har - and --pcapng - can have standard output"
        ),
        (
            ["--expect", "R2,atempts<=5", "j"],
            "--expect: 'R2,atempts<=5', column 4: unknown 'atempts'; did you mean 'attempts'?"
        ),
        (["--exit-code", "300", "j"], "--exit-code: '300' is not a whole number from 0 to 255"),
    ])
    func `mistakes are told with what would be right`(arguments: [String], message: String) {
        #expect(Self.mistake(arguments) == message)
    }

    @Test func `a journal is needed`() {
        #expect(Self.mistake([])?.contains("JOURNAL") == true)
    }
}
