import Foundation
import Testing

/// A WebSocket client that comes back, with faults at the messages of the test server.
@Suite struct WebSocketTests {
    private let workspace = Workspace()

    /// Prints the number of each message and the code of each end; with a second argument, it does not
    /// come back.
    private static let script = """
        import json, socket, sys, time
        host, port = sys.argv[1].split(":")
        last = 0

        def listen():
            global last
            with socket.create_connection((host, int(port)), 20) as peer:
                peer.sendall((
                    f"GET /ws/4?after={last} HTTP/1.1\\r\\nHost: {sys.argv[1]}\\r\\n"
                    "Connection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\n"
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n").encode())
                stream = peer.makefile("rb")
                head = iter(stream.readline, b"\\r\\n")
                if b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" not in b"".join(head):
                    sys.exit(9)
                while len(start := stream.read(2)) == 2:
                    content = stream.read(start[1])
                    if len(content) < start[1]:
                        break
                    if start[0] == 0x88:
                        peer.sendall(b"\\x88\\x82\\0\\0\\0\\0" + content[:2])
                        return int.from_bytes(content[:2], "big")
                    last = json.loads(content)["id"]
                    print(last, flush=True)
            return 1006

        for attempt in range(4):
            try:
                code = listen()
            except ConnectionError:
                code = 1006
            print(code, flush=True)
            if code == 1000 or len(sys.argv) > 2:
                sys.exit(0 if code == 1000 or sys.argv[2:] == ["trust"] else 1)
            time.sleep(0.1 * 2 ** attempt)
        sys.exit(1)
        """

    private func run(_ fault: String, _ habit: [String] = []) throws -> Outcome {
        try Self.script.write(
            toFile: "\(workspace.path)/client.py",
            atomically: true,
            encoding: .utf8
        )
        return try Program.run(
            ["run", "--fault", "c1/r1:\(fault)", "--expect", "M1,M3", "--"]
                + ["python3", "client.py", "{host}:{port}"] + habit,
            in: workspace
        )
    }

    @Test(arguments: [
        ("ws.down[2]=fin", "1\n2\n1006\n3\n4\n1000\n"),
        ("ws.down[2]+0=fin", "1\n1006\n2\n3\n4\n1000\n"),
        ("ws.down[2]-1=fin", "1\n1006\n2\n3\n4\n1000\n"),
        ("ws.down[3]=close(1011)", "1\n2\n3\n1011\n4\n1000\n"),
    ])
    func `a client that comes back after the last message is not accused`(
        fault: String,
        output: String
    ) throws {
        let outcome = try run(fault)
        #expect(outcome.code == 0 && outcome.output == output, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
    }

    @Test(arguments: [("trust", "M1"), ("leave", "M3")])
    func `a client that stays away is found`(habit: String, check: String) throws {
        let outcome = try run("ws.down[2]=fin", [habit])
        #expect(outcome.code == 1 && outcome.output == "1\n2\n1006\n", "\(outcome.output)")
        #expect(outcome.errors.contains(check), "\(outcome.errors)")
    }
}
