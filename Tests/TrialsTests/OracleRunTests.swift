import Basics
import CLibrary
import Origin
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
        ("head -c 20 {dir}/right > {out}", .fail, "has only the first 20 of 33 bytes"),
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

    /// What a digest does not say the object says that the client asked for.
    @Test(
        arguments: [
            ("curl -sSo {out} {url}/bytes/9", nil, "equal, 9 bytes"),
            (
                "curl -sS {url}/bytes/9 | head -c 4 > {out}", .beginning,
                "has only the first 4 of 9 bytes"
            ),
            ("curl -sS {url}/bytes/7 -o /dev/null; : > {out}", .beginning, "is empty"),
            ("curl -sS {url}/bytes/9 | tail -c 4 > {out}", .different, nil),
            (
                "curl -sS {url}/bytes/9 -o /dev/null; curl -sS {url}/bytes/8 -o {out}", .beginning,
                nil
            ),
            ("printf 1234 > {out}", .different, nil),
            ("curl -sSo {dir}/x {url}/bytes/9", .missing, nil),
        ] as [(String, OracleResult.Flaw?, String?)]
    )
    func `a digest tells a beginning from something else`(
        script: String,
        flaw: OracleResult.Flaw?,
        words: String?
    ) throws {
        let digest = SHA256.hexadecimal(KnownContent(seed: 0).bytes(0..<9))
        let result = try #require(
            judge([.sha256(digest: digest, result: "{out}")], script: script).first
        )
        #expect(result.flaw == flaw)
        if let words { #expect(result.words == words) }
    }

    @Test(arguments: [
        ("curl -sS {url}/bytes/9 -o {out}", OracleResult.Flaw?.none),
        ("curl -sS {url}/bytes/9 | head -c 4 > {out}", .beginning),
        ("curl -sS {url}/bytes/9 | tail -c 4 > {out}", .different), (": > {out}", .beginning),
    ])
    func `what the server gives tells a beginning, too`(
        script: String,
        flaw: OracleResult.Flaw?
    ) throws {
        let results = try judge([.fetch(url: "/bytes/9", reference: "{out}")], script: script)
        #expect(results.map(\.flaw) == [flaw])
    }

    @Test func `an upload of which the server has a beginning is one`() throws {
        let results = try judge(
            [.fetch(url: "/files/a", reference: "{dir}/right")],
            script: right + "head -c 20 {dir}/right > {dir}/part;"
                + " curl -sS -T {dir}/part {url}/files/a >/dev/null"
        )
        #expect(results.map(\.flaw) == [.beginning])
        #expect(results.first?.words == "has only the first 20 of 33 bytes")
    }

    /// Or the check would change what it compares with.
    @Test(arguments: ["mutate=same-size@2", "object:503@2-", "object:short=3@2-"])
    func `nothing goes wrong with a check, and none counts`(misbehaviour: String) throws {
        let rig = try SandboxRig()
        var trial = try shell("curl -sSo {out} {url}/bytes/9")
        var origin = OriginConfiguration()
        origin.misbehaviour = misbehaviour
        trial.server = .embedded(origin)
        let fetch = Oracle.fetch(url: "/bytes/9", reference: "{out}")
        let command = ["sh", "-c", "curl -sSfo {dir}/x ${LINKCOND_CONTROL%/.linkcond}/bytes/9"]
        trial.oracles = [fetch, .command(command), fetch]
        let outcome = try rig.run(trial)
        #expect(outcome.oracles.map(\.verdict) == [.pass, .pass, .pass])
        #expect(outcome.faults.isEmpty && outcome.escapes.isEmpty)
    }

    @Test func `an object stays changed for a check`() throws {
        let rig = try SandboxRig()
        var trial = try shell("curl -sSo {dir}/old {url}/bytes/9; curl -sSo {out} {url}/bytes/9")
        var origin = OriginConfiguration()
        origin.misbehaviour = "mutate=same-size@2"
        trial.server = .embedded(origin)
        trial.oracles = ["{out}", "{dir}/old"].map { .fetch(url: "/bytes/9", reference: $0) }
        #expect(try rig.run(trial).oracles.map(\.verdict) == [.pass, .fail])
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

    @Test func `what a check says last is told`() throws {
        let results = try judge(
            [
                .command(["sh", "-c", "echo one; echo two; exit 1"]),
                .command(["sh", "-c", "echo out; echo err >&2; exit 7"]),
                .command(["sh", "-c", "echo out; exit 0"]),
            ],
            script: "echo mine; echo mine >&2"
        )
        #expect(
            results.map(\.words)
                == ["exit code 1: two", "exit code 7: err", "exit code 0"]
        )
    }

    @Test func `a function judges, too`() throws {
        let oracle = Oracle.code(OracleCode("own") { $0.ordinal == 1 ? .pass : .fail })
        #expect(
            try judge([oracle], script: "true")
                == [OracleResult(name: "own", verdict: .pass, words: "")]
        )
    }
}
