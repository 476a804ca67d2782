import LinkProfile
import Testing

@testable import Arguments
@testable import Commands

@Suite struct ArgumentParserTests {
    private func parse(
        _ arguments: String...,
        environment: [String: String] = [:]
    ) throws(Failure) -> Invocation {
        try ArgumentParser.parse(arguments) { environment[$0] }
    }

    @Test func `an option first means the default command`() throws {
        let invocation = try parse("--profile", "lte", "--upstream=localhost:80")
        #expect(invocation.path == ["proxy"])
        #expect(invocation.value("profile") == "lte")
        #expect(invocation.value("upstream") == "localhost:80")
    }

    @Test func `a value may hold an equals sign and be a dash`() throws {
        let invocation = try parse("--fault=c1:down+1=rst", "--journal", "-", "--set", "a=b=c")
        #expect(invocation.values("fault") == ["c1:down+1=rst"])
        #expect(invocation.value("journal") == "-")
        #expect(invocation.value("set") == "a=b=c")
    }

    @Test func `repeatable options keep their order`() throws {
        let invocation = try parse("proxy", "--listen", "a", "--upstream", "x", "--listen", "b")
        #expect(invocation.values("listen") == ["a", "b"])
    }

    @Test func `short flags may stand together`() throws {
        let invocation = try parse("-qvn")
        #expect(invocation.has("quiet") && invocation.has("verbose") && invocation.has("dry-run"))
    }

    @Test func `a default subcommand with operands takes words that are no subcommand`() throws {
        let invocation = try parse("profiles", "satellite", "50M")
        #expect(invocation.path == ["profiles", "list"])
        #expect(invocation.operands == ["satellite", "50M"])
        // A mistyped subcommand is not a search.
        #expect(throws: Failure.self) { try parse("profiles", "shwo", "lte") }
    }

    @Test func `two dashes end the options`() throws {
        #expect(try parse("profiles", "show", "--", "--json").operands == ["--json"])
    }

