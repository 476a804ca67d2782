import Foundation
import Testing

/// HTTP/2's own faults, and the rules that clients are held to with them.
@Suite struct HTTP2RuleTests {
    private let workspace = Workspace()

    init() throws {
        try Data(count: 300_000).write(to: URL(fileURLWithPath: "\(workspace.path)/big.bin"))
    }

    private var server: [String] {
        [
            "--origin-cmd",
            "exec nghttpd --no-tls --echo-upload -a 127.0.0.1 -d \(workspace.path) {port}",
        ]
    }

    private func run(_ fault: String, _ rule: String? = nil, _ client: [String]) throws -> Outcome {
        let demand = rule.map { ["--expect", $0] } ?? []
        let outcome = try Program.run(
            ["run", "--fault", fault] + demand + server + ["--"] + client,
            in: workspace
        )
        #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
        return outcome
    }

    private static let curl = "curl -sS -m 20 --http2-prior-knowledge -o {out}"

    private func shell(_ command: String) -> [String] {
        ["sh", "-c", command.replacing("CURL", with: Self.curl)]
    }

    @Test(arguments: [
        "resp.body+100=settings(max-streams=0)", "req.head=settings(header-table=0)",
        "resp.body+1=ping(hold)", "resp.body+9=goaway(this)",
    ])
    func `a stream goes on where a fault changes what is around it`(fault: String) throws {
        let outcome = try run(
            "c1/r1:\(fault)",
            nil,
            shell("CURL {url}/big.bin && cmp {out} big.bin")
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test(arguments: [
        "data-on-0", "compression", "settings-length", "window-zero", "continuation", "too-long",
    ])
    func `a malformed frame ends the connection of a client that minds the rules`(
        kind: String
    ) throws {
        let fault = "c1/r1:resp.body+5=malformed(\(kind))"
        let outcome = try run(fault, nil, shell("CURL {url}/big.bin"))
        #expect(outcome.code != 0, "\(outcome.errors)")
    }

    @Test func `an upload gets no more room`() throws {
        let outcome = try run(
            "c1/r1:req.head=window(0)",
            nil,
            ["curl", "-sS", "-m", "1", "--http2-prior-knowledge", "-w", "%{size_upload}", "-o"]
                + ["{out}", "--data-binary", "@\(workspace.path)/big.bin", "{url}/up"]
        )
        #expect(outcome.code == 28 && outcome.output == "65535", "\(outcome.errors)")
    }

    @Test(arguments: [
        ("req.head=goaway", "CURL {url}/big.bin", "H1", false),
        ("req.head=goaway", "CURL {url}/big.bin || CURL {url}/big.bin", "H1", true),
        ("resp.head+0=rst", "CURL -d x {url}/a || CURL -d x {url}/a", "H2", false),
        ("resp.head+0=rst", "CURL -d x {url}/a", "H2", true),
        ("resp.body+9=rst-stream(NO_ERROR)", "CURL {url}/big.bin; true", "H4", false),
        ("resp.body+9=rst-stream(NO_ERROR)", "CURL {url}/big.bin; false", "H4", true),
    ])
    func `a client is held to what RFC 9113 says of early ends`(
        fault: String,
        command: String,
        rule: String,
        isKept: Bool
    ) throws {
        let outcome = try run("c1/r1:\(fault)", rule, shell(command))
        #expect(outcome.code == (isKept ? 0 : 1), "\(outcome.errors)")
    }

    /// Opens a stream, waits for GOAWAY and the PING with it, and perhaps opens another one.
    private static let late = """
        import socket, struct, sys, time
        host, port, opens = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "yes"
        peer = socket.create_connection((host, port))
        def send(kind, flags, stream, payload=b""):
            peer.sendall(struct.pack(">I", len(payload))[1:] + bytes([kind, flags])
                + struct.pack(">I", stream) + payload)
        def request(stream):
            send(1, 5, stream, b"\\x82\\x86\\x04\\x08/big.bin\\x01\\x01x")
        peer.sendall(b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n")
        send(4, 0, 0)
        request(1)
        stream = peer.makefile("rb")
        while True:
            head = stream.read(9)
            length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
            payload = stream.read(length)
            if kind == 4 and not flags & 1: send(4, 1, 0)
            if kind == 6: send(6, 1, 0, payload)
            if kind == 7: break
        time.sleep(0.2)
        if opens: request(3)
        peer.settimeout(0.3)
        try:
            while peer.recv(65536): pass
        except TimeoutError: pass
        """

    @Test(arguments: [("yes", 1), ("no", 0)])
    func `a stream that is opened after GOAWAY was read is a finding`(
        opens: String,
        code: Int32
    ) throws {
        let outcome = try run(
            "c1/r1:resp.head=goaway(this)",
            "H3",
            ["python3", "-c", Self.late, "{host}", "{port}", opens]
        )
        #expect(outcome.code == code, "\(outcome.errors)")
        #expect(outcome.errors.contains("1 stream on c1 after GOAWAY") == (code == 1))
    }

    @Test func `a search tries settings and each malformed frame`() throws {
        let outcome = try Program.run(
            ["explore", "-q", "--effects", "malformed,settings"] + server + ["--"]
                + shell("CURL {url}/big.bin"),
            in: workspace
        )
        #expect(outcome.output.contains("17 points"), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    }
}
