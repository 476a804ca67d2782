import Testing

/// What faults of messages and lies of the test server do to curl and wget: their exit code, and what
/// arrived.
@Suite struct CurlFaultTests {
    private static let size = 300_000
    private static let target = "{url}/bytes/300000"

    private struct Result {
        var code: Int32
        var errors: String
        var content: [UInt8]
        /// The heads that curl was told to keep, with line ends that are easy to compare.
        var heads: String
    }

    private func run(
        _ options: [String],
        _ command: [String],
        in workspace: Workspace = Workspace()
    ) throws -> Result {
        let outcome = try Program.run(
            ["run", "--dir", "kept"] + options + ["--"] + command,
            in: workspace
        )
        return Result(
            code: outcome.code,
            errors: outcome.errors,
            content: workspace.bytes("kept/out"),
            heads: workspace.text("kept/heads").replacing("\r\n", with: "\n").lowercased()
        )
    }

    private func curl(_ options: [String], _ words: [String] = []) throws -> Result {
        try run(
            options,
            ["curl", "-sS", "-D", "{dir}/heads", "-o", "{out}"] + words + [Self.target]
        )
    }

    /// What the object's content is.
    private func right(in workspace: Workspace = Workspace()) throws -> [UInt8] {
        let outcome = try Program.run(
            ["run", "-q", "--", "curl", "-sS", "-o", "right", Self.target],
            in: workspace
        )
        #expect(outcome.code == 0)
        return workspace.bytes("right")
    }

    @Test(arguments: ["c1:connect=refuse", "c1:down+0=rst"])
    func `a refused connection is the same for curl each time`(fault: String) throws {
        for _ in 0..<15 {
            // 56: the connection was there and was reset; 7 would be a connect that failed.
            #expect(try curl(["--fault", fault]).code == 56)
        }
    }

    // MARK: Framing

    @Test(arguments: [
        ("chunked", "transfer-encoding: chunked"), ("close", "connection: close"),
        ("length", "content-length: 300000"),
    ])
    func `content comes whole in each framing, and HEAD says the same of it`(
        framing: String,
        field: String
    ) throws {
        let whole = try curl(["--framing", framing])
        let right = try right()
        #expect(whole.code == 0 && whole.content == right)
        #expect(whole.heads.contains("\n\(field)\n"), "\(whole.heads)")
        #expect(!whole.errors.contains("found "), "\(whole.errors)")
        #expect(whole.heads.contains("content-length") == (framing == "length"))
        let head = try curl(["--framing", framing], ["-I"])
        #expect(head.code == 0 && head.heads.contains("\n\(field)\n"), "\(head.heads)")
    }

    @Test func `curl sees that the last chunk is missing`() throws {
        let result = try curl([
            "--framing", "chunked", "--fault", "c1/r1:resp.body+150000=truncate",
        ])
        // CURLE_PARTIAL_FILE
        #expect(result.code == 18)
        #expect(result.content == Array(try right().prefix(150_000)))
        #expect(result.errors.contains("c1/r1:resp.body+150000=truncate: fired once"))
    }

