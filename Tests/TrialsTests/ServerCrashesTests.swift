import Faults
import SystemIO
import TestSupport
import Testing
import TrialSupport

@testable import Trials

/// Servers of the user's that are killed at a byte and started again.
@Suite struct ServerCrashesTests {
    /// Writes what it reads to `{dir}/got` at once, and says in `{dir}/starts` that it was started.
    ///
    /// A stubborn one begins to read late, does not end when it is told to, and takes its port only if
    /// nothing is left there.
    private static let store = """
        import os, signal, socket, sys, time
        folder, port, stubborn = sys.argv[1], int(sys.argv[2]), len(sys.argv) > 3
        if stubborn:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            open(folder + "/port", "w").write(str(port))
        open(folder + "/starts", "a").write("started\\n")
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0 if stubborn else 1)
        listener.bind(("127.0.0.1", port))
        listener.listen()
        while True:
            peer, _ = listener.accept()
            stream = peer.makefile("rb", 0)
            length = 0
            while (line := stream.readline()) not in (b"\\r\\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            time.sleep(0.3 if stubborn and length > 0 else 0)
            while length > 0 and (part := stream.read(min(length, 4096))):
                length -= len(part)
                with open(folder + "/got", "ab") as file:
                    file.write(part)
            peer.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
            peer.close()
        """

    private func trial(
        _ script: String,
        server: String = "exec python3 {dir}/../store.py {dir} {port}",
        crash: String? = nil,
        fault: String = "c1/r1:req.body+50000=crash",
        in rig: SandboxRig
    ) throws -> Trial {
        var trial = try shell(script, "lc1;seed=1;\(fault)")
        func command(_ text: String) -> TrialCommand {
            TrialCommand(["/bin/sh", "-c", text], environment: CurrentProcess.wholeEnvironment)
        }
        trial.server = .command(command(server), crash: crash.map(command))
        _ = try Folder.make("\(rig.folder)/trial")
        trial.folder = "\(rig.folder)/trial"
        let program = Array(Self.store.utf8)
        try FileSystem.replace("\(rig.folder)/store.py", with: program)
        return trial
    }

    private func text(_ name: String, _ rig: SandboxRig) -> String {
        let bytes = try? FileSystem.read("\(rig.folder)/trial/\(name)", limit: 1 << 20)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    private static let put =
        "head -c 100000 /dev/zero >{dir}/in; curl -sS -T {dir}/in -H Expect: {url}/x"

    @Test func `it has read exactly the bytes before its crash, and answers again after it`() throws
    {
        let rig = try SandboxRig()
        let outcome = try rig.run(
            trial(
                "\(Self.put); echo $?; wc -c <{dir}/got; curl -sS {url}/y",
                in: rig
            )
        )
        let words = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        // CURLE_SEND_ERROR or CURLE_RECV_ERROR, whichever comes first.
        #expect(words.count == 3 && ["55", "56"].contains(words[0]), "\(words)")
        #expect(words.dropFirst() == ["50000", "ok"])
        #expect(text("starts", rig) == "started\nstarted\n")
        #expect(outcome.faults.map(\.fired) == [1] && outcome.troubles.isEmpty)
        #expect(outcome.serverEnding == nil && outcome.connections == 2)
    }

    @Test func `who connects while it is away waits for it, and is not refused`() throws {
        let rig = try SandboxRig()
        let outcome = try rig.run(
            trial(
                "{ \(Self.put); } & while [ $(wc -l <{dir}/runs) -lt 2 ]; do sleep 0.01; done;"
                    + "curl -sS {url}/y; wait",
                server:
                    "echo >>{dir}/runs; [ $(wc -l <{dir}/runs) = 1 ] || sleep 0.5;"
                    + "exec python3 {dir}/../store.py {dir} {port}",
                fault: "PUT(*)#1:req.body+50000=crash",
                in: rig
            )
        )
        #expect(String(decoding: outcome.output, as: UTF8.self) == "ok")
        #expect(outcome.connections == 2 && outcome.faults.map(\.fired) == [1])
    }

    @Test(.onLinux("what a server has not read"))
    func `a stubborn one is killed all the same, once it has read its bytes`() throws {
        let rig = try SandboxRig { $0.serverMilliseconds = 8_000 }
        let outcome = try rig.run(
            trial(
                "sleep 8.1; \(Self.put); wc -c <{dir}/got; curl -sS {url}/y",
                server: "exec python3 {dir}/../store.py {dir} {port} stubborn",
                in: rig
            )
        )
        #expect(String(decoding: outcome.output, as: UTF8.self) == "50000\nok")
        #expect(outcome.faults.map(\.fired) == [1] && outcome.troubles.isEmpty)
        // It is gone before the outcome comes.
        #expect(!ListeningPorts.contain(try #require(Int(text("port", rig)))))
    }

    @Test(arguments: [
        (
            "[ -e {dir}/starts ] && { echo no disk >&2; exit 3; };",
            "exec python3 {dir}/../store.py {dir} {port}",
            "did not come back from its crash: the server ended before it listened"
        ),
        (
            "", "setsid python3 {dir}/../store.py {dir} {port} & sleep 60",
            "something listens on port"
        ),
    ])
    func `one that does not come back, or was not killed, is told, and nothing has fired`(
        first: String,
        server: String,
        words: String
    ) throws {
        let rig = try SandboxRig { $0.serverMilliseconds = 2_000 }
        let outcome = try rig.run(trial(Self.put, server: first + server, in: rig))
        #expect(outcome.troubles.first?.contains(words) == true, "\(outcome.troubles)")
        #expect(outcome.faults.map(\.fired) == [0])
        #expect(outcome.faults.map(\.undelivered) == [1])
    }

    @Test func `another command takes away what the crash loses`() throws {
        let rig = try SandboxRig()
        let loss = "c1/r1:req.body+50000=crash(loss=tail:700)"
        let crash = "echo $LINKCOND_LOSS $LINKCOND_LOSS_BYTES; truncate -s -700 {dir}/got"
        let outcome = try rig.run(
            trial("\(Self.put); wc -c <{dir}/got", crash: crash, fault: loss, in: rig)
        )
        #expect(String(decoding: outcome.output, as: UTF8.self) == "49300\n")
        #expect(outcome.faults.map(\.fired) == [1] && outcome.troubles.isEmpty)
        #expect(text("crash-stdout", rig) == "tail 700\n")
        let other = try SandboxRig()
        let failed = try other.run(trial(Self.put, crash: "exit 4", fault: loss, in: other))
        #expect(failed.troubles.first?.contains("for crashes failed: exit code 4") == true)
        #expect(failed.faults.map(\.fired) == [0])
    }

    @Test(arguments: [
        ("c1/r1:req.body+5=crash(loss=all)", "write 'crash' alone"),
        ("obj(/x)#1=expire", "is of the embedded origin; leave the fault or --origin-cmd out"),
    ])
    func `what it cannot do is refused, and nothing starts`(fault: String, words: String) throws {
        let rig = try SandboxRig()
        let error = try #require(throws: SandboxError.self) {
            try rig.sandbox.start(trial("true", fault: fault, in: rig)) { _ in }
        }
        #expect(error.kind == .refused && error.description.contains(words), "\(error)")
        #expect(text("starts", rig).isEmpty)
    }
}
