import TestSupport
import Testing

/// linkcond as process 1 of a process namespace, as containers start it.
@Suite struct FirstProcessTests {
    private func run(_ arguments: [String]) throws -> Outcome {
        try Program(
            "/usr/bin/unshare",
            ["--pid", "--fork", "--kill-child", "--mount-proc", Program.linkcond] + arguments
        ).wait()
    }

    @Test func `process 1 ends with the code of the program`() throws {
        #expect(try run(["version"]).code == 0)
        #expect(try run(["version", "--unheard-of"]).code == 64)
        #expect(try run(["run", "--quiet", "--", "sh", "-c", "exit 7"]).code == 7)
    }

    @Test(.onLinux("what process 1 has to do"))
    func `process 1 buries orphans and is ended by a signal`() throws {
        // Process 1 is the parent of the first sleep once its own has ended.
        let script = """
            (sleep 0.05 & exec true); sleep 0.5
            ps -o stat= --ppid 1 | grep Z || echo none
            """
        let outcome = try run(["run", "--quiet", "--", "sh", "-c", script])
        #expect(outcome.output.contains("none"), "\(outcome.output) \(outcome.errors)")
        let ended = try run(["run", "--quiet", "--", "sh", "-c", "kill -TERM 1; exec sleep 60"])
        #expect(ended.code == 143, "\(ended.errors)")
    }
}
