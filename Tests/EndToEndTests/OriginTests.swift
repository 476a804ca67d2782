import Foundation
import Origin
import SystemIO
import TestSupport
import Testing

/// `linkcond origin` as curl and wget see it.
@Suite struct OriginTests {
    private func origin(
        _ arguments: [String] = [],
        in workspace: Workspace = Workspace()
    ) throws -> RunningProxy {
        try RunningProxy(["origin"] + arguments, in: workspace)
    }

    private func url(_ origin: RunningProxy, _ path: String) -> String {
        "http://\(origin.address)\(path)"
    }

    @Test func `curl continues a download that was cut`() throws {
        let origin = try origin(["--misbehave", "short=300000@1"])
        let workspace = Workspace()
        let place = url(origin, "/bytes/1000000?seed=4")
        let first = try Program.curl(["-r", "0-", "-o", "file", place], in: workspace)
        #expect(first.code == 0 && workspace.bytes("file").count == 300_000)
        let second = try Program.curl(["-C", "-", "-o", "file", place], in: workspace)
        #expect(second.code == 0)
        #expect(workspace.bytes("file") == KnownContent(seed: 4).bytes(0..<1_000_000))
    }

    @Test func `wget continues a download of a file`() throws {
        let served = Workspace()
        try served.write("a.txt", String(repeating: "0123456789", count: 5_000))
        let origin = try origin([served.path])
        let workspace = Workspace()
        try workspace.write("a.txt", String(repeating: "0123456789", count: 2_000))
        let arguments = ["-q", "-c", url(origin, "/a.txt")]
        let outcome = try Program("/usr/bin/wget", arguments, in: workspace).wait()
        #expect(outcome.code == 0)
        #expect(workspace.text("a.txt") == served.text("a.txt"))
    }

    @Test
    func `a command gets each upload that is whole, and the client hears whether it succeeded`()
        throws
    {
        let workspace = Workspace()
        let content = String(repeating: "0123456789", count: 40_000)
        try workspace.write("f", content)
        try workspace.write("in/.keep", "")
        let command = """
            echo "$LINKCOND_NAME $LINKCOND_BYTES $LINKCOND_PROTOCOL $LINKCOND_METHOD" >> told
            echo heard; test ! -e refuse && mv "$LINKCOND_FILE" checked
            """
        let origin = try origin(["in", "--on-complete", command], in: workspace)
        let proxy = try RunningProxy([
            "proxy", "--upstream", origin.address, "--set", "delay=3ms", "--set",
            "up.rate=4Mbit/s", "--fault", "c1:up+100000=rst",
        ])
        let upload = ["upload", "f", "http://\(proxy.address)/files/a", "--interop", "8"]
        let taken = try Program.run(upload, in: workspace)
        #expect(taken.code == 0 && taken.errors.contains("retrying in"), "\(taken.errors)")
        #expect(workspace.text("told") == "a 400000 ietf-8 POST\n")
        #expect(workspace.text("checked") == content)
        try workspace.write("refuse", "")
        let refused = try Program.run(upload, in: workspace)
        #expect(refused.code == 1 && refused.errors.contains("500"), "\(refused.errors)")
        #expect(workspace.text("told").split(separator: "\n").count == 2)
        #expect(workspace.text("in/files/a") == content)
        #expect(origin.program.errors.contains("--on-complete for 'a': exit code 1"))
        #expect(origin.program.errors.contains("heard"))
    }

    @Test func `curl uploads by PUT, by form and by a resumable version`() throws {
        let workspace = Workspace()
        let origin = try origin([workspace.path])
        try workspace.write("up", String(repeating: "x", count: 400_000))
        let put = try Program.curl(["-T", "up", url(origin, "/files/put")], in: workspace)
        #expect(put.output == "{\"path\":\"/files/put\",\"bytes\":400000}\n")
        let form = try Program.curl(["-F", "f=@up", url(origin, "/files/")], in: workspace)
        #expect(form.output.contains("\"/files/up\""))
        let fields = ["-H", "Upload-Draft-Interop-Version: 6", "-H", "Upload-Complete: ?1"]
        let resumable = try Program.curl(
            ["-i", "--data-binary", "@up", url(origin, "/files/res")] + fields,
            in: workspace
        )
        #expect(resumable.output.hasPrefix("HTTP/1.1 104 "))
        for name in ["put", "up", "res"] {
            #expect(workspace.bytes("files/\(name)") == workspace.bytes("up"))
        }
    }

