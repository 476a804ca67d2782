import Foundation
import Testing

/// What a service manager sees: readiness, the end, and sockets that it made.
@Suite struct ServiceTests {
    /// Binds a socket as a service manager does, becomes a parent of linkcond and prints what it
    /// hears.
    private static let manager = """
        import os, socket, sys
        name = sys.argv[1]
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        manager.bind(chr(0) + name[1:] if name[0] == "@" else name)
        if os.fork() == 0:
            manager.close()
            os.environ["NOTIFY_SOCKET"] = name
            if len(sys.argv) > 3:
                listener = socket.socket(socket.AF_INET6 if ":" in sys.argv[3] else socket.AF_INET)
                listener.bind((sys.argv[3], 0))
                listener.listen()
                os.dup2(listener.fileno(), 3)
                os.set_inheritable(3, True)
                os.environ["LISTEN_FDS"] = "1"
                os.environ["LISTEN_PID"] = str(os.getpid())
            os.execv("/bin/sh", ["/bin/sh", "-c", "exec " + sys.argv[2]])
        manager.settimeout(30)
        while True:
            text = manager.recv(4096).decode()
            print(text, flush=True)
            if "STOPPING=1" in text: break
        os.wait()
        """

    private func start(_ name: String, _ command: String, _ address: String?) throws -> Program {
        try Program(
            "/usr/bin/python3",
            ["-c", Self.manager, name, command] + (address.map { [$0] } ?? [])
        )
    }

    private func serve(_ name: String, _ address: String? = nil) throws -> (Outcome, String) {
        let command =
            "\(Program.linkcond) --profile wifi --ready-file ready.json --duration 2s >out"
        let program = try start(name, command, address)
        try program.waitFor("READY=1")
        let text = program.workspace.text("out")
        let listening = try #require(text.split(separator: "\n").first).split(separator: " ")[1]
        let curl = try Program.curl(["-g", "-o", "body", "http://\(listening)/bytes/1000"])
        #expect(curl.code == 0, "\(curl.errors)")
        return (try program.wait(), String(listening))
    }

    @Test func `readiness and the end are told to a socket in the file system`() throws {
        let folder = Workspace()
        let (outcome, address) = try serve("\(folder.path)/n")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output == "READY=1\nSTATUS=listening on \(address)\n\nSTOPPING=1\n\n")
    }

    @Test func `an abstract socket is told too`() throws {
        let (outcome, _) = try serve("@linkcond-test-\(UUID().uuidString)")
        #expect(outcome.output.hasPrefix("READY=1\n") && outcome.output.contains("STOPPING=1"))
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `a socket that was passed is listened on`(address: String) throws {
        let (outcome, listening) = try serve("@linkcond-test-\(UUID().uuidString)", address)
        #expect(listening.hasPrefix(address == "::1" ? "[::1]:" : "127.0.0.1:"))
        #expect(outcome.output.contains("READY=1"))
    }

    @Test func `a manager that does not hear is no reason to end`() throws {
        let outcome = try Program.run(
            ["proxy", "--duration", "100ms"],
            environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]
        )
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("cannot tell the service manager at NOTIFY_SOCKET"))
    }

    @Test func `sockets that make no sense are refused, those of others ignored`() throws {
        let pass = "LISTEN_FDS=1 LISTEN_PID=$$ exec \(Program.linkcond) --duration 100ms"
        let file = try Program("/bin/sh", ["-c", "exec 3</dev/null; \(pass)"]).wait()
        #expect(file.code == 64)
        #expect(
            file.errors == "linkcond: error: descriptor 3 of LISTEN_FDS is no stream socket that "
                + "listens; use ListenStream= and Accept=no\n"
        )
        let both = try Program("/bin/sh", ["-c", "\(pass) --listen 127.0.0.1:0"]).wait()
        #expect(both.code == 64 && both.errors.contains("exclude each other"))
        let others = try Program.run(
            ["proxy", "--duration", "100ms"],
            environment: ["LISTEN_FDS": "1", "LISTEN_PID": "1"]
        )
        #expect(others.code == 0)
        let dry = try Program("/bin/sh", ["-c", "\(pass) -n"]).wait()
        #expect(dry.code == 64 && dry.errors.contains("descriptor 3 of LISTEN_FDS"))
    }
}
