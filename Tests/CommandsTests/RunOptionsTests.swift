import Analysis
import Exploration
import Faults
import Proxy
import Testing
import Trials

@testable import Arguments
@testable import Commands

@Suite struct RunOptionsTests {
    private func options(_ arguments: [String]) throws(Failure) -> RunOptions {
        let invocation = try ArgumentParser.parse(arguments) { _ in nil }
        return try RunOptions(invocation, currentDirectory: "/home")
    }

    private func refusal(_ arguments: [String]) -> String {
        do throws(Failure) {
            _ = try options(arguments)
            return "nothing"
        } catch {
            return error.message
        }
    }

    @Test func `without options a command runs in front of a test server`() throws {
        let options = try options(["run", "--", "true"])
        #expect(options.program == ["true"] && options.folder == nil)
        #expect(options.server.upstream == nil && options.server.command == nil)
        #expect(options.listen == .tcp(host: "127.0.0.1", port: 0))
        #expect(options.demands == nil && options.oracles.isEmpty)
        guard case .embedded = options.server.server else {
            Issue.record("expected the embedded origin")
            return
        }
    }

    @Test func `words after the first one, or two dashes, are the command's`() throws {
        #expect(
            try options(["run", "-q", "curl", "-s", "--json"]).program == ["curl", "-s", "--json"]
        )
        #expect(try options(["run", "--", "-x", "--", "y"]).program == ["-x", "--", "y"])
        let replay = try options(["replay", "lc1", "-q", "a", "--", "b"])
        #expect(replay.program == ["a", "--", "b"] && replay.isQuiet)
    }

    @Test func `a check asks for a verdict`() throws {
        let check = try options(["run", "--same", "a", "true"])
        #expect(check.demands?.expectation.items.map(\.text) == ["exit=0"])
        let other = try options(["run", "--same", "a", "--expect", "exit=3", "true"])
        #expect(other.demands?.expectation.items.map(\.text) == ["exit=3"])
    }

    @Test func `a folder is made absolute`() throws {
        #expect(try options(["run", "--dir", "x/y", "true"]).folder == "/home/x/y")
        #expect(try options(["run", "--dir", "/x", "true"]).folder == "/x")
    }

    @Test func `run and replay write their journal where --journal says`() throws {
        #expect(try options(["run", "--journal", "a", "true"]).journalPath == "a")
        #expect(try options(["replay", "lc1", "--journal", "a", "--", "true"]).journalPath == "a")
        #expect(try options(["replay", "--from-journal", "a", "--", "true"]).journalPath == nil)
        let failure = try #require(throws: Failure.self) {
            try options(["replay", "--from-journal", "a", "--journal", "./a", "--", "true"])
        }
        #expect(failure.message.hasPrefix("--journal and --from-journal both name './a'"))
    }

    @Test func `a journal has parts where it has a limit`() throws {
        #expect(try options(["run", "--journal", "a", "true"]).journalParts == nil)
        let given = ["run", "--journal", "a", "--journal-limit", "5MB", "--journal-keep", "3"]
        let parts = try options(given + ["true"]).journalParts
        #expect(parts == JournalParts(limit: 5_000_000, kept: 3))
    }

    @Test(arguments: [
        (["--journal", "-", "true"], "standard output belongs to the command"),
        (["--journal-limit", "1MB", "true"], "--journal-limit: there is no journal"),
        (["--journal", "a", "--journal-limit", "9", "true"], "'9' has no unit"),
        (["--journal", "a", "--journal-limit", "9B", "true"], "give at least 1kB"),
        (["--journal", "-", "--journal-limit", "1MB", "true"], "standard output cannot continue"),
        (["--journal", "/dev/null", "--journal-limit", "1MB", "true"], "'/dev/null' cannot"),
        (["--journal", "a", "--journal-keep", "2", "true"], "add --journal-limit SIZE"),
        (
            [
                "--journal", "d/a.jsonl", "--journal-limit", "1MB", "--junit", "./d/a.12.jsonl",
                "true",
            ],
            "--junit: './d/a.12.jsonl' would be a part of --journal d/a.jsonl"
        ),
        (["--journal", "a", "--journal-keep", "0", "true"], "is not a whole number from 1 to"),
        (["--upstream", "h:0", "true"], "port 0 is not a server's port"),
        (["--origin-cmd", "./server", "true"], "does not say where to listen; write {port}"),
        (["--origin-cmd", "s {port}", "--upstream", "h:1", "true"], "leave it or --upstream out"),
        (["--origin-cmd", "s {port}", "--serve", ".", "true"], "leave it or --origin-cmd out"),
        (["--origin-cmd", "s {port}"], "--origin-cmd needs a command to run"),
        (["--upstream", "h:80", "--serve", "x", "true"], "--serve is for the test server"),
        (["--upstream", "h:80", "--misbehave", "drop-104", "true"], "--misbehave is for the test"),
        (["--upstream", "h:80", "--listen", "h:80", "true"], "is the address to listen on"),
        (["--misbehave", "nonsense", "true"], "--misbehave 'nonsense', column 1"),
        (["--expect", "nonsense", "true"], "--expect: 'nonsense', column 1"),
        (["--max-wire", "x", "true"], "expected a number"),
        (["--cap", "3", "true"], "'3' has no unit"),
        (["--cap", "3s", "true"], "--cap: a limit of a check; add --expect pass"),
        (["--deadline", "30", "true"], "'30' has no unit"),
        (["--result", "x", "true"], "--result needs --same or --sha256"),
        (["--sha256", "abc", "true"], "write 64 hexadecimal digits"),
        (["--fetch-check", "abc", "true"], "write FILE=URL"),
        (["--upstream", "nonsense", "true"], "has no port"),
        (["--", ""], "the command after -- is empty"),
    ])
    func `what cannot be is refused with advice`(arguments: [String], message: String) {
        let refusal = refusal(["run"] + arguments)
        #expect(refusal.contains(message), "\(refusal)")
    }
}

