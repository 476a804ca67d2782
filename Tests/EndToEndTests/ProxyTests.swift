import Foundation
import Origin
import SystemIO
import Testing

@Suite struct ProxyTests {
    @Test func `the first line says where it listens, where it forwards, profile and seed`() throws
    {
        let proxy = try RunningProxy(["--profile", "wifi", "--seed", "7"])
        #expect(proxy.firstLine.count == 8)
        #expect(proxy.firstLine[0] == "listening")
        #expect(proxy.address.hasPrefix("127.0.0.1:"))
        #expect(
            proxy.firstLine.dropFirst(2)
                == ["upstream", "embedded", "profile", "wifi", "seed", "7"]
        )
        let outcome = try proxy.end()
        #expect(outcome.code == 143)
    }

    @Test func `a seed that was chosen is printed and repeated`() throws {
        let proxy = try RunningProxy(["proxy"])
        let seed = try #require(proxy.firstLine.last)
        let outcome = try proxy.end()
        #expect(outcome.output.contains("repeat with  linkcond --seed \(seed)\n"))
    }

    @Test func `a download arrives whole, and a range of it too`() throws {
        let workspace = Workspace()
        let proxy = try RunningProxy(["--profile", "wifi", "--seed", "7"])
        let url = "http://\(proxy.address)/bytes/300000?seed=4"
        #expect(try Program.curl(["-o", "body", url], in: workspace).code == 0)
        let expected = KnownContent(seed: 4).bytes(0..<300_000)
        #expect(workspace.bytes("body") == expected)
        #expect(try Program.curl(["-r", "1000-1999", "-o", "part", url], in: workspace).code == 0)
        #expect(workspace.bytes("part") == Array(expected[1_000..<2_000]))
        let outcome = try proxy.end(SIGINT)
        #expect(outcome.code == 130)
        #expect(outcome.output.contains("connections  2: 2 closed normally"))
        #expect(outcome.errors.contains("curl -o /dev/null http://\(proxy.address)/bytes/1000000"))
    }

    /// Where an origin behind a proxy of this seed keeps its first upload.
    private static func upload(seed: String) throws -> String {
        let proxy = try RunningProxy(["--seed", seed])
        let fields = ["-H", "Upload-Draft-Interop-Version: 6", "-H", "Upload-Complete: ?0"]
        let created = try Program.curl(
            ["-D", "-", "-X", "POST"] + fields + ["http://\(proxy.address)/files/"]
        )
        _ = try proxy.end()
        let head = created.output.split(whereSeparator: \.isNewline)
        let location = try #require(head.last { $0.lowercased().hasPrefix("location:") })
        return String(try #require(location.split(separator: "/").last))
    }

    @Test func `equal seeds give uploads equal names`() throws {
        let first = try Self.upload(seed: "5")
        #expect(first.utf8.count >= 16)
        #expect(try Self.upload(seed: "5") == first)
        #expect(try Self.upload(seed: "6") != first)
    }

    @Test func `with --json every line of standard output is an object`() throws {
        let proxy = try RunningProxy(["--json", "--profile", "lte", "--seed", "9"])
        let outcome = try proxy.end()
        let objects = try outcome.output.split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            )
        }
        #expect(objects.map { $0["event"] as? String } == ["listening", "summary"])
        #expect(objects[0]["profile"] as? String == "lte")
        #expect(objects[0]["seed"] as? Int == 9)
        #expect((objects[0]["url"] as? String)?.hasPrefix("http://127.0.0.1:") == true)
    }

    @Test func `readiness appears complete in a file and on a descriptor`() throws {
        let workspace = Workspace()
        try workspace.write("ready.json", "stale")
        let program = try Program(
            "/bin/sh",
            [
                "-c",
                "exec \(Program.linkcond) -q --ready-file ready.json --ready-fd 5 5>descriptor.json",
            ],
            in: workspace
        )
        try program.waitFor("listening")
        let isThere = Program.poll(seconds: 5) {
            workspace.text("descriptor.json").hasSuffix("}\n")
        }
        #expect(isThere)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(workspace.text("ready.json").utf8))
                as? [String: Any]
        )
        #expect(object["host"] as? String == "127.0.0.1")
        #expect(object["pid"] as? Int == Int(program.identifier))
        let port = try #require(object["port"] as? Int)
        #expect(program.output.hasPrefix("listening 127.0.0.1:\(port) "))
        #expect(workspace.text("descriptor.json") == workspace.text("ready.json"))
        program.signal(SIGTERM)
        #expect(try program.wait().code == 143)
    }

    @Test func `several listeners share one upstream or have one each`() throws {
        let origin = try RunningProxy(["proxy", "-q"])
        let workspace = Workspace()
        let socket = workspace.path + "/l.sock"
        let proxy = try RunningProxy([
            "--listen", "127.0.0.1:0", "--listen", "[::1]:0", "--listen", "unix:\(socket)",
            "--upstream", origin.address,
        ])
        try proxy.program.waitFor("listening unix:")
        let addresses = proxy.program.output.split(separator: "\n").prefix(3).map {
            String($0.split(separator: " ")[1])
        }
        for address in addresses.prefix(2) {
            #expect(try Program.curl(["-o", "body", "-g", "http://\(address)/bytes/10"]).code == 0)
        }
        let local = try Program.curl(
            ["-o", "body", "--unix-socket", socket, "http://localhost/bytes/10"],
            in: workspace
        )
        #expect(local.code == 0)
        #expect(workspace.bytes("body") == KnownContent(seed: 0).bytes(0..<10))
        let outcome = try proxy.end()
        #expect(outcome.code == 143)
        #expect(!FileManager.default.fileExists(atPath: socket))
        _ = try origin.end()
    }

    @Test func `a duration ends the run with success`() throws {
        let outcome = try Program.run(["proxy", "--duration", "300ms"])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("summary none"))
    }

    @Test func `quiet leaves the first line alone`() throws {
        let outcome = try Program.run(["proxy", "-q", "--duration", "100ms"])
        #expect(outcome.outputLines.count == 2 && outcome.outputLines[1].isEmpty)
        #expect(outcome.errors.isEmpty)
    }

    @Test(
        arguments: [
            (["--live"], 64), (["--listen", "0.0.0.0:0"], 64),
            (["--listen", "203.0.113.5:80", "--allow-remote"], 69),
            (["--listen", "unix:/nonexistent/x"], 69), (["--listen", "unix:taken"], 69),
            (["--listen", "TAKEN"], 69), (["--control", "TAKEN"], 69),
            (["--control", "0.0.0.0:0"], 64), (["--ui", "--control", "unix:x"], 64),
            (["--journal", "/nonexistent/x"], 73), (["--journal", "."], 73),
            (["--ready-file", "/nonexistent/x"], 73), (["--ready-file", "."], 73),
            (["--path-socket", "/nonexistent/x"], 69), (["--path-socket", "taken"], 69),
            (["--upstream", "no-such.invalid:80"], 69), (["--listen", "127.0.0.1:0"], 0),
            (["--proxies", "a={listen: 'TAKEN', upstream: 127.0.0.1:9}"], 69),
            (["--proxies", "a={listen: 'unix:taken', upstream: 127.0.0.1:9}"], 69),
            (["--proxies", "a={listen: '0.0.0.0:0', upstream: 127.0.0.1:9}"], 64),
            (["--proxies", "a={upstream: 'udp://127.0.0.1:9'}"], 64),
            (["--proxies", "a={upstream: 127.0.0.1:9, profile: edgy}"], 64),
            (["--proxies", "a={upstream: 127.0.0.1:9, listen: 'unix:free'}"], 0),
            (["--dns", "--dns-listen", "TAKEN"], 69),
            (["--journal", "taken", "--ready-file", "free", "--path-socket", "path"], 0),
        ] as [([String], Int32)]
    )
    func `a dry run refuses what the run refuses, and leaves nothing behind`(
        arguments: [String],
        code: Int32
    ) throws {
        let workspace = Workspace()
        try workspace.write("taken", "kept")
        let other = try RunningProxy(["proxy"])
        let given = arguments.map { $0.replacing("TAKEN", with: other.address) }
        let dry = try Program.run(["--dry-run"] + given, in: workspace)
        #expect(dry.code == code, "\(given) \(dry.errors)")
        #expect(workspace.text("taken") == "kept")
        let names = Set(FileSystem.names(in: workspace.path).filter { !$0.contains(".") })
        #expect(names.subtracting(["taken"]).filter { UUID(uuidString: $0) == nil }.isEmpty)
        let run = try Program.run(["--duration", "20ms"] + given, in: workspace)
        #expect(run.code == code, "\(given) \(run.errors)")
        _ = try other.end()
    }

    @Test(arguments: [
        (["--delay=80"], "--delay 80: '80' has no unit"),
        (["--set", "delay=80"], "--set delay=80: '80' has no unit"),
    ])
    func `a mistake in a short form names what was typed`(options: [String], words: String) throws {
        let outcome = try Program.run(["--dry-run"] + options)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `a dry run prints the settings with their origin`() throws {
        let outcome = try Program.run(
            ["-n", "--profile", "lossy", "--set", "loss=2%", "--upstream", "127.0.0.1:9"],
            environment: ["LINKCOND_SEED": "5"]
        )
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("(LINKCOND_SEED)"))
        let lines = outcome.outputLines.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.contains("down.loss 2% (--set)"))
        #expect(lines.contains("down.rate 780kbit/s (profile lossy)"))
        #expect(outcome.output.contains("not given") && outcome.output.contains("--duration"))
        #expect(!outcome.output.contains("listening"))
    }

    @Test func `the environment names the profile`() throws {
        let proxy = try RunningProxy(["proxy"], environment: ["LINKCOND_PROFILE": "3g"])
        #expect(proxy.firstLine.contains("3g"))
        _ = try proxy.end()
    }
}
