import Analysis
import Exploration
import Faults
import Testing

@testable import Arguments
@testable import Commands

@Suite struct ExploreOptionsTests {
    private func options(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws(Failure) -> ExploreOptions {
        let invocation = try ArgumentParser.parse(["explore"] + arguments) { _ in nil }
        return try ExploreOptions(
            invocation,
            currentDirectory: "/nowhere/here",
            environment: { environment[$0] }
        )
    }

    private func refusal(_ arguments: [String]) -> String {
        do throws(Failure) {
            _ = try options(arguments)
            return "nothing"
        } catch {
            return error.code == .usage ? error.message : "code \(error.code)"
        }
    }

    @Test func `without options single faults of the usual kinds are tried`() throws {
        let options = try options(["--", "get", "{url}"])
        #expect(options.program == ["get", "{url}"])
        // Nobody answers lookups.
        #expect(options.campaign.effects == Effect.Kind.standard.filter { $0 != .query })
        #expect(
            options.campaign.depth == 1 && options.campaign.randomSchedules == 0
                && !options.campaign.usesRest
        )
        #expect(options.campaign.runLimit == nil && options.campaign.shard == .whole)
        #expect(options.deadlineMilliseconds == 75_000 && options.jobs == nil)
        #expect(options.failures == "/nowhere/here/.linkcond/failures")
        #expect(options.checks.expectation == nil)
    }

    @Test func `a budget is filled with random schedules unless their number is given`() throws {
        #expect(try options(["--runs", "100", "x"]).campaign.usesRest)
        #expect(try options(["--time", "5s", "x"]).campaign.usesRest)
        #expect(try options(["--time", "5s", "x"]).searchMilliseconds == 5_000)
        #expect(try options(["--time", "5s", "--random", "3", "x"]).campaign.randomSchedules == 3)
    }

    @Test func `the share comes from the option or from the job system`() throws {
        #expect(try options(["--shard", "2/3", "x"]).campaign.shard.text == "2/3")
        let environment = ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"]
        let shard = try options(["--shard", "env", "x"], environment: environment).campaign.shard
        #expect(shard.text == "1/4")
    }

    @Test func `demands add up`() throws {
        let options = try options([
            "--expect", "R5,attempts<=4", "--require-resume", "--max-wire", "1.2", "--accept",
            "giveup,waste", "x",
        ])
        let items = options.checks.expectation?.items.map(\.text)
        #expect(items == ["R5", "attempts<=4", "R1", "wire<=1.2"])
        #expect(options.campaign.judge.accepted == [.giveup, .waste])
    }

    @Test func `folders are made absolute`() throws {
        let options = try options(["--traces", "t", "--failures", "/f", "x"])
        #expect(options.traces == "/nowhere/here/t" && options.failures == "/f")
        #expect(try self.options(["--forget", "x"]).failures == nil)
    }

    @Test(arguments: [
        ([], "explore needs a command to run"),
        (["--", ""], "name a program"),
        (["--effects", "fun", "x"], "unknown effect 'fun'; did you mean 'fin'?"),
        (["--depth", "3", "x"], "'3' is not a whole number from 1 to 2"),
        (["--shard", "3/2", "x"], "write I/N with I from 1 to N"),
        (["--shard", "env", "x"], "no shard in the environment"),
        (["--accept", "giveups", "x"], "did you mean 'giveup'?"),
        (["--accept", "flaky", "x"], "unknown kind 'flaky'"),
        (["--expect", "R99", "x"], "'R99'"),
        (["--time", "5", "x"], "5"),
        (
            ["--upstream", "h:1", "--misbehave", "drop-104", "x"],
            "--misbehave is for the test server"
        ),
        (["--jobs", "0", "x"], "'0' is not a whole number"),
    ])
    func `what makes no sense is refused in one line`(arguments: [String], words: String) {
        #expect(refusal(arguments).contains(words), "\(refusal(arguments))")
    }
}
