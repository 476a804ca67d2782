import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// The server under curl, and the client at Python's server.
@Suite struct InteroperationTests {
    /// Runs a program on the loop; its output.
    private func run(_ program: [String], on rig: Rig) throws -> (ChildProcess.Ending?, String) {
        let temporary = try TemporaryFolder()
        var settings = ChildProcess.Settings(program[0], Array(program.dropFirst()))
        (settings.input, settings.output) = (.none, .file("\(temporary.path)/out"))
        settings.error = settings.output
        let child = try ChildProcess(settings, on: rig.loop)
        rig.run { !child.isRunning }
        child.close()
        let output = try FileSystem.read("\(temporary.path)/out", limit: 1 << 24)
        return (child.ending, String(decoding: output, as: UTF8.self))
    }

    private func server(tls: TLSContext? = nil) throws -> Rig {
        try Rig(tls: tls) { exchange in
            let reader = Reader(exchange)
            reader.onEnd = { reader in
                let digest = SHA256.hexadecimal(reader.bytes)
                let text = "\(exchange.head.method) \(reader.bytes.count) \(digest)\n"
                _ = try? exchange.sendInterim(ResponseHead(103, fields: ["Link": "</x>"]))
                try? exchange.respond(ResponseHead(200), .text(text))
            }
            reader.goOn()
        }
    }

    @Test func `curl sends and receives by every framing`() throws {
        let temporary = try TemporaryFolder()
        let bytes = content(0..<3_000_000)
        let path = "\(temporary.path)/f"
        try FileSystem.replace(path, with: bytes)
        let rig = try server()
        let url = "http://127.0.0.1:\(rig.address.port ?? 0)/"
        let digest = SHA256.hexadecimal(bytes)
        for options in [
            ["-T", path], ["-T", path, "-H", "Transfer-Encoding: chunked"], ["-T", path, "-0"],
            ["-T", path, "-H", "Expect: 100-continue"],
            ["--data-binary", "@\(path)", "-X", "PUT"],
        ] {
            let (ending, text) = try run(["curl", "-sS", "-m", "20", url] + options, on: rig)
            #expect(ending == .exited(0) && text == "PUT 3000000 \(digest)\n", "\(options)")
        }
        let (ending, text) = try run(["curl", "-sS", "-m", "20", "-I", url, url], on: rig)
        #expect(ending == .exited(0) && text.contains("103 ") && text.contains("200 OK"))
        // Both on one connection.
        #expect(rig.reports.suffix(2).map(\.request) == [1, 2])
    }

    @Test func `curl speaks TLS with the server`() throws {
        let files = try TestCertificates()
        let rig = try server(
            tls: try TLSContext.server(files.serverSettings)
        )
        let url = "https://localhost:\(rig.address.port ?? 0)/"
        let options = ["--cacert", files.authority, "-d", "abc", "-4", "-m", "20", url]
        let (ending, text) = try run(["curl", "-sS"] + options, on: rig)
        #expect(ending == .exited(0))
        #expect(text == "POST 3 \(SHA256.hexadecimal(Array("abc".utf8)))\n", "\(text)")
    }

    @Test func `the client understands Python's server`() throws {
        let temporary = try TemporaryFolder()
        let bytes = content(0..<2_000_000)
        try FileSystem.replace("\(temporary.path)/f", with: bytes)
        let rig = try ClientRig()
        var settings = ChildProcess.Settings(
            "python3",
            ["-u", "-m", "http.server", "-b", "127.0.0.1", "-d", temporary.path, "0"]
        )
        (settings.input, settings.error) = (.none, .none)
        settings.output = .file("\(temporary.path)/out")
        let python = try ChildProcess(settings, on: rig.loop)
        var port: Substring?
        // An interpreter takes long to start on a busy machine.
        for _ in 0..<3_000 where port == nil {
            rig.run(milliseconds: 20)
            let output = (try? FileSystem.read("\(temporary.path)/out", limit: 65_536)) ?? []
            let words = String(decoding: output, as: UTF8.self).split(separator: " ")
            port = words.firstIndex(of: "port").map { words[$0 + 1] }
        }
        let url = try HTTPURL("http://127.0.0.1:\(try #require(port))/f")
        let get = rig.start(ClientRequest("GET", url))
        rig.run { get.isOver }
        #expect(get.failure == nil && get.response?.status == 200 && get.bytes == bytes)
        let head = rig.start(ClientRequest("HEAD", url))
        rig.run { head.isOver }
        #expect(head.response?.fields["Content-Length"] == "2000000" && head.bytes.isEmpty)
        // It answers before it has read, and ends the connection.
        let put = rig.start(ClientRequest("PUT", url, body: .bytes(bytes)))
        rig.run { put.isOver }
        #expect(put.response?.status == 501 || put.failure?.reason == .reset)
        python.send(.kill)
        rig.run { !python.isRunning }
        python.close()
    }
}
