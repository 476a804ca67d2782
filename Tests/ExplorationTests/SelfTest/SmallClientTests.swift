import Basics
import Faults
import SystemIO
import Testing
import Origin
import TrialSupport

@testable import Exploration
@testable import Trials

@Suite(.timeLimit(.minutes(2))) struct SmallClientTests {
    /// The cut for each mistake, the origin that it needs, what the client says and what it has.
    ///
    /// The answer's head has fewer than 400 bytes.
    static let cases:
        [(bug: PlantedBug?, origin: String, faults: String, code: Int, isRight: Bool)] = [
            (nil, "", "", 0, true),
            (nil, "", "c1:down+0=fin;c2:down+5000=rst;c3:up+20=rst", 0, true),
            (nil, "object:ignore-range", "c1:down+5000=rst", 0, true),
            (nil, "object:shift-range=-1000", "c1:down+5000=rst", 0, true),
            (nil, "", "c1:down+5000=hole", 0, true),
            (nil, "", "c*:down+0=fin", 1, false),
            (nil, "object:503@1-2", "", 0, true),
            (nil, "object:404", "", 1, false),
            (.noValidator, "object:mutate=same-size@2", "c1:down+5000=rst", 0, false),
            (.appendsWhole, "object:ignore-range", "c1:down+5000=rst", 0, false),
            (.ignoresContentRange, "object:shift-range=-1000", "c1:down+5000=rst", 0, false),
            (.neverResumes, "", "c1:down+5000=rst", 0, true),
            (.hangs, "", "c1:down+5000=hole", 1, false),
            (nil, "", "c1:down+50=fin", 0, true),
            (.takesHalfHeads, "", "c1:down+50=fin", 0, false),
            (.takesHalfHeads, "", "c1:down+0=fin", 0, true),
            (.continuesAnyPart, "", "c1:down+5000=rst", 1, false),
            (nil, "", "c1/r1:req.head=inject(103)", 0, true),
            (.takesInterims, "", "c1/r1:req.head=inject(103)", 1, false),
            (.keepsTails, "", "c1:down+5000=rst", 0, true),
            (.continuesUnknownPart, "", "c1:down+5000=rst", 0, true),
            (
                .mixesAnswers, "", "c1:down+5000=stall(5s);c2/r1:resp.body~500=stall(3s)", 0, false
            ),
            (nil, "", "c1:down+5000=stall(3s);c2/r1:resp.body~500=stall(1200ms)", 0, true),
            (.canary, "", "c1:down+5000=rst", 0, false),
        ]

    @Test(arguments: cases.indices)
    func `a download ends as its mistake makes it`(index: Int) throws {
        let rig = try SandboxRig()
        let (bug, origin, faults, code, isRight) = Self.cases[index]
        let planted = try PlantedDownload(bug, rig.loop, origin: origin, faults: faults)
        let outcome = try rig.run(planted.trial)
        #expect(outcome.ending == .exited(code), "\(String(describing: bug))")
        #expect((outcome.oracles.first?.verdict == .pass) == isRight, "\(outcome.oracles)")
        #expect(outcome.silentFaults.isEmpty || faults.isEmpty)
    }

    /// The same for uploads: what the origin has at the end, as text.
    static let uploads:
        [(bug: PlantedBug?, origin: String, faults: String, code: Int, left: String)] =
            [
                (nil, "", "", 0, "complete 20000"),
                (nil, "", "c1:up+5000=rst;c2:down+0=fin", 0, "complete 20000"),
                (nil, "", "c1/r1:resp.head+0=fin", 0, "active 0, complete 20000"),
                (nil, "", "c1:up+5000=hole", 0, "complete 20000"),
                (nil, "", "c*:up+5000=rst", 0, "complete 20000"),
                (nil, "append:503@1-2", "", 0, "complete 20000"),
                (nil, "", "c*:connect=refuse", 1, ""),
                (.givesUpAfterConflict, "", "", 0, "complete 20000"),
                (.givesUpAfterConflict, "", "c1:up+5000=rst", 1, "active part"),
                (.drainedSource, "", "", 0, "complete 20000"),
                (.drainedSource, "", "c1:up+5000=rst", 0, "active part"),
                (.createsTwice, "", "c1:up+5000=rst", 0, "active part, complete 20000"),
                (.missesEarlyAnswer, "", "c1:up+5000=rst", 0, "complete 20000"),
                (.missesEarlyAnswer, "append:503@1", "", 0, "complete 20000"),
                (.twoAtOnce, "", "c1:up+5000=hole", 0, "complete 20000"),
                (.noInterval, "", "c*/r1:resp.head+0=rst", 1, "active 0"),
                (.unboundedTries, "", "c*:connect=refuse", 1, ""),
            ]

    @Test(arguments: uploads.indices)
    func `an upload ends as its mistake makes it`(index: Int) throws {
        let rig = try SandboxRig()
        let (bug, origin, faults, code, left) = Self.uploads[index]
        let planted = try PlantedUpload(bug, rig.loop, origin: origin, faults: faults)
        let outcome = try rig.run(planted.trial)
        #expect(outcome.ending == .exited(code), "\(String(describing: bug))")
        let found = outcome.origin?.uploads ?? []
        let texts = Set(
            found.map { upload in
                let isPart = upload.bytes > 0 && upload.bytes < 20_000
                return "\(upload.state) \(isPart ? "part" : "\(upload.bytes)")"
            }
        )
        #expect(texts.sorted().joined(separator: ", ") == left)
        for upload in found where upload.state == "complete" {
            #expect(upload.digest == planted.digest)
        }
    }

    @Test func `waits grow with each try unless there are none`() throws {
        for (bug, range) in [(nil, 1_500..<9_000), (PlantedBug.noInterval, 0..<900)] {
            let rig = try SandboxRig()
            let planted = try PlantedUpload(bug, rig.loop, origin: "", faults: "c*:down+0=rst")
            let outcome = try rig.run(planted.trial)
            #expect(outcome.connections == 6)
            #expect(range.contains(Int(outcome.elapsed.wholeMilliseconds)))
        }
    }

    @Test func `an end that does not come is made by the deadline`() throws {
        let rig = try SandboxRig()
        let faults = "c*:connect=refuse"
        var planted = try PlantedUpload(.unboundedTries, rig.loop, origin: "", faults: faults)
        planted.trial.deadlineMilliseconds = 1_500
        let outcome = try rig.run(planted.trial)
        #expect(outcome.isTimedOut && outcome.ending == .exited(1))
    }
}

