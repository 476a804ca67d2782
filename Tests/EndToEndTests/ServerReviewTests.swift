import Testing

/// The server, beside the client, in `run` and `explore`.
@Suite struct ServerReviewTests {
    private static let client = ["--", "curl", "-sf", "-o", "{out}", "{url}/bytes/3000"]

    @Test func `our own server breaks no rule`() throws {
        let run = try Program.run(["run", "--probe-server"] + Self.client)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("server     {url}/bytes/3000: "))
        #expect(!run.errors.contains("broken"))
    }

    @Test func `a server that is wrong is told apart from a client that is right`() throws {
        let wrong = ["--misbehave", "object:no-content-range"]
        let run = try Program.run(["run", "--probe-server"] + wrong + Self.client)
        #expect(run.code == 1, "\(run.errors)")
        #expect(run.errors.contains(" broken") && run.errors.contains("FAIL"))
        let explored = try Program.run(
            [
                "explore", "--probe-server", "-q", "--forget", "--effects", "fin", "--accept",
                "giveup,dishonest",
            ]
                + wrong + Self.client
        )
        #expect(explored.code == 1, "\(explored.output)\(explored.errors)")
        #expect(explored.output.contains("found      no failure"))
        #expect(
            explored.output.hasSuffix("; the server breaks \(Self.count(explored.output)) rules\n")
        )
        // The line that repeats it does so.
        let again = try #require(
            explored.output.split(separator: "\n").first { $0.contains("again: ") }
        )
        let line = again.split(separator: "again: ", maxSplits: 1)[1]
        let repeated = try Program.run(["run", "-q"] + wrong + ["--", "sh", "-c", "true"])
        #expect(repeated.code == 0)
        #expect(
            line.hasPrefix("linkcond run -q --misbehave object:no-content-range -- linkcond probe")
        )
    }

    @Test(arguments: [["run"], ["explore", "-q", "--forget", "--effects", "refuse"]])
    func `the rules that a server breaks are in all forms of the report`(command: [String]) throws {
        let workspace = Workspace()
        let outcome = try Program.run(
            command + [
                "--probe-server", "--junit", "j.xml", "--html", "p.html", "--misbehave",
                "object:no-content-range",
            ] + Self.client,
            environment: ["GITHUB_STEP_SUMMARY": "\(workspace.path)/summary.md"],
            in: workspace
        )
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        let junit = workspace.text("j.xml")
        #expect(junit.contains("testsuite name=\"linkcond probe {url}/bytes/3000\""))
        #expect(junit.contains("failure type=\"rule\""))
        let page = workspace.text("p.html")
        #expect(page.contains("<h2><small>server</small> {url}/bytes/3000</h2>"))
        #expect(page.contains("<span class=\"word fail\">broken</span> D"))
        let again = "linkcond run -q --misbehave object:no-content-range -- linkcond probe --only D"
        #expect(page.contains(again), "\(page)")
    }

    private static func count(_ output: String) -> String {
        String(output.split(separator: " ").dropLast().last ?? "")
    }

    @Test func `a command that fetches nothing leaves nothing to check`() throws {
        let run = try Program.run(["run", "--probe-server", "--", "true"])
        #expect(run.errors.contains("server     not checked"))
    }
}
