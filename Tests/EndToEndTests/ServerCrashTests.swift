import Origin
import Testing

/// A server of the user's that is killed in the middle of an upload: `linkcond origin`, which keeps
/// what it has acknowledged.
@Suite struct ServerCrashTests {
    private static let server =
        "mkdir -p {dir}/store && exec \(Program.linkcond) origin {dir}/store --listen 127.0.0.1:{port}"
    private static let upload = [Program.linkcond, "upload", "-q", "up.bin", "{url}/files/up.bin"]
    private static let size = 700_000

    private func workspace() throws -> Workspace {
        let workspace = Workspace()
        let content = KnownContent(seed: 8).bytes(0..<UInt64(Self.size))
        // As text of bytes below 128, so that it can be written as text.
        try workspace.write("up.bin", String(decoding: content.map { $0 & 0x7F }, as: UTF8.self))
        return workspace
    }

    private func words(_ fault: String, _ more: [String] = []) -> [String] {
        ["--origin-cmd", Self.server, "--fault", fault, "--fetch-check", "up.bin=/files/up.bin"]
            + more + ["--"] + Self.upload
    }

    @Test(arguments: [1, 300_000, size - 1])
    func `an upload goes on after the crash, and what arrives is right`(byte: Int) throws {
        let workspace = try workspace()
        let fault = "c1/r1:req.body+\(byte)=crash,see=104"
        let outcome = try Program.run(
            ["run", "--dir", "kept", "--expect", "pass"] + words(fault),
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("\(fault): fired once"), "\(outcome.errors)")
        #expect(workspace.bytes("kept/store/files/up.bin") == workspace.bytes("up.bin"))
        // The one that was killed cannot say so; the one after it could.
        let listening = workspace.text("kept/server-stdout").split(separator: "\n").filter {
            $0.hasPrefix("listening")
        }
        #expect(listening.count == 2 && Set(listening).count == 1, "\(listening)")
    }

    @Test func `the line that is printed repeats it, and a search finds nothing`() throws {
        let workspace = try workspace()
        let first = try Program.run(
            ["run", "--origin-crash-cmd", "exit 0"]
                + words("c1/r1:req.body+300000=crash(loss=all),see=104"),
            in: workspace
        )
        let line = try #require(first.errors.split(separator: "\n").first { $0.contains("repeat") })
        #expect(line.contains("--origin-crash-cmd 'exit 0'"), "\(line)")
        let command = line.drop { $0 != "l" }.replacing("linkcond replay", with: "replay")
        let again = try Program(
            "/bin/sh",
            ["-c", "exec \(Program.linkcond) \(command)"],
            in: workspace
        ).wait()
        #expect(again.code == 0 && again.errors.contains("fired once"), "\(again.errors)")
        let search = try Program.run(
            [
                "explore", "-q", "--forget", "--effects", "crash", "--origin-cmd", Self.server,
                "--fetch-check", "up.bin=/files/up.bin", "--",
            ] + Self.upload + ["--restart-from-zero"],
            in: workspace
        )
        #expect(search.code == 0, "\(search.output)\(search.errors)")
        #expect(search.output.contains("2 points: 2 passed"), "\(search.output)")
    }

    @Test func `one that does not come back is no pass`() throws {
        let workspace = try workspace()
        let once = "[ -e {dir}/store ] && exit 3; " + Self.server
        let outcome = try Program.run(
            [
                "run", "--origin-cmd", once, "--fault", "c1/r1:req.body+1=crash", "--expect",
                "exit!=0", "--",
            ] + Self.upload,
            in: workspace
        )
        #expect(outcome.code == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("the server did not come back from its crash"))
    }

    @Test(arguments: [
        (
            ["run", "--origin-cmd", "x {port}", "--fault", "c1/r1:req.body+1=crash(loss=all)"],
            Int32(125), "give --origin-crash-cmd that does so"
        ),
        (
            ["run", "--upstream", "localhost:9", "--fault", "c1/r1:req.body+1=crash"], 125,
            "needs a server that linkcond starts"
        ),
        (
            ["run", "--origin-crash-cmd", "true"], 125,
            "--origin-crash-cmd goes with the server of --origin-cmd only"
        ),
        (
            ["explore", "--upstream", "localhost:9", "--effects", "fin,crash"], 64,
            "'crash' needs a server that linkcond starts"
        ),
        (
            ["explore", "--origin-cmd", "x {port}", "--effects", "range"], 64,
            "'range' is of the test server; leave it or --origin-cmd out"
        ),
    ])
    func `what no crash can do is said before anything starts`(
        words: [String],
        code: Int32,
        text: String
    ) throws {
        let outcome = try Program.run(words + ["--", "true"])
        #expect(outcome.code == code && outcome.errors.contains(text), "\(outcome.errors)")
    }
}