    @Test func `log and state are files, and the first line says where`() throws {
        let workspace = Workspace()
        let origin = try origin(
            ["--access-log", "log", "--state", "state", "--ready-file", "ready"],
            in: workspace
        )
        #expect(origin.firstLine[0] == "listening" && origin.firstLine.last == "private")
        // It follows the first line.
        let isThere = Program.poll(seconds: 20) { !workspace.text("ready").isEmpty }
        #expect(isThere && workspace.text("ready").contains("\"url\":\"http://\(origin.address)\""))
        _ = try Program.curl([url(origin, "/bytes/10"), "-o", "x"])
        _ = try Program.curl(["-d", "hello", url(origin, "/files/a")])
        let outcome = try origin.end(SIGINT)
        #expect(outcome.code == 130, "\(outcome)")
        #expect(outcome.errors.contains("summary origin: 2 requests"))
        let lines = workspace.text("log").split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("\"target\":\"/bytes/10\""))
        let state = workspace.text("state")
        #expect(state.contains("\"sha256\":\"\(SHA256.hexadecimal(Array("hello".utf8)))\""))
    }

    @Test func `IPv6 and Unix sockets are listened on`() throws {
        let workspace = Workspace()
        let path = "\(workspace.path)/s"
        let origin = try origin(["--listen", "[::1]:0", "--listen", "unix:\(path)"])
        try origin.program.waitFor("unix:")
        let outcome = try Program.curl(["http://\(origin.address)/bytes/3"])
        #expect(outcome.code == 0)
        let unix = try Program.curl(["--unix-socket", path, "http://localhost/.linkcond/state"])
        #expect(unix.output.hasPrefix("{\"v\":1,"))
        #expect(try origin.end().code == 143)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `https is served by a certificate of the user's authority`() throws {
        let workspace = Workspace()
        let origin = try RunningProxy(
            ["origin", "--https", "--listen", "127.0.0.1:0", "--location", "absolute"],
            environment: ["XDG_STATE_HOME": "\(workspace.path)/state"],
            in: workspace
        )
        #expect(origin.firstLine.last == "https")
        let authority = "state/linkcond/tls/authority.crt"
        let fetched = try Program.curl(
            ["--cacert", authority, "-o", "got", "https://\(origin.address)/bytes/30"],
            in: workspace
        )
        #expect(workspace.bytes("got").count == 30, "\(fetched.errors)")
        #expect(try Program.curl(["https://\(origin.address)/bytes/30"]).code == 60)
        let created = try Program.curl(
            [
                "--cacert", authority, "-X", "POST", "-H", "Tus-Resumable: 1.0.0",
                "-H", "Upload-Length: 5", "-D", "-", "https://\(origin.address)/files/",
            ],
            in: workspace
        )
        let location = "location: https://\(origin.address)/"
        #expect(created.output.lowercased().contains(location), "\(created.output)")
        #expect(try origin.end().errors.contains("Try: curl --cacert"))
    }

    @Test func `https is served by a certificate from files`() throws {
        let (files, workspace) = (try TestCertificates(), Workspace())
        let origin = try self.origin(["--tls-cert", files.certificate, "--tls-key", files.key])
        let port = try #require(origin.address.split(separator: ":").last)
        let fetched = try Program.curl(
            ["--cacert", files.authority, "-o", "got", "https://localhost:\(port)/bytes/30"],
            in: workspace
        )
        #expect(workspace.bytes("got").count == 30, "\(fetched.errors)")
        #expect(try !origin.end().errors.contains("--cacert"))
    }

    @Test(arguments: [
        (["--tls-cert", "x"], 64, "--tls-cert needs --tls-key, too"),
        (["--tls-cert", "/x", "--tls-key", "/y"], 64, "cannot use the certificate in /x"),
        (["/nonexistent"], 66, "cannot open the folder '/nonexistent'"),
        (["--listen", "0.0.0.0:0"], 64, "can be reached by other machines; give --allow-remote"),
        (["--misbehave", "503@0"], 64, "column"),
        (["--access-log", "/nonexistent/x"], 73, "cannot create access log"),
        (["--state", "/nonexistent/x"], 73, "cannot write the state to '/nonexistent/x'"),
        (["--state", "/tmp"], 73, "name a file"),
        (["--listen", "192.0.2.1:80", "--allow-remote"], 69, "cannot listen on 192.0.2.1:80"),
    ])
    func `a start that cannot be ends with one line and its code`(
        arguments: [String],
        code: Int32,
        text: String
    ) throws {
        let outcome = try Program.run(["origin"] + arguments)
        #expect(outcome.code == code && outcome.errors.contains(text), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.output.isEmpty)
    }

    @Test func `a folder that only others can write is no place for an origin`() throws {
        let workspace = Workspace()
        try workspace.write("served/a", "a")
        // Root may write everywhere.
        let isRoot = getuid() == 0
        unsafe #expect(chmod("\(workspace.path)/served", 0o555) == 0)
        defer { _ = unsafe chmod("\(workspace.path)/served", 0o755) }
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let words = (isRoot ? nobody : []) + [Program.linkcond, "origin", "served"]
        let outcome = try Program(words[0], Array(words.dropFirst()), in: workspace).wait()
        #expect(outcome.code == 73 && outcome.output.isEmpty)
        #expect(
            outcome.errors.contains(
                "cannot keep uploads in 'served': permission denied; choose a folder that can be"
                    + " written"
            ),
            "\(outcome.errors)"
        )
        #expect(FileSystem.names(in: "\(workspace.path)/served") == ["a"])
    }

    @Test func `a private folder is gone after the end`() throws {
        let workspace = Workspace()
        let origin = try RunningProxy(
            ["origin", "--duration", "30s"],
            environment: ["TMPDIR": workspace.path],
            in: workspace
        )
        _ = try Program.curl(["-d", "hello", url(origin, "/files/a")])
        let folders = { FileSystem.names(in: workspace.path).filter { $0.hasPrefix("linkcond-") } }
        #expect(folders().count == 1)
        #expect(try origin.end().code == 143)
        #expect(folders().isEmpty)
    }
}