/// A trial of a downloading client.
struct PlantedDownload {
    var trial: Trial

    init(_ bug: PlantedBug?, _ loop: EventLoop, origin: String, faults: String) throws {
        let client = try DownloadingClient(
            bug.map(ClientHabits.init) ?? ClientHabits(.persistent),
            of: "/bytes/20000?seed=1",
            loop: loop,
            seed: 1
        )
        trial = Trial(
            schedule: try FaultSchedule(
                parsing: "lc1;seed=1" + (faults.isEmpty ? "" : ";\(faults)")
            ),
            client: .code(client)
        )
        var configuration = OriginConfiguration()
        configuration.misbehaviour = origin
        trial.server = .embedded(configuration)
        trial.deadlineMilliseconds = 2_000 + (bug == .hangs ? 0 : 6_000)
        let digest = Digest(.sha256)
        digest.update(KnownContent(seed: 1).bytes(0..<20_000))
        trial.oracles = [.sha256(digest: HexadecimalText.encode(digest.value), result: "{out}")]
    }
}

/// A trial of an uploading client.
struct PlantedUpload {
    var trial: Trial
    let digest: String

    init(_ bug: PlantedBug?, _ loop: EventLoop, origin: String, faults: String) throws {
        let content = KnownContent(seed: 2).bytes(0..<20_000)
        let client = try UploadingClient(
            bug.map(ClientHabits.init) ?? ClientHabits(.persistent),
            of: content,
            to: "/files/planted",
            loop: loop,
            seed: 1
        )
        trial = Trial(
            schedule: try FaultSchedule(
                parsing: "lc1;seed=1" + (faults.isEmpty ? "" : ";\(faults)")
            ),
            client: .code(client)
        )
        var configuration = OriginConfiguration()
        configuration.misbehaviour = origin
        trial.server = .embedded(configuration)
        trial.deadlineMilliseconds = bug == .unboundedTries ? 3_000 : 9_000
        let digest = Digest(.sha256)
        digest.update(content)
        self.digest = HexadecimalText.encode(digest.value)
    }
}
