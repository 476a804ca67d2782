import Foundation
import SystemIO
import TestSupport
import Testing

/// Memory for what waits for clients.
@Suite struct MemoryTests {
    /// Asks for more than anything holds, and reads none of it.
    private static let clients = """
        import socket, struct, sys, time
        host, port = sys.argv[1].rsplit(":", 1)
        sockets = []
        for _ in range(300):
            s = socket.create_connection((host, int(port)))
            # Its end is a reset.
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            s.sendall(b"GET /bytes/1000000000 HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
            sockets.append(s)
        print("open", flush=True)
        while True: time.sleep(1)
        """

    private func residentBytes(_ program: Program) throws -> Int {
        let status = try FileSystem.read("/proc/\(program.identifier)/status", limit: 1 << 16)
        let text = String(decoding: status, as: UTF8.self)
        let found = try #require(text.firstMatch(of: #/VmRSS:\s+([0-9]+) kB/#))
        return try #require(Int(found.1)) * 1_024
    }

    @Test(.onLinux("the memory of another process"))
    func `what waited for many clients goes back to the system when they have gone`() throws {
        let origin = try RunningProxy(["origin", "--quiet"])
        let server = try RunningProxy(["toxiproxy", "-port", "0", "--quiet"])
        let program = server.program
        let api = try #require(program.output.firstMatch(of: #/"address":"([^"]+)"/#)).1
        // A delay without a rate: all that is sent waits.
        let body = """
            [{"name": "p", "listen": "127.0.0.1:0", "upstream": "\(origin.address)", "toxics":
            [{"type": "latency", "attributes": {"latency": 1000000000}}]}]
            """
        let answer = try Program.curl(["-d", body, "http://\(api)/populate"]).output
        let found = try #require(answer.firstMatch(of: #/"listen":"([^"]+)"/#), "\(answer)")
        let before = try residentBytes(program)
        let clients = try Program("/usr/bin/python3", ["-c", Self.clients, String(found.1)])
        try clients.waitFor("open")
        // 128 MiB at most for all toxics, and 128 kiB for each direction.
        let hasGrown = Program.poll(seconds: 120) {
            ((try? residentBytes(program)) ?? 0) > before + 80_000_000
        }
        let grown = try residentBytes(program) - before
        #expect(hasGrown, "\(grown) bytes more than \(before)")
        clients.signal(SIGKILL)
        let isGivenBack = Program.poll(seconds: 120) {
            ((try? residentBytes(program)) ?? .max) < before + 40_000_000
        }
        let after = try residentBytes(program)
        #expect(isGivenBack, "\(before), \(grown) more, then \(after)")
        _ = try server.end()
        _ = try origin.end()
    }
}
