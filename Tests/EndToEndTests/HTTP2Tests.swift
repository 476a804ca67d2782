import Foundation
import SystemIO
import TestSupport
import Testing

/// HTTP/2 as it is spoken by curl and nghttpd, which know nothing of each other's library versions.
@Suite struct HTTP2Tests {
    private let workspace = Workspace()
    private let size = 300_000

    init() throws {
        var content = Data(count: size)
        for place in 0..<size { content[place] = UInt8(truncatingIfNeeded: place &* 31 >> 3) }
        try content.write(to: URL(fileURLWithPath: "\(workspace.path)/big.bin"))
    }

    private var server: [String] {
        ["--origin-cmd", "exec nghttpd --no-tls -a 127.0.0.1 -d \(workspace.path) {port}"]
    }

    private func run(_ options: [String], _ client: [String]) throws -> Outcome {
        try Program.run(["run"] + server + options + ["--"] + client, in: workspace)
    }

    private func curl(_ rest: String...) -> [String] {
        ["curl", "-sS", "-m", "20", "--http2-prior-knowledge"] + rest
    }

    @Test func `requests are answered and held by faults`() throws {
        let refused = try run(
            ["--fault", "c1/r1:req.head=status(503)"],
            curl("-o", "{out}", "-w", "%{http_version} %{http_code}", "{url}/big.bin")
        )
        #expect(refused.output == "2 503", "\(refused.errors)")
        let held = try run(
            ["--fault", "GET(/big.bin)#1:resp.body+100=stall(200ms)", "--same", "big.bin"],
            curl("-o", "{out}", "{url}/big.bin")
        )
        #expect(held.code == 0, "\(held.errors)")
    }

    @Test(arguments: [
        "c1/r1:resp.body+1..9000=rst", "c1/r1:resp.body+1..9000=slow(8Mbit/s)",
        "c1/r1=buffer(resp)",
    ])
    func `equal seeds give equal digests`(fault: String) throws {
        var digests: Set<String> = []
        for place in 1...5 {
            _ = try run(
                [
                    "-q", "--seed", "3", "--journal", "\(place)", "--fault", fault,
                ],
                curl("-o", "{out}", "{url}/big.bin")
            )
            let digest = try Program.run(["journal", "digest", "\(place)"], in: workspace)
            digests.insert(digest.output)
        }
        #expect(digests.count == 1)
    }

    @Test func `a search finds what a client does wrong`() throws {
        let outcome = try Program.run(
            ["explore", "-q", "--effects", "rst"] + server + ["--"]
                + ["sh", "-c", "curl -sS --http2-prior-knowledge -o {out} {url}/big.bin; true"],
            in: workspace
        )
        #expect(outcome.code == 1, "\(outcome.errors)")
        #expect(outcome.output.contains("resp.body+1"), "\(outcome.output)")
    }

    /// nghttpd with TLS, once it listens.
    private struct SecureServer {
        let files: TestCertificates
        let port: UInt16
        let program: Program

        init(_ workspace: Workspace) throws {
            files = try TestCertificates()
            port = try freePort()
            program = try Program(
                "nghttpd",
                ["-a", "127.0.0.1", "-d", workspace.path, "\(port)", files.key, files.certificate],
                in: workspace
            )
            let place = Int(port)
            try #require(Program.poll(seconds: 30) { ListeningPorts.contain(place) })
        }

        /// The options that lead to it.
        var upstream: [String] {
            ["--upstream", "https://localhost:\(port)", "--upstream-ca", files.authority]
        }
    }

    /// What a server that speaks TLS has is asked for by TLS, too.
    @Test(arguments: [
        ([], Int32(0), "pass"), (["--fault", "c1/r1:resp.body+5000=rst"], 1, "giveup"),
    ])
    func `the content of a server with TLS is known`(
        fault: [String],
        code: Int32,
        verdict: String
    ) throws {
        let server = try SecureServer(workspace)
        defer { server.program.signal(SIGTERM) }
        let content = try FileSystem.read("\(workspace.path)/big.bin", limit: size)
        let digest = SHA256.hexadecimal(content)
        for oracle in [["--sha256", digest], ["--fetch-check", "{out}=/big.bin"]] {
            let outcome = try Program.run(
                ["run", "--https"] + server.upstream + oracle + fault
                    + ["--", "curl", "-sS", "-o", "{out}", "{url}/big.bin"],
                in: workspace
            )
            #expect(outcome.code == code, "\(outcome.errors)")
            #expect(outcome.errors.contains(verdict), "\(outcome.errors)")
        }
    }

    /// curl asks for four objects at once; what it got of each is told in a line.
    private static let parallel = """
        for i in $(seq 50); do
            curl -sSZ -m 20 --no-progress-meter {url}/big.bin -o 1 {url}/big.bin -o 2 \
                {url}/big.bin -o 3 {url}/big.bin -o 4 && break
            [ -s 1 ] && break
            sleep 0.1
        done
        for i in 1 2 3 4; do cmp -s $i big.bin && echo same || stat -c %s $i; done
        """

    /// The client offers both protocols, the upstream takes HTTP/2, and streams go side by side.
    @Test(arguments: [
        (["--profile", "wifi"], "same same same same"),
        (["--fault", "c9/r1:resp.head=rst"], "same same same same"),
        (["--fault", "c*/r3:resp.body+70000=rst"], "same same 70000 same"),
        (["--fault", "c*/r2:resp.body+1000=stall(100ms)"], "same same same same"),
        (["--fault", "c*/r2:resp.body+1000=slow(8Mbit/s)"], "same same same same"),
        (["--fault", "c*=buffer(resp)"], "same same same same"),
    ])
    func `streams pass side by side under TLS`(options: [String], result: String) throws {
        let server = try SecureServer(workspace)
        defer { server.program.signal(SIGTERM) }
        let outcome = try Program.run(
            ["run", "--https", "--journal", "j"] + server.upstream + options
                + ["--", "sh", "-c", Self.parallel],
            in: workspace
        )
        let lines = outcome.output.split(separator: "\n").joined(separator: " ")
        #expect(lines == result, "\(outcome.errors)")
        let answers = workspace.text("j").components(separatedBy: "\"t\":\"resp\"").count - 1
        #expect(answers == 4)
    }
}