@Suite struct OracleOptionsTests {
    private func oracles(_ arguments: [String]) throws(Failure) -> [Oracle] {
        try OracleOptions.oracles(ArgumentParser.parse(["run"] + arguments + ["true"]) { _ in nil })
    }

    private let digest = String(repeating: "aB", count: 32)

    @Test func `each option makes an oracle, and {out} is what they are about`() throws {
        let found = try oracles([
            "--same", "a", "--sha256", digest, "--fetch-check", "b=/files/b?x=y",
            "--server-check", "exit 0",
        ])
        #expect(
            found == [
                .same(reference: "a", result: "{out}"),
                .sha256(digest: digest.lowercased(), result: "{out}"),
                .fetch(url: "/files/b?x=y", reference: "b"),
                .command(["/bin/sh", "-c", "exit 0"]),
            ]
        )
    }

    @Test func `one result applies to all references, several pair up in order`() throws {
        #expect(
            try oracles(["--same", "a", "--result", "x", "--same", "b", "--result", "y"])
                == [.same(reference: "a", result: "x"), .same(reference: "b", result: "y")]
        )
        #expect(
            try oracles(["--same", "a", "--result", "x", "--same", "b"])
                == [.same(reference: "a", result: "x"), .same(reference: "b", result: "x")]
        )
        #expect(throws: Failure.self) {
            try oracles([
                "--same", "a", "--result", "x", "--result", "y", "--result", "z", "--same", "b",
            ])
        }
    }
}

@Suite struct RunReproductionTests {
    private func line(_ arguments: [String]) throws -> String {
        let invocation = try ArgumentParser.parse(arguments) { _ in nil }
        let schedule = FaultSchedule(seed: 7, faults: try invocation.faults())
        return RunReproduction.line(schedule, invocation)
    }

    @Test func `a line repeats a run, without what does not bear on its result`() throws {
        let text = try line([
            "run", "--profile", "lte", "--seed", "3", "--fault", "c1:down+5=rst", "-q", "--json",
            "--journal", "x", "--same", "a b", "--allow-remote", "--ready-file", "y", "--",
            "curl", "{url}/a'b",
        ])
        #expect(
            text == """
                linkcond replay 'lc1;seed=7;c1:down+5=rst' --profile lte --same 'a b' --allow-remote \
                -- curl '{url}/a'\\''b'
                """
        )
    }

    @Test func `every option of run bears on the result or is known not to`() {
        let others: Set<String> = [
            "fault", "seed", "dir", "ready-file", "ready-fd", "journal", "journal-limit",
            "journal-keep", "junit", "html", "github", "json", "quiet", "no-color", "no-config",
            "help", "probe-server", "max-memory",
        ]
        for option in CommandTable.runCommand.options where !others.contains(option.long) {
            #expect(option.bearsOnResult, "\(option.long)")
        }
    }

    @Test func `replay takes all that the line says`() throws {
        for option in CommandTable.runCommand.options where option.bearsOnResult {
            #expect(CommandTable.replayCommand.option(long: option.long) != nil, "\(option.long)")
        }
    }
}
