import Glibc
import SystemIO
import Testing
import TrialSupport

@testable import Trials

@Suite struct OracleRunTests {
    private func judge(_ oracles: [Oracle], script: String) throws -> [OracleResult] {
        let rig = try SandboxRig { $0.oracleMilliseconds = 1_000 }
        var trial = try shell(script)
        trial.oracles = oracles
        return try rig.run(trial).oracles
    }

    private let right = "for i in 1 2 3; do echo 0123456789; done > {dir}/right; "

    @Test(arguments: [
        ("cp {dir}/right {out}", OracleResult.Verdict.pass, "equal, 33 bytes"),
        ("head -c 20 {dir}/right > {out}", .fail, "is only a beginning: 20 bytes, not 33"),
        ("(cat {dir}/right; echo) > {out}", .fail, "has bytes too many: 34 bytes, not 33"),
        ("sed 3s/5/x/ {dir}/right > {out}", .fail, "differs from byte 27 on: 33 bytes"),
        ("true", .fail, "is missing"),
        ("mkdir {out}", .inconclusive, "cannot be read: illegal operation on a directory"),
        (
            "rm {dir}/right", .inconclusive,
            "the file to compare with cannot be read: no such file or directory"
        ),
    ])
    func `a file is compared with one that is right`(
        script: String,
        verdict: OracleResult.Verdict,
        words: String
    ) throws {
        let results = try judge(
            [.same(reference: "{dir}/right", result: "{out}")],
            script: right + script
        )
        #expect(results.map(\.name) == ["same"] && results.map(\.verdict) == [verdict])
        #expect(results.map(\.words) == [words])
    }

    @Test func `a digest tells a file that is right`() throws {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let oracle = Oracle.sha256(digest: abc, result: "{out}")
        let good = try judge([oracle], script: "printf abc > {out}")
        #expect(good.map(\.verdict) == [.pass] && good.first?.words == "equal, 3 bytes")
        let bad = try judge([oracle], script: "printf abd > {out}")
        #expect(bad.map(\.verdict) == [.fail])
        #expect(bad.first?.words.hasSuffix(", 3 bytes") == true)
    }

    @Test func `the server is asked directly for what was uploaded`() throws {
        let script =
            right + "curl -sS -T {dir}/right {url}/files/a >/dev/null; printf x > {dir}/wrong"
        let results = try judge(
            [
                .fetch(url: "/files/a", reference: "{dir}/right"),
                .fetch(url: "/files/a", reference: "{dir}/wrong"),
                .fetch(url: "/files/none", reference: "{dir}/right"),
                .fetch(url: "ftp://x/", reference: "{dir}/right"),
                .fetch(url: "http://127.0.0.1:1/", reference: "{dir}/right"),
            ],
            script: script
        )
        #expect(results.map(\.verdict) == [.pass, .fail, .fail, .inconclusive, .inconclusive])
        #expect(
            results.map(\.words).prefix(3) == [
                "equal, 33 bytes", "33 bytes, not 1", "the server has no such object: status 404",
            ]
        )
    }

    @Test func `a missing result is the client's fault, another missing file is not`() throws {
        let results = try judge(
            ["{out}", "{dir}/right"].map { .fetch(url: "/bytes/9", reference: $0) },
            script: "true"
        )
        #expect(results.map(\.verdict) == [.fail, .inconclusive])
        #expect(results.first?.words == "{out} is missing" && results.first?.flaw == .missing)
    }

    @Test func `a command judges by its exit code`() throws {
        let results = try judge(
            ["0", "1", "125", "7"].map { .command(["sh", "-c", "test -d {dir} && exit \($0)"]) }
                + [.command(["nonexistent-program"]), .command(["sleep", "60"])],
            script: "true"
        )
        #expect(
            results.map(\.verdict)
                == [.pass, .fail, .inconclusive, .inconclusive, .inconclusive, .inconclusive]
        )
        #expect(results.last?.words == "it took too long")
    }

    @Test func `a function judges, too`() throws {
        let oracle = Oracle.code(OracleCode("own") { $0.ordinal == 1 ? .pass : .fail })
        #expect(
            try judge([oracle], script: "true")
                == [OracleResult(name: "own", verdict: .pass, words: "")]
        )
    }
}
