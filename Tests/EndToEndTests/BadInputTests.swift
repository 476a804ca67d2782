import Foundation
import Testing

/// Every mistake is answered with one line that says what to do, and the right exit code.
@Suite struct BadInputTests {
    private func expectFailure(
        _ arguments: [String],
        _ code: Int32,
        _ texts: String...,
        in workspace: Workspace = Workspace(),
        location: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try Program.run(arguments, in: workspace)
        #expect(outcome.code == code, "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.output.isEmpty, sourceLocation: location)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 1, "\(outcome.errors)", sourceLocation: location)
        // One form for all: PLACE: error: MESSAGE, the place being linkcond or a place in a file.
        #expect(
            outcome.errors.wholeMatch(of: #/(linkcond|[^:\n]+(:\d+:\d+)?): error: [^\n]+\n/#)
                != nil,
            "\(outcome.errors)",
            sourceLocation: location
        )
        for text in texts {
            #expect(outcome.errors.contains(text), "\(outcome.errors)", sourceLocation: location)
        }
    }

    @Test func `an unknown profile`() throws {
        try expectFailure(["--profile", "ltee"], 64, "unknown profile 'ltee'; did you mean 'lte'?")
    }

    @Test func `an unreadable file`() throws {
        try expectFailure(["--profile", "./none.yaml"], 66, "cannot read", "no such file")
        try expectFailure(["--profile", "/etc/"], 66, "cannot read", "directory")
        try expectFailure(["profiles", "check", "nothing.yaml"], 66, "no such file")
        try expectFailure(["journal", "digest", "nothing.jsonl"], 66, "no such file")
    }

    @Test func `what is taken for another thing`() throws {
        try expectFailure(
            ["--profile", "a\n\u{1B}[31mb"],
            64,
            #"unknown profile 'a\u000a\u001b[31mb'"#
        )
        try expectFailure(["--upstream", "127.0.0.1:0"], 64, "port 0 is not a server's port")
        for other in ["./a", "a"] {
            try expectFailure(
                ["--ready-file", "a", "--journal", other],
                64,
                "--ready-file and --journal both name 'a'"
            )
            try expectFailure(
                ["replay", "lc1;seed=1", "--ready-file", other, "--journal", "a"],
                125,
                "--journal and --ready-file both name"
            )
        }
        try expectFailure(
            ["journal", "diff", "-", "-"],
            64,
            "standard input can be read only once"
        )
        let workspace = Workspace()
        try workspace.write("linkcond.yaml/x", "")
        try expectFailure(["-n"], 66, "cannot read configuration 'linkcond.yaml'", in: workspace)
        try workspace.write("p.yaml", "extends: ./p.yaml\n")
        try expectFailure(
            ["profiles", "check", "p.yaml"],
            78,
            "profiles extend one another in a circle: p.yaml > ./p.yaml",
            in: workspace
        )
    }

    @Test func `what is read is not written over`() throws {
        let workspace = Workspace()
        let text = "name: p\nextends: ./base.yaml\nlink:\n  down: {trace: t.txt}\n"
        try workspace.write("p.yaml", text)
        try workspace.write("base.yaml", "name: base\n")
        try workspace.write("t.txt", "1\n2\n")
        try workspace.write("x/y", "")
        let profile = ["--profile", "./p.yaml"]
        for (option, file) in [
            ("--journal", "p.yaml"), ("--ready-file", "./x/../p.yaml"),
            ("--journal", "base.yaml"), ("--ready-file", "t.txt"),
        ] {
            let words = "\(option) '\(file)' is read as part of the profile; name another file"
            try expectFailure(profile + [option, file], 64, words, in: workspace)
            try expectFailure(
                ["run"] + profile + [option, file, "--", "true"],
                125,
                words,
                in: workspace
            )
        }
        try expectFailure(
            ["plan"] + profile + ["--packets", "t.txt"],
            64,
            "--packets 't.txt' is read",
            in: workspace
        )
        #expect(workspace.text("p.yaml") == text && workspace.text("t.txt") == "1\n2\n")
    }

    @Test func `a journal without a whole line`() throws {
        let workspace = Workspace()
        try workspace.write("cut.jsonl", "{\"v\":1,")
        try expectFailure(
            ["journal", "digest", "cut.jsonl"],
            78,
            "cut.jsonl:1:1: error: this is no journal, or it ends within its first line",
            in: workspace
        )
    }

    @Test func `a wrong unit`() throws {
        try expectFailure(["--duration", "30"], 64, "'30' has no unit", "ms, s")
        try expectFailure(["proxy", "--duration", "30sec"], 64, "did you mean 's'?")
        try expectFailure(["plan", "--bytes", "5"], 64, "has no unit", "MB")
        try expectFailure(
            ["--profile", "lossy", "--set", "loss=5"],
            64,
            "--set loss=5: '5'",
            "no unit"
        )
        let workspace = Workspace()
        try workspace.write("mine.yaml", "name: mine\nlink:\n  down: {rate: 5Mbps}\n")
        try expectFailure(
            ["--profile", "./mine.yaml"],
            78,
            "mine.yaml:3:16: error:",
            "did you mean 'Mbit/s'?",
            in: workspace
        )
    }

