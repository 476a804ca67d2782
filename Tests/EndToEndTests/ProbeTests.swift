import Foundation
import Testing

/// `linkcond probe` against real servers.
@Suite struct ProbeTests {
    private func probe(
        _ server: RunningProxy,
        _ path: String,
        _ options: [String] = []
    ) throws -> Outcome {
        try Program.run(["probe", "http://\(server.address)\(path)"] + options)
    }

    @Test func `the test server keeps all rules of downloads`() throws {
        let outcome = try probe(RunningProxy(["origin"]), "/bytes/200000", ["--strict"])
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(outcome.output.hasSuffix("\n33 rules: 30 kept, 3 not applicable\n"))
    }

    @Test func `the test server keeps all rules of uploads in five dialects`() throws {
        let outcome = try probe(RunningProxy(["origin"]), "/files/", ["--upload", "--strict"])
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(outcome.output.hasSuffix("\n124 rules: 113 kept, 11 not applicable\n"))
    }

    @Test func `a gateway keeps all rules of uploads`() throws {
        let workspace = Workspace()
        let server = try RunningProxy(["origin"])
        let words = ["origin", "partial", "--upload-to", "http://\(server.address)"]
        try workspace.write("partial/.keep", "")
        let gateway = try RunningProxy(words, in: workspace)
        let outcome = try probe(gateway, "/files/", ["--upload"])
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(!outcome.output.contains("FAIL"))
    }

    /// What is wrong with a server, and the checks that have to tell.
    private static let mistakes: [(rules: String, path: String, checks: [String])] = [
        ("wrong-total", "/bytes/5000", ["D11", "D12", "D13", "D14", "D15", "D16", "D22"]),
        ("no-content-range", "/bytes/5000", ["D11", "D12", "D13", "D14", "D15", "D16", "D22"]),
        ("short=1000", "/bytes/5000", ["D11", "D12", "D15"]),
        ("status:lose=1000", "/files/", ["V3.6", "V5.6", "V6.6", "V8.6"]),
    ]

    @Test(arguments: mistakes.indices)
    func `a server with a mistake is told by its checks, and by no others`(index: Int) throws {
        let (rules, path, checks) = Self.mistakes[index]
        let server = try RunningProxy(["origin", "--misbehave", rules])
        let options = path == "/files/" ? ["--upload"] : []
        let outcome = try probe(server, path, options)
        #expect(outcome.code == 1)
        let failed = outcome.output.split(separator: "\n").filter { $0.contains(" FAIL ") }
            .map { String($0.split(separator: " ")[0]) }
        #expect(failed == checks)
    }

    @Test func `an object that changes meanwhile says nothing of its server`() throws {
        let server = try RunningProxy(["origin", "--misbehave", "mutate=same-size@4"])
        let outcome = try probe(server, "/bytes/5000")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("/bytes/5000 changed while it was checked"))
    }

    @Test func `one check can be repeated as it is printed`() throws {
        let workspace = Workspace()
        let server = try RunningProxy(["origin", "--misbehave", "short=1000"])
        let first = try probe(server, "/bytes/5000")
        let again = try #require(
            first.output.firstMatch(of: #/again: linkcond (probe --only D11 .*)/#)
        )
        let words = again.1.split(separator: " ").map(String.init)
        let second = try Program.run(words + ["--junit", "probe.xml"], in: workspace)
        #expect(second.code == 1 && second.output.contains("1 rule: 1 broken"))
        #expect(workspace.text("probe.xml").contains("failures=\"1\""))
    }

    @Test(arguments: [
        (["--only", "D444"], "/bytes/5000", 64, "did you mean D44?"),
        (["--upload"], "/bytes/5000", 2, "takes no resumable uploads"),
        ([], "/none", 2, "GET is answered by 404; name an object that can be fetched"),
        (["--junit", "/none/x"], "/bytes/5000", 73, "cannot write the JUnit report"),
        (["--html", "/none/x"], "/bytes/5000", 73, "cannot write the page"),
    ])
    func `what cannot be done is said with its code`(
        options: [String],
        path: String,
        code: Int32,
        words: String
    ) throws {
        let outcome = try probe(RunningProxy(["origin"]), path, options)
        #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `a server that is not there is unavailable`() throws {
        let outcome = try Program.run(["probe", "http://127.0.0.1:1/x"])
        #expect(outcome.code == 69 && outcome.errors.contains("connection refused"))
    }
}
