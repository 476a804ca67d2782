import Basics
import CLibrary
import SystemIO
import Proxy
import TestSupport
import Testing
import TrialSupport

@testable import Trials

/// Servers that each trial starts for itself.
@Suite struct TrialServerTests {
    private static let files =
        "exec python3 -u -m http.server --bind 127.0.0.1 --directory {dir} {port}"

    private func trial(_ script: String, server: String) throws -> Trial {
        var trial = try shell(script)
        let words = ["/bin/sh", "-c", server]
        trial.server = .command(
            TrialCommand(words, environment: CurrentProcess.wholeEnvironment)
        )
        return trial
    }

    @Test func `the server is there for its client and its oracles, and gone after them`() throws {
        let rig = try SandboxRig()
        var trial = try trial(
            "curl -sf -o {out} {url}/right",
            server: "echo hello >{dir}/right; echo {port} >\(rig.folder)/port; \(Self.files)"
        )
        trial.oracles = [.fetch(url: "/right", reference: "{out}")]
        let outcome = try rig.run(trial)
        #expect(outcome.ending == .exited(0), "\(outcome.troubles)")
        #expect(outcome.oracles.map(\.verdict) == [.pass])
        #expect(outcome.troubles.isEmpty && outcome.serverEnding == nil)
        let bytes = try File("\(rig.folder)/port", for: .reading).read(at: 0, count: 5)
        let port = try #require(Int(String(decoding: bytes, as: UTF8.self)))
        #expect(!ListeningPorts.contain(port))
    }

    @Test func `trials at once have a server each, with a state of its own`() throws {
        let rig = try SandboxRig()
        let trials = try (0..<3).map { number in
            try trial(
                "test $(curl -sf {url}/state) = \(number)",
                server: "echo \(number) >{dir}/state; \(Self.files)"
            )
        }
        #expect(try rig.run(trials).map(\.ending) == Array(repeating: .exited(0), count: 3))
    }

    @Test(arguments: [
        ("echo no disk >&2; exit 3", "the server ended before it listened on port"),
        ("echo no disk >&2; exit 3", "exit code 3: no disk"),
        ("sleep 60", "the server did not listen on port"),
    ])
    func `a server that does not listen is told, and no client starts`(
        server: String,
        words: String
    ) throws {
        let rig = try SandboxRig { $0.serverMilliseconds = 1_000 }
        let outcome = try rig.run(trial("touch \(rig.folder)/started", server: server))
        #expect(outcome.troubles.count == 1)
        #expect(outcome.troubles.first?.contains(words) == true, "\(outcome.troubles)")
        #expect(!rig.leftovers.contains("started"))
    }

    @Test(.onLinux("whose socket it is"))
    func `somebody else's server on its port is not taken for it`() throws {
        let rig = try SandboxRig()
        // Without the environment that it was given and out of its group, it is nobody's.
        let files = Self.files.replacing("exec ", with: "")
        let outcome = try rig.run(
            trial(
                "touch \(rig.folder)/started",
                server: "(env -i PATH=$PATH setsid \(files) & echo $! >\(rig.folder)/pid); sleep 60"
            )
        )
        #expect(outcome.troubles.count == 1 && !rig.leftovers.contains("started"))
        let words = outcome.troubles.first ?? ""
        #expect(words.contains("(python3) listens on port"), "\(words)")
        let bytes = try FileSystem.read("\(rig.folder)/pid", limit: 100)
        let number = Int(String(decoding: bytes, as: UTF8.self).filter(\.isNumber))
        kill(pid_t(try #require(number)), SIGKILL)
    }

    @Test func `a server that has left its group is still its own`() throws {
        let rig = try SandboxRig()
        let files = Self.files.replacing("exec ", with: "")
        let outcome = try rig.run(
            trial("curl -sf -o {out} {url}/", server: "(setsid \(files) &); sleep 60")
        )
        #expect(outcome.ending == .exited(0) && outcome.troubles.isEmpty, "\(outcome.troubles)")
    }

    @Test func `a server that ends under its client is told of`() throws {
        let rig = try SandboxRig()
        let outcome = try rig.run(
            trial(
                "kill -9 $(cat {dir}/pid); sleep 0.3",
                server: "echo $$ >{dir}/pid; \(Self.files)"
            )
        )
        #expect(outcome.ending == .exited(0))
        #expect(outcome.serverEnding == "killed by signal 9")
    }

    @Test func `a trial that is given up while its server starts ends at once`() throws {
        let rig = try SandboxRig()
        let server = "echo $$ >\(rig.folder)/pid; exec sleep 60"
        let outcome = try rig.run(trial("true", server: server)) { running in
            try? rig.after(100) { running.abandon() }
        }
        let bytes = try FileSystem.read("\(rig.folder)/pid", limit: 100)
        let number = Int(String(decoding: bytes, as: UTF8.self).filter(\.isNumber)) ?? 0
        #expect(number > 0)
        try rig.loop.run("its server is gone") { ProcessIdentity(of: number) == nil }
        #expect(outcome.isInterrupted && outcome.elapsed < .seconds(5))
    }
}
