import Basics
import Faults
import Journal
import Origin
import SystemIO
import Testing
import TrialSupport

@testable import Trials

/// Faults of the embedded origin, from a schedule's text to what curl gets.
@Suite struct OriginCrashesTests {
    private func run(_ script: String, _ schedule: String) throws -> (String, TrialOutcome) {
        let rig = try SandboxRig()
        let outcome = try rig.run(shell(script, schedule))
        return (String(decoding: outcome.output, as: UTF8.self), outcome)
    }

    @Test func `every effect of the grammar that acts at an origin is known there`() throws {
        let effects = [
            "mutate(same-size)", "mutate(shrink)", "mutate(grow)", "mutate(weak-etag)",
            "mutate(lm-only)", "mutate(same-second)", "mutate(touch)", "range(ignore)",
            "range(shift:-9)", "range(short:9)", "range(no-content-range)", "range(wrong-total)",
            "range(200-partial)", "range(304)", "range(416)", "range(multipart)", "range(gzip)",
            "expire", "limit(max-append-size=9)", "limit(max-size=9)",
        ]
        let faults = try effects.map { try Fault(parsing: "obj(/x)#1=\($0)") }
        let known = OriginFault.all(in: FaultPlan(faults: faults, seed: 1))
        #expect(known.count == effects.count)
        let atObjects = Effect.Kind.allCases.filter { $0.declaration.places.contains(.object) }
        #expect(Set(faults.map(\.effect.kind)) == Set(atObjects))
        let loop = try EventLoop()
        var configuration = OriginConfiguration()
        configuration.faults = known
        let origin = try OriginServer(loop: loop, configuration: configuration)
        origin.stop()
    }

    @Test func `an object changes with the request that the fault names, and stays so`() throws {
        let get = "curl -sS {url}/bytes/1000 | sha256sum;"
        let (text, outcome) = try run(
            get + get + get + "curl -sS {url}/bytes/2000 | wc -c",
            "lc1;seed=1;obj(/bytes/1000)#2=mutate(same-size)"
        )
        let lines = text.split(separator: "\n")
        #expect(lines.count == 4 && lines[0] != lines[1] && lines[1] == lines[2])
        #expect(lines.last == "2000")
        #expect(outcome.faults.map(\.fired) == [1])
        let reports = outcome.records.compactMap {
            if case .fault(let report) = $0.record { report } else { nil }
        }
        #expect(reports.map(\.address) == ["obj(/bytes/1000)#2"])
    }

    @Test(arguments: [
        ("ignore", "200 1000"), ("short:10", "206 10"), ("200-partial", "200 100"),
        ("416", "416 0"),
        ("multipart", "206 "), ("gzip", "206 100"),
    ])
    func `a range request meets what the fault says, the next one does not`(
        form: String,
        expected: String
    ) throws {
        let get =
            "curl -sS -o {out} -w '%{http_code} %{size_download}\\n' -r 0-99 {url}/bytes/1000;"
        let (text, outcome) = try run(get + get, "lc1;obj(/bytes/*)#1=range(\(form))")
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2 && lines[1] == "206 100")
        #expect(lines.first?.hasPrefix(expected) == true, "\(text)")
        #expect(outcome.faults.map(\.fired) == [1])
    }

    @Test func `requests and bodies are told of`() throws {
        let (_, outcome) = try run("curl -sS -o {out} {url}/bytes/1000", "lc1;seed=1")
        let bodies = outcome.records.compactMap {
            if case .body(let report) = $0.record { report } else { nil }
        }
        #expect(bodies.map(\.bytes) == [1_000] && bodies.map(\.isComplete) == [true])
    }

    /// Creates an upload, sends the first half of an append, and asks where it stands afterwards.
    private let upload = """
        place=$(curl -sS -D - -o /dev/null -X POST -H 'Tus-Resumable: 1.0.0' \
        -H 'Upload-Length: 100000' {url}/files/ | tr -d '\\r' | sed -n 's/^[Ll]ocation: //p')
        case $place in /*) place={url}$place;; esac
        head -c 100000 /dev/zero > {dir}/data
        curl -sS -X PATCH -H 'Tus-Resumable: 1.0.0' -H 'Upload-Offset: 0' \
        -H 'Content-Type: application/offset+octet-stream' --data-binary @{dir}/data "$place"
        echo "curl $?"
        curl -sS -I -H 'Tus-Resumable: 1.0.0' "$place" | tr -d '\\r' | \
        grep -i -e '^HTTP' -e '^upload-offset' | tr '[:upper:]' '[:lower:]'
        """

    @Test(arguments: [
        ("none", "upload-offset: 50000"), ("tail:1000", "upload-offset: 49000"), ("all", "404"),
        ("uncommitted", "upload-offset: 0"), ("meta", "upload-offset: 0"),
    ])
    func `an origin that crashes has what it received, but for what is lost`(
        loss: String,
        expected: String
    ) throws {
        let (text, outcome) = try run(
            upload,
            "lc1;seed=1;PATCH(/*)#1:req.body+50000=crash(loss=\(loss))"
        )
        #expect(text.contains(expected), "\(text)")
        #expect(!text.contains("curl 0"), "\(text)")
        #expect(outcome.faults.map(\.fired) == [1])
        #expect(outcome.troubles.isEmpty)
    }

    /// Commits 30,000 bytes, then crashes at 20,000 further ones.
    @Test(arguments: [
        ("none", 50_000), ("tail:25000", 25_000), ("uncommitted", 30_000), ("meta", 0),
    ])
    func `what was promised is kept by a sound origin and may be lost by another`(
        loss: String,
        offset: Int
    ) throws {
        let script = """
            place=$(curl -sS -D - -o /dev/null -X POST -H 'Tus-Resumable: 1.0.0' \
            -H 'Upload-Length: 100000' {url}/files/ | tr -d '\\r' | sed -n 's/^[Ll]ocation: //p')
            case $place in /*) place={url}$place;; esac
            append() { head -c $2 /dev/zero | curl -sS -X PATCH -H 'Tus-Resumable: 1.0.0' \
            -H "Upload-Offset: $1" -H 'Content-Type: application/offset+octet-stream' \
            --data-binary @- "$place"; }
            append 0 30000
            append 30000 70000
            curl -sS -I -H 'Tus-Resumable: 1.0.0' "$place" | tr -d '\\r' | grep -i '^upload-offset'
            """
        let (text, outcome) = try run(
            script,
            "lc1;seed=1;PATCH(/*)#2:req.body+20000=crash(loss=\(loss))"
        )
        #expect(text.lowercased().contains("upload-offset: \(offset)\n"), "\(text)")
        #expect(outcome.faults.map(\.fired) == [1] && outcome.troubles.isEmpty)
    }
}