    @Test func `curl cannot see that content which the connection's end ends was cut`() throws {
        let workspace = Workspace()
        let right = try right(in: workspace)
        let result = try run(
            [
                "--framing", "close", "--fault", "c1/r1:resp.body+150000=truncate", "--same",
                "right",
            ],
            ["curl", "-sS", "-o", "{out}", Self.target],
            in: workspace
        )
        #expect(result.content == Array(right.prefix(150_000)))
        #expect(
            result.errors.contains("{out} is right: fail, has only the first"),
            "\(result.errors)"
        )
        #expect(result.errors.contains("command      exit code 0"), "\(result.errors)")
        // The message is complete by the rules, so that only the comparison tells.
        #expect(result.code == 1 && !result.errors.contains("found        R10"))
    }

    // MARK: Interim responses

    @Test func `curl takes an interim response that was added for what it is`() throws {
        let result = try curl(["--fault", "c1/r1:req.head=inject(103,link=%3C/a.css%3E)"])
        let right = try right()
        #expect(result.code == 0 && result.content == right)
        #expect(
            result.heads.hasPrefix("http/1.1 103 early hints\nlink: </a.css>\n\nhttp/1.1 200 ok\n"),
            "\(result.heads)"
        )
    }

    /// An upload that is announced with 104.
    private func upload(_ fault: [String]) throws -> Result {
        let workspace = Workspace()
        try workspace.write("file", String(repeating: "content ", count: 1_000))
        return try run(
            fault + ["--fetch-check", "file=/files/f"],
            [
                "curl", "-sS", "-D", "{dir}/heads", "-T", "file", "-H",
                "Upload-Draft-Interop-Version: 6", "-H", "Upload-Complete: ?1", "{url}/files/f",
            ],
            in: workspace
        )
    }

    @Test func `curl's upload does not miss the 104 that was taken away`() throws {
        let plain = try upload([])
        #expect(plain.code == 0 && plain.heads.contains("http/1.1 104 "), "\(plain.errors)")
        let stripped = try upload(["--fault", "c*=strip(1xx)"])
        #expect(stripped.code == 0 && stripped.heads.contains("\nupload-offset: 8000\n"))
        #expect(!stripped.heads.contains("http/1.1 104 "), "\(stripped.heads)")
    }

    @Test func `curl is told another place by an edited 104`() throws {
        let edited = try upload(["--fault", "c1/r1:interim(104)=edit(location=/elsewhere)"])
        #expect(edited.code == 0, "\(edited.errors)")
        let interim = edited.heads.split(separator: "\n\n").filter { $0.contains(" 104 ") }
        #expect(interim.first?.contains("\nlocation: /elsewhere") == true, "\(edited.heads)")
    }

    // MARK: A range of the gzip form

    /// A download that is cut at half, and a continuation.
    private func resumed(by words: String, gzip: Bool = true) throws -> Result {
        let workspace = Workspace()
        _ = try right(in: workspace)
        return try run(
            ["--fault", "c1/r1:resp.body+150000=fin", "--same", "right"]
                + (gzip ? ["--fault", "obj(/bytes/300000)#2=range(gzip)"] : []),
            ["sh", "-c", words],
            in: workspace
        )
    }

    private static let clients = [
        "curl -sS -o {out} \(target); curl -sS -C - -o {out} \(target)",
        "wget -q -t 1 -O {out} \(target); wget -q -c -O {out} \(target)",
    ]

    @Test(arguments: clients)
    func `a client that appends a range of the gzip form is shown corrupt`(words: String) throws {
        #expect(try resumed(by: words, gzip: false).code == 0)
        let result = try resumed(by: words)
        #expect(result.code == 1)
        #expect(
            result.errors.contains("{out} is right: fail, differs from byte 150000 on"),
            "\(result.errors)"
        )
        #expect(result.errors.contains("#2=range(gzip): fired once"), "\(result.errors)")
    }

    @Test func `our own client does not take it, and begins again`() throws {
        let result = try resumed(
            by: "\(Program.linkcond) download --explain -o {out} \(Self.target)"
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains("206 in another content coding"), "\(result.errors)")
    }

    @Test func `the gzip form of the whole is one that curl and gzip can read`() throws {
        let fault = ["--fault", "obj(/bytes/300000)#1=range(gzip)"]
        let right = try right()
        let decoded = try curl(fault, ["--compressed"])
        #expect(decoded.code == 0 && decoded.content == right)
        let piped = try run(
            fault,
            ["sh", "-c", "curl -sS \(Self.target) | gzip -dc > {out}"]
        )
        #expect(piped.code == 0 && piped.content == right)
    }

    /// Asks twice over one connection, with a pause between; prints the statuses, or why there is none.
    private static let pausing = """
        import http.client, sys, time
        host, port = sys.argv[1].split("//")[1].split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=1)
        try:
            for pause in sys.argv[2:]:
                time.sleep(float(pause))
                connection.request("GET", "/bytes/10")
                print(connection.getresponse().read() and 200)
        except Exception as error: print(type(error).__name__)
        """

    @Test(arguments: [
        ("silent", ["0", "3"], "200\nTimeoutError\n"),
        ("rst", ["0", "3"], "200\nConnectionResetError\n"),
        ("silent", ["0", "0"], "200\n200\n"),
    ])
    func `a connection that was idle for a time is forgotten`(
        effect: String,
        pauses: [String],
        output: String
    ) throws {
        let limit = pauses.last == "0" ? "60s" : "2s"
        let outcome = try Program.run(
            [
                "run", "--fault", "c1:idle(\(limit))=\(effect)", "--", "python3", "-c",
                Self.pausing, "{url}",
            ]
                + pauses
        )
        let fired = pauses.last == "0" ? "never reached" : "fired once"
        #expect(
            outcome.errors.contains("c1:idle(\(limit))=\(effect): \(fired)"),
            "\(outcome.errors)"
        )
        #expect(outcome.output == output, "\(outcome.output)\(outcome.errors)")
    }
}