    @Test func `a program to start takes all further words as they are`() throws {
        #expect(
            try parse("run", "-q", "--", "a", "-b", "--", "-h").program == ["a", "-b", "--", "-h"]
        )
        #expect(try parse("run", "a", "--help").program == ["a", "--help"])
        let replay = try parse("replay", "lc1", "-q", "--", "a")
        #expect(replay.operands == ["lc1"] && replay.program == ["a"] && replay.has("quiet"))
        #expect(try parse("replay", "--from-journal", "x", "--", "a").program == ["a"])
        #expect(try parse("run").program.isEmpty)
    }

    @Test func `a command with a default subcommand needs none`() throws {
        #expect(try parse("profiles").path == ["profiles", "list"])
        #expect(try parse("profiles", "--json").path == ["profiles", "list"])
        #expect(try parse("profiles", "show", "lte").operands == ["lte"])
    }

    @Test func `the environment counts where the flag is missing`() throws {
        let environment = ["LINKCOND_PROFILE": "3g", "LINKCOND_SEED": "9"]
        let invocation = try parse("--profile", "lte", environment: environment)
        #expect(invocation.value("profile") == "lte")
        #expect(invocation.value("seed") == "9")
        let empty = try parse(
            "--quiet",
            environment: ["LINKCOND_PROFILE": "", "LINKCOND_SEED": ""]
        )
        #expect(!empty.has("profile") && !empty.has("seed"))
    }

    @Test(arguments: [
        (["--profil", "lte"], "unknown option '--profil'; did you mean '--profile'?"),
        (["proxi"], "unknown command 'proxi'; did you mean 'proxy'?"),
        (["profiles", "shw"], "did you mean 'profiles show'?"),
        (["journal"], "'journal' needs one of: digest, diff, format, show"),
        (["journal", "digest"], "FILE is missing: linkcond journal digest FILE"),
        (["--seed"], "--seed needs a value: --seed N"),
        (["--quiet=yes"], "--quiet takes no value"),
        (["--seed", "1", "--seed", "2"], "--seed is given twice"),
        (["--quiet", "profiles"], "the command comes first: linkcond profiles ..."),
        (["-x"], "unknown option '-x'"),
        (["run", "--warp", "3"], "unknown option '--warp'; `linkcond explore` has it"),
        (["control"], "'control' is not a command (see: linkcond help control)"),
        (["pause", "a"], "'pause' is now: linkcond transfers pause"),
        (["resume", "a"], "'resume' is now: linkcond transfers resume"),
        (["attach", "a"], "'attach' is now: linkcond transfers attach"),
        (["nudge", "a"], "'nudge' is now: linkcond transfers resume --now"),
        (["origin", "--rufh", "off"], "'--rufh' is now --ietf-versions"),
        (["run", "--as", "a"], "'--as' is now --result"),
        (["run", "--max-attempts", "3"], "'--max-attempts' is now --max-stalled-attempts"),
        (["explore", "--max-stalled-attempts=3"], "unknown option '--max-stalled-attempts'"),
        (["report", "--max-attempts", "3"], "'--max-attempts' is now --max-stalled-attempts"),
        (["report", "--as", "a"], "'--as' is now --result"),
        (["replay", "--record", "a"], "'--record' is now --journal"),
    ])
    func `a mistake is answered with what to write`(arguments: [String], text: String) throws {
        let failure = try #require(throws: Failure.self) {
            try ArgumentParser.parse(arguments) { _ in nil }
        }
        #expect(failure.code == .usage)
        #expect(failure.message.contains(text), "\(failure.message)")
        #expect(!failure.message.contains("\n"))
    }

    @Test(arguments: [
        (["--latency", "100ms"], "set", ["delay=100ms"]), (["--delay=5ms"], "set", ["delay=5ms"]),
        (["--rtt", "80ms"], "set", ["rtt=80ms"]), (["--rate", "2Mbit/s"], "set", ["rate=2Mbit/s"]),
        (["--bandwidth", "2Mbit/s", "--loss", "1%"], "set", ["rate=2Mbit/s", "loss=1%"]),
        (["--packet-loss=1%"], "set", ["loss=1%"]),
        (["--jitter", "3ms"], "set", ["jitter={uniform: 3ms}"]),
        (["plan", "--delay", "5ms"], "set", ["delay=5ms"]),
        (["run", "--loss", "1%", "--", "a"], "set", ["loss=1%"]),
        (["--network", "lte"], "profile", ["lte"]), (["--port", "8000"], "listen", ["8000"]),
        (["-l", "8000", "-l", "8001"], "listen", ["8000", "8001"]),
        (["-u", "8080"], "upstream", ["8080"]), (["--target", "a:1"], "upstream", ["a:1"]),
        (["explore", "-u", "8080", "--", "a"], "upstream", ["8080"]),
    ])
    func `words of other programs are short forms`(
        arguments: [String],
        option: String,
        values: [String]
    ) throws {
        #expect(try ArgumentParser.parse(arguments) { _ in nil }.values(option) == values)
    }

    @Test(arguments: [
        (["--timeout", "3s"], "write --fault 'c*:down+0=hole(30s)' for silence"),
        (["--limit_data", "3"], "write --fault 'c*:down+N=fin' to end after N bytes"),
        (["run", "--reset_peer", "3"], "write --fault 'c*:down+N=rst' to reset after N bytes"),
        (["--slow_close", "3"], "only linkcond toxiproxy has it"),
        (["--slicer"], "only linkcond toxiproxy has it"),
        (["-p", "8000"], "write --listen PORT for a port, --profile NAME for a network"),
        (["--delay"], "--delay needs a value: --delay VALUE"),
    ])
    func `words of other programs that mean several things are answered`(
        arguments: [String],
        text: String
    ) throws {
        let failure = try #require(throws: Failure.self) {
            try ArgumentParser.parse(arguments) { _ in nil }
        }
        #expect(failure.code == .usage && failure.message.contains(text), "\(failure.message)")
    }

    @Test func `a short form is what it stands for, and can be read`() throws {
        for word in ["delay", "latency", "rtt", "jitter"] {
            let invocation = try parse("--\(word)", "3ms")
            #expect(throws: Never.self, "\(word)") {
                try ProfileLibrary.builtinOnly()
                    .load("lte", settings: invocation.profileSettings())
            }
        }
    }

    @Test(arguments: [
        (["lte", "-q"], ["proxy", "--profile", "lte", "-q"]),
        (["Slow 3G"], ["proxy", "--profile", "Slow 3G"]), (["5g"], ["proxy", "--profile", "5g"]),
        (["profiles"], ["profiles"]), (["proxi"], ["proxi"]), (["pause"], ["pause"]),
        (["-n", "lte"], ["-n", "lte"]), ([], []),
    ])
    func `a profile where a command should be is used`(words: [String], meaning: [String]) {
        #expect(CommandTable.words(of: ["linkcond"] + words) == meaning)
    }

    @Test func `help wins over missing operands`() throws {
        #expect(try parse("journal", "diff", "--help").has("help"))
        #expect(try parse("journal", "--help").path == ["journal"])
    }
}