    @Test func `an unknown key of --set is answered with what there is`() throws {
        let see = "(see: linkcond profiles show lossy)"
        let lossy = ["--profile", "lossy", "--set"]
        try expectFailure(lossy + ["dealy=5ms"], 64, "did you mean 'delay'?", see)
        try expectFailure(lossy + ["down.rte=5ms"], 64, "did you mean 'down.rate'?", see)
        try expectFailure(lossy + ["color=red"], 64, "unknown key 'color'; there are loss, ", see)
        try expectFailure(["plan"] + lossy + ["color=red"], 64, "unknown key 'color'", see)
        try expectFailure(["profiles", "show", "lossy", "--set", "los=1%"], 64, "mean 'loss'?")
    }

    @Test func `help for nothing`() throws {
        try expectFailure(["help", "fault"], 64, "did you mean 'faults'?", "exit-codes")
        try expectFailure(["help", "color"], 64, "known: proxy, ")
    }

    @Test func `outputs that exclude each other`() throws {
        try expectFailure(["--journal", "-", "--json"], 64, "both want standard output")
        try expectFailure(["--journal", "-", "--live"], 64, "both want standard output")
    }

    @Test func `a device is no journal, and is not read to its end`() throws {
        // Reading on would end at the limit that every program of these tests has.
        try expectFailure(["journal", "digest", "/dev/zero"], 78, "/dev/zero:1:1: error: a line")
        try expectFailure(["journal", "show", "/dev/urandom"], 78, "/dev/urandom:1:")
    }

    @Test func `a journal that is none`() throws {
        let workspace = Workspace()
        try workspace.write("run.jsonl", "{\"v\":1}\n")
        try expectFailure(
            ["journal", "digest", "run.jsonl"],
            78,
            "run.jsonl:1:1: error:",
            in: workspace
        )
    }

    @Test func `an upstream that cannot be found`() throws {
        try expectFailure(
            ["--upstream", "no-such-host.invalid:80"],
            69,
            "cannot find host 'no-such-host.invalid'",
            "check the name"
        )
    }

    @Test func `an upstream that is no address`() throws {
        try expectFailure(["--upstream", "localhost"], 64, "--upstream", "has no port")
        try expectFailure(["--upstream", "::1:80"], 64, "in brackets")
        try expectFailure(["--upstream", "localhost:0"], 64, "port 0")
        try expectFailure(["--upstream", "localhost:99999"], 64, "65535")
    }

    @Test func `a port in use`() throws {
        let first = try RunningProxy(["proxy"])
        try expectFailure(
            ["--listen", first.address],
            69,
            "cannot listen on \(first.address)",
            "address already in use"
        )
        _ = try first.end()
    }

    @Test func `a listener that others can reach`() throws {
        try expectFailure(["--listen", "0.0.0.0:0"], 64, "--allow-remote")
        try expectFailure(["--listen", "[::]:0"], 64, "--allow-remote")
    }

    @Test func `a journal that cannot be created`() throws {
        try expectFailure(
            ["--journal", "/nonexistent/run.jsonl"],
            73,
            "cannot create journal",
            "no such file"
        )
        try expectFailure(["--journal", "/"], 73, "cannot create journal")
    }

    @Test func `an upstream that is the listener`() throws {
        try expectFailure(
            ["--listen", "127.0.0.1:4711", "--upstream", "127.0.0.1:4711"],
            64,
            "is the address to listen on"
        )
        let free = try RunningProxy(["proxy"])
        let address = free.address
        _ = try free.end()
        let port = try #require(address.split(separator: ":").last)
        try expectFailure(
            ["--listen", address, "--upstream", "localhost:\(port)"],
            64,
            "own listener"
        )
    }

    @Test func `addresses that do not pair up`() throws {
        try expectFailure(
            [
                "--listen", "127.0.0.1:0", "--upstream", "127.0.0.1:1", "--upstream", "127.0.0.1:2",
            ],
            64,
            "do not pair up"
        )
    }

    @Test func `options, faults and seeds that make no sense`() throws {
        try expectFailure(["--profil", "lte"], 64, "did you mean '--profile'?")
        try expectFailure(["--fault", "c1:down+5=rts"], 64, "did you mean 'rst'?", "column")
        try expectFailure(["--seed", "-1"], 64, "0 to 18446744073709551615")
        try expectFailure(["--set", "loss"], 64, "KEY=VALUE")
        try expectFailure(["--live"], 64, "needs a terminal")
        try expectFailure(["--ready-fd", "1"], 64, "0, 1 and 2 are taken")
        try expectFailure(["plan", "--direction", "left"], 64, "down or up")
        try expectFailure(["plan", "--bytes", "\(UInt64.max)B"], 64, "--bytes", "at most 100 GB")
        let many = ["plan", "--bytes", "200MB", "--connections", "1000"]
        try expectFailure(many, 64, "200 MB on each of 1000", "all connections together")
        try expectFailure(["completions", "bsh"], 64, "did you mean 'bash'?")
    }

    @Test func `a readiness descriptor that would be one of the program's own`() throws {
        for descriptor in 3...12 {
            let closed = "exec \(Program.linkcond) --ready-fd \(descriptor) \(descriptor)>&-"
            let outcome = try Program("/bin/bash", ["-c", closed]).wait()
            #expect(outcome.code == 64)
            #expect(outcome.errors.contains("--ready-fd \(descriptor): not open"))
        }
    }

    @Test func `a readiness file that cannot be written`() throws {
        let outcome = try Program.run(["--ready-file", "/nonexistent/r.json"])
        #expect(outcome.code == 73)
        #expect(outcome.errors.contains("cannot write readiness"))
    }
}
