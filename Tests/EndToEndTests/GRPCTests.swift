import Foundation
import Testing

/// gRPC clients of grpcio, with faults at the messages of their calls.
@Suite(.enabled(if: GRPCStack.isThere)) struct GRPCTests {
    private let workspace = Workspace()

    init() throws {
        try GRPCStack.script.write(
            toFile: "\(workspace.path)/stack.py",
            atomically: true,
            encoding: .utf8
        )
    }

    private func run(
        _ fault: String? = nil,
        expect: String? = nil,
        _ call: [String],
        limit: String = "8"
    ) throws -> Outcome {
        let faults = fault.map { ["--fault", $0] } ?? []
        let demand = expect.map { ["--expect", $0] } ?? []
        return try Program.run(
            ["run", "--seed", "5", "--journal", "run.jsonl"] + demand + faults
                + ["--origin-cmd", "exec python3 stack.py server {port}", "--"]
                + ["python3", "stack.py", "{host}:{port}"] + call,
            environment: ["LIMIT": limit],
            in: workspace
        )
    }

    @Test(arguments: [
        ("grpc.down[2]+0=rst", "message 1\n"), ("grpc.down[2]-1=rst", "message 1\n"),
        ("grpc.down[3]=rst-stream(CANCEL)", "message 1\nmessage 2\nmessage 3\n"),
        ("grpc.down[1]=fin", "message 1\n"),
    ])
    func `a client gets the messages before the fault, and says that the rest is missing`(
        fault: String,
        messages: String
    ) throws {
        let outcome = try run("c1/r1:\(fault)", expect: "M1", ["Count"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        // What it has received of a stream that is reset it may throw away before it is asked for it.
        let isWhole = outcome.output == messages
        let isBeginning = messages.hasPrefix(outcome.output) && fault.contains("rst")
        #expect(isWhole || isBeginning, "\(outcome.output)")
        #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
    }

    @Test func `a client that hides the end of a call is found`() throws {
        let outcome = try run("c1/r1:grpc.down[1]=fin", expect: "M1", ["Count", "hide"])
        #expect(outcome.code == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("M1"))
    }

    @Test func `a message that is dropped is missing, and the call succeeds`() throws {
        let outcome = try run("c1/r1:grpc.down[2]=drop", ["Count"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output == "message 1\nmessage 3\n")
        #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
    }

    @Test func `a message that is sent twice arrives twice, and the call succeeds`() throws {
        let outcome = try run("c1/r1:grpc.down[2]=dup", ["Count"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output == "message 1\nmessage 2\nmessage 2\nmessage 3\n")
        #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
    }

    @Test(
        arguments: [
            (nil, "Hello", nil), (nil, "Push 300", "G1,G2,G3"),
            ("c1/r1:req.head=rst-stream(REFUSED_STREAM)", "Hello", "H1,H5"),
            ("c1/r1:req.head=goaway", "Hello", "H1,H3,H5"),
            ("c1/r1:resp.end=fin", "Count", nil),
        ] as [(String?, String, String?)]
    )
    func `a right client is not accused`(fault: String?, call: String, expect: String?) throws {
        let words = call.split(separator: " ").map(String.init)
        let outcome = try run(fault, expect: expect, words)
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test func `the time that is left to a call changes no digest`() throws {
        let digests = try ["120", "7.5"].map { limit in
            let outcome = try run(nil, ["Count"], limit: limit)
            #expect(outcome.code == 0, "\(outcome.errors)")
            return outcome.errors.split(separator: "\n").first { $0.contains("digest") }
        }
        #expect(Set(digests).count == 1 && digests[0] != nil)
    }

    @Test func `messages and the status of a call are recorded`() throws {
        #expect(try run(nil, ["Count"]).code == 0)
        let journal = try String(contentsOfFile: "\(workspace.path)/run.jsonl", encoding: .utf8)
        #expect(journal.contains(#""kind":"grpc","count":3,"whole":true,"status":0"#))
    }

    @Test func `a search cuts at the messages of a call, and finds nothing in a right client`()
        throws
    {
        let outcome = try Program.run(
            ["explore", "--effects", "rst", "--runs", "60", "--no-color", "--origin-cmd"]
                + ["exec python3 stack.py server {port}", "--"]
                + ["python3", "stack.py", "{host}:{port}", "Count"],
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(outcome.output.contains("grpc.down[1]+0"), "\(outcome.output)")
        #expect(outcome.output.contains("grpc.up[1]"), "\(outcome.output)")
    }
}

/// A server and a client of grpcio.
private enum GRPCStack {
    static let isThere: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import grpc"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    static let script = """
        import grpc, json, os, sys
        from concurrent import futures

        def same(data): return data

        class Calls(grpc.GenericRpcHandler):
            def service(self, details):
                attempts = int(dict(details.invocation_metadata).get("grpc-previous-rpc-attempts", 0))
                def count(request, context):
                    for number in range(1, 4): yield b"message %d" % number
                def push(request, context):
                    if attempts < 2:
                        context.set_trailing_metadata((("grpc-retry-pushback-ms", request.decode()),))
                        context.abort(grpc.StatusCode.UNAVAILABLE, "later")
                    return b"done"
                if details.method.endswith("Count"):
                    return grpc.unary_stream_rpc_method_handler(count, same, same)
                if details.method.endswith("Push"):
                    return grpc.unary_unary_rpc_method_handler(push, same, same)
                return grpc.unary_unary_rpc_method_handler(lambda request, _: request, same, same)

        if sys.argv[1] == "server":
            server = grpc.server(futures.ThreadPoolExecutor(4), handlers=[Calls()])
            server.add_insecure_port("127.0.0.1:" + sys.argv[2])
            server.start()
            server.wait_for_termination()

        policy = {"methodConfig": [{"name": [{}], "retryPolicy": {
            "maxAttempts": 4, "initialBackoff": "0.2s", "maxBackoff": "1s", "backoffMultiplier": 2,
            "retryableStatusCodes": ["UNAVAILABLE"]}}]}
        channel = grpc.insecure_channel(sys.argv[1], options=[
            ("grpc.service_config", json.dumps(policy)), ("grpc.enable_http_proxy", 0)])
        try:
            limit = float(os.environ.get("LIMIT", "8"))
            path, content = "/x.Calls/" + sys.argv[2], "".join(sys.argv[3:]).encode()
            if sys.argv[2] == "Count":
                for message in channel.unary_stream(path, same, same)(content, timeout=limit):
                    print(message.decode(), flush=True)
            else:
                print(channel.unary_unary(path, same, same)(content, timeout=limit).decode())
        except grpc.RpcError as error:
            print(error.code(), error.details(), file=sys.stderr)
            sys.exit(0 if "hide" in sys.argv else 1)
        """
}
