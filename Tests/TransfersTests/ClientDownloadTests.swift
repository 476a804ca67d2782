import Basics
import CLibrary
import HTTPWire
import SystemIO
import ResumableClient
import ResumableServer
import TestSupport
import Testing

@testable import Transfers

/// A live download against servers that cut, change and lie.
@Suite struct ClientDownloadTests {
    private static let object = ServedObject(count: 300_000)

    @Test func `S1 a download is one GET and the file has its name only when it is whole`() throws {
        let bench = try ClientBench()
        try bench.serve { [Self.object.answer($0.head)] }
        let ending = try bench.run(try bench.download()) { [unowned bench] record, _ in
            if case .ended = record { return }
            #expect(bench.content("object") == nil)
        }
        guard case .finished(let result) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(result.size == 300_000 && result.isLengthProven)
        #expect(bench.content("object") == Self.object.bytes)
        #expect(bench.content("object.part") == nil && bench.content("object.resume") == nil)
        #expect(bench.requests.count == 1)
        #expect(bench.requests[0].head.fields["Accept-Encoding"] == "identity")
    }

    @Test(arguments: [ScriptedServer.Step.close, .reset])
    func `S2 S8 after a cut it goes on by itself where it was, with If-Range`(
        cut: ScriptedServer.Step
    ) throws {
        let bench = try ClientBench()
        try bench.serve { request in
            request.index < 3
                ? [Self.object.answer(request.head, cut: 70_000), .wait(milliseconds: 20), cut]
                : [Self.object.answer(request.head)]
        }
        let ending = try bench.run(try bench.download())
        guard case .finished = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(bench.content("object") == Self.object.bytes)
        let ranges = bench.requests.map { $0.head.fields["Range"] }
        #expect(ranges == [nil, "bytes=70000-", "bytes=140000-", "bytes=210000-"])
        #expect(bench.requests.dropFirst().allSatisfy { $0.head.fields["If-Range"] == "\"one\"" })
    }

    @Test func `S2 an object that changed is stored anew, and nothing of the old one stays`() throws
    {
        let bench = try ClientBench()
        var other = ServedObject(count: 200_000, seed: 2)
        other.tag = "\"two\""
        let changed = other
        try bench.serve { request in
            request.index == 0
                ? [Self.object.answer(request.head, cut: 150_000), .wait(milliseconds: 20), .close]
                : [changed.answer(request.head)]
        }
        try bench.run(try bench.download())
        #expect(bench.content("object") == changed.bytes)
        #expect(bench.events.contains(.restarted(.changed)))
    }

    @Test(arguments: [
        ("another first byte", "bytes 99-299999/300000", "\"one\""),
        ("another length", "bytes 70000-299999/300001", "\"one\""),
        ("another validator", "bytes 70000-299999/300000", "\"two\""),
        ("no Content-Range", nil, "\"one\""),
        ("another unit", "rows 70000-299999/300000", "\"one\""),
    ])
    func `a 206 that does not continue what is stored is never combined`(
        lie: (what: String, range: String?, tag: String)
    ) throws {
        let bench = try ClientBench()
        try bench.serve { request in
            if request.index == 0 {
                return [
                    Self.object.answer(request.head, cut: 70_000), .wait(milliseconds: 20), .close,
                ]
            }
            guard request.index == 1 else { return [Self.object.answer(request.head)] }
            var fields: HeaderFields = ["ETag": lie.tag, "Content-Length": "230000"]
            if let range = lie.range { fields.add("Content-Range", range) }
            return [.answer(206, fields, Array(repeating: 0xEE, count: 230_000))]
        }
        let ending = try bench.run(try bench.download())
        guard case .finished = ending else {
            Issue.record("\(lie.what): \(ending)")
            return
        }
        #expect(bench.content("object") == Self.object.bytes, "\(lie.what)")
        #expect(bench.requests.count == 3 && bench.requests[2].head.fields["Range"] == nil)
    }

    @Test func `bytes beyond the announced length are not taken`() throws {
        let bench = try ClientBench()
        try bench.serve { request in
            guard request.index == 0 else {
                let extra = Array(repeating: UInt8(0xEE), count: 1_000)
                return [Self.object.answer(request.head), .send(extra), .close]
            }
            return [Self.object.answer(request.head, cut: 70_000), .wait(milliseconds: 20), .close]
        }
        try bench.run(try bench.download())
        #expect(bench.content("object") == Self.object.bytes)
    }

    @Test func `a wrong digest is a failure and leaves no file`() throws {
        let bench = try ClientBench()
        try bench.serve { [Self.object.answer($0.head)] }
        let ending = try bench.run(
            try bench.download { $0.sha256 = Array(repeating: 0, count: 32) }
        )
        guard case .failed(let failure) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(failure.reason == .digestMismatch)
        #expect(bench.content("object") == nil && bench.content("object.part") == nil)
    }

    @Test func `the right digest is verified, also over parts`() throws {
        let bench = try ClientBench()
        let digest = Digest(.sha256)
        digest.update(Self.object.bytes)
        try bench.serve { request in
            request.index == 0
                ? [Self.object.answer(request.head, cut: 99_999), .wait(milliseconds: 20), .reset]
                : [Self.object.answer(request.head)]
        }
        let ending = try bench.run(try bench.download { $0.sha256 = digest.value })
        guard case .finished(let result) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(result.isDigestVerified)
    }

    @Test func `S4 a pause leaves resume data and the next run goes on from them`() throws {
        let bench = try ClientBench()
        try bench.serve { request in
            request.index == 0
                ? [Self.object.answer(request.head, cut: 123_456), .hang]
                : [Self.object.answer(request.head)]
        }
        let description = try bench.download()
        let ending = try bench.run(description) { record, transfer in
            guard case .event(.progress(let progress)) = record, progress.position == 123_456
            else { return }
            transfer?.pause()
        }
        guard case .paused(.data(.download(let state))) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(state.stored == 123_456 && state.validator == .etag("\"one\""))
        #expect(bench.content("object.part")?.count == 123_456)
        #expect(bench.content("object") == nil)
        let kept = try #require(try bench.store(description)?.load())
        #expect(kept.data == .download(state))
        guard case .finished = try bench.run(description) else {
            Issue.record("\(String(describing: bench.ending))")
            return
        }
        #expect(bench.requests.last?.head.fields["Range"] == "bytes=123456-")
        #expect(bench.content("object") == Self.object.bytes)
        #expect(try bench.store(description)?.load() == nil)
    }

    @Test(arguments: [
        (NotResumable.ranges, "ranges"), (.validator, "validator"),
        (.partialFile, "nothing stored"),
    ])
    func `S3 without ranges, validator or partial file there are no resume data`(
        lack: (reason: NotResumable, what: String)
    ) throws {
        let bench = try ClientBench()
        var object = Self.object
        if lack.reason == .ranges { object.acceptsRanges = false }
        if lack.reason == .validator { object.tag = "W/\"weak\"" }
        let served = object
        let cut = lack.reason == .partialFile ? 0 : 50_000
        try bench.serve { request in
            [served.answer(request.head, cut: cut), .hang]
        }
        let ending = try bench.run(try bench.download()) { record, transfer in
            guard case .event(.progress(let progress)) = record, progress.position == cut else {
                return
            }
            transfer?.pause()
        }
        guard case .paused(.none(let reason)) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(reason == lack.reason)
        #expect(bench.content("object.resume") == nil && bench.content("object.part") == nil)
    }

    /// Leaves a download of which so many bytes are stored.
    private func leave(_ count: Int, on bench: ClientBench) throws -> TransferDescription {
        try bench.serve { request in
            request.index == 0
                ? [Self.object.answer(request.head, cut: count), .hang]
                : [Self.object.answer(request.head)]
        }
        let description = try bench.download()
        try bench.run(description) { record, transfer in
            guard case .event(.progress(let progress)) = record, progress.position == count
            else { return }
            transfer?.pause()
        }
        return description
    }

    @Test func `a partial file without resume data is not thrown away without a word`() throws {
        let bench = try ClientBench()
        try bench.serve { [Self.object.answer($0.head)] }
        try bench.write("object.part", [1, 2, 3])
        guard case .failed(let failure) = try bench.run(try bench.download()) else {
            Issue.record("\(String(describing: bench.ending))")
            return
        }
        #expect("\(failure)".hasSuffix("remove it, or start over with --fresh"))
        #expect(bench.content("object.part") == [1, 2, 3] && bench.requests.isEmpty)
        let may = try bench.download { $0.retry.restartsFromZero = true }
        guard case .finished = try bench.run(may), case .started(let start) = bench.records[0]
        else {
            Issue.record("\(String(describing: bench.ending))")
            return
        }
        #expect(start.startsOver?.contains("has no resume data") == true)
        #expect(bench.content("object") == Self.object.bytes)
    }

    @Test func `bytes behind what the data say count only in the same file`() throws {
        for isSame in [true, false] {
            let bench = try ClientBench()
            let description = try leave(100_000, on: bench)
            // As a killed transfer leaves it: more is in the file than the data say.
            let store = try #require(bench.store(description))
            var kept = try #require(try store.load())
            guard case .download(var state) = kept.data else { return }
            state.stored = 60_000
            kept.data = .download(state)
            kept.tail = nil
            try store.save(kept, durably: false)
            if !isSame {
                // Put back from a copy, with something else behind.
                let bytes =
                    Array(Self.object.bytes[..<60_000]) + [UInt8](repeating: 0, count: 9_000)
                try bench.write("object.part", bytes)
            }
            guard case .finished = try bench.run(description) else {
                Issue.record("\(String(describing: bench.ending))")
                return
            }
            let first = isSame ? 100_000 : 60_000
            #expect(bench.requests.last?.head.fields["Range"] == "bytes=\(first)-")
            #expect(bench.content("object") == Self.object.bytes)
        }
    }

    @Test func `resume data of other bytes than those in the file are not used`() throws {
        let bench = try ClientBench()
        let description = try leave(100_000, on: bench)
        // Written over by a later download, which failed too.
        try bench.write("object.part", [UInt8](repeating: 1, count: 100_000))
        guard case .finished = try bench.run(description),
            case .started(let start) = bench.records[0]
        else {
            Issue.record("\(String(describing: bench.ending))")
            return
        }
        #expect(start.startsOver?.hasSuffix("does not hold what the resume data are of") == true)
        #expect(bench.requests.last?.head.fields["Range"] == nil)
        #expect(bench.content("object") == Self.object.bytes)
    }

    @Test func `resume data go away before a fresh start writes a byte`() throws {
        let bench = try ClientBench()
        let description = try leave(100_000, on: bench)
        try bench.write("object.part", [])
        var weak = Self.object
        weak.tag = "W/\"one\""
        let served = weak
        try bench.serve { [served.answer($0.head, cut: 50_000), .hang] }
        let address = try HTTPURL(bench.server?.url("/object") ?? "")
        var moved = description
        moved.address = address
        try bench.start(moved)
        try bench.run("bytes are stored") { bench.content("object.part")?.count == 50_000 }
        #expect(bench.content("object.resume") == nil)
    }

    @Test func `a resumed download does not forget what is on the disk`() throws {
        let bench = try ClientBench()
        try bench.serve { request in
            request.index == 0
                ? [Self.object.answer(request.head, cut: 100_000), .hang]
                : [Self.object.answer(request.head, cut: 50_000), .hang]
        }
        let description = try bench.download()
        try bench.run(description) { record, transfer in
            guard case .event(.progress(let progress)) = record, progress.position == 100_000
            else { return }
            transfer?.pause()
        }
        let store = try #require(bench.store(description))
        func stored() throws -> UInt64? {
            guard case .download(let state)? = try store.load()?.data else { return nil }
            return state.stored
        }
        try bench.start(description)
        try bench.run("more is stored") { bench.content("object.part")?.count == 150_000 }
        try bench.run("the disk has it") {
            // The saved offset may trail the file by a few reads, but never drops below that of the pause.
            guard let count = (try? stored()) ?? nil else { return false }
            #expect((100_000...150_000).contains(count))
            return true
        }
    }

    @Test(arguments: [true, false])
    func `a partial file that is removed between attempts is made anew, or the transfer fails`(
        restarts: Bool
    ) throws {
        let bench = try ClientBench()
        try bench.serve { request in
            request.index == 0
                ? [Self.object.answer(request.head, cut: 100_000), .reset]
                : [Self.object.answer(request.head)]
        }
        var description = try bench.download()
        description.retry.restartsFromZero = restarts
        let ending = try bench.run(description) { record, _ in
            guard case .event(.retrying) = record else { return }
            FileSystem.remove(bench.path("object.part"))
        }
        #expect(bench.content("object.part") == nil)
        guard case .finished(let result) = ending else {
            guard case .failed(let failure) = ending else {
                Issue.record("\(String(describing: ending))")
                return
            }
            #expect(!restarts && failure.description.contains("the partial file is gone"))
            #expect(bench.content("object") == nil && bench.requests.count == 1)
            return
        }
        #expect(restarts && result.restarts == 1)
        #expect(bench.content("object") == Self.object.bytes)
        #expect(bench.requests.last?.head.fields.contains("Range") == false)
    }

    @Test(arguments: [true, false])
    func `a partial file that is removed while it is written never becomes the file`(
        restarts: Bool
    ) throws {
        let bench = try ClientBench()
        try bench.serve { [Self.object.answer($0.head)] }
        var description = try bench.download()
        description.retry.restartsFromZero = restarts
        let ending = try bench.run(description) { [unowned bench] record, _ in
            guard case .answer = record, bench.requests.count == 1 else { return }
            FileSystem.remove(bench.path("object.part"))
            try? bench.write("object.part", [1, 2, 3])
        }
        switch ending {
        case .finished(let result):
            #expect(restarts && result.restarts == 1 && bench.requests.count == 2)
            #expect(bench.content("object") == Self.object.bytes)
        case .failed(let failure):
            #expect(!restarts && failure.description.contains("the partial file is gone"))
            #expect(bench.content("object") == nil)
        case .paused: Issue.record("nobody has paused it")
        }
    }

    @Test func `a second transfer to the same name leaves the first one's resume data`() throws {
        let bench = try ClientBench()
        try bench.serve { [Self.object.answer($0.head, cut: 100_000), .hang] }
        let description = try bench.download()
        try bench.run(description) { record, transfer in
            guard case .event(.progress(let progress)) = record, progress.position == 100_000
            else { return }
            transfer?.pause()
        }
        let kept = try #require(bench.content("object.resume"))
        let place = try #require(FilePlace(description.file))
        let other = try PartialFile(of: place)
        guard case .failed = try bench.run(description) else {
            Issue.record("\(String(describing: bench.ending))")
            return
        }
        #expect(bench.requests.count == 1)
        #expect(bench.content("object.resume") == kept)
        #expect(try other.size() == 100_000)
    }

    @Test func `a pipe, device or folder of the name is not replaced by a file`() throws {
        let bench = try ClientBench()
        try bench.serve { [Self.object.answer($0.head)] }
        unsafe #expect(mkfifo(bench.path("object"), 0o600) == 0)
        guard case .failed(let failure) = try bench.run(try bench.download()) else {
            Issue.record("\(String(describing: bench.ending))")
            return
        }
        #expect("\(failure.reason)".contains("no regular file"))
        #expect(bench.requests.isEmpty && bench.content("object.part") == nil)
        let kind = try Folder(bench.folder.path).information("object").kind
        #expect(kind != .regular)
    }

    @Test func `S5 a failure carries resume data when the server stays away`() throws {
        let bench = try ClientBench()
        try bench.serve { request in
            request.index == 0
                ? [Self.object.answer(request.head, cut: 60_000), .wait(milliseconds: 20), .close]
                : [.close]
        }
        let ending = try bench.run(try bench.download())
        guard case .failed(let failure) = ending, case .data(.download(let state)) = failure.resume
        else {
            Issue.record("\(ending)")
            return
        }
        #expect(state.stored == 60_000)
        #expect(bench.content("object.part")?.count == 60_000)
        // One success and eight failures without progress: the first cut counts, too.
        #expect(bench.requests.count == 8)
    }

    @Test func `S8 told not to resume by itself, the first cut ends it`() throws {
        let bench = try ClientBench()
        try bench.serve { request in
            [Self.object.answer(request.head, cut: 60_000), .wait(milliseconds: 20), .close]
        }
        let ending = try bench.run(try bench.download { $0.retry.resumesByItself = false })
        #expect(ending.isResumable)
        #expect(bench.requests.count == 1)
    }

    @Test func `S10 interim answers are told and change nothing`() throws {
        let bench = try ClientBench()
        try bench.serve { request in
            [
                .answer(103, ["Link": "</style.css>"]), .answer(102),
                Self.object.answer(request.head),
            ]
        }
        try bench.run(try bench.download())
        #expect(bench.events.contains(.interim(status: 103, fields: ["Link": "</style.css>"])))
        #expect(bench.events.contains(.interim(status: 102, fields: [:])))
        #expect(bench.content("object") == Self.object.bytes)
    }

    @Test func `S11 progress counts the whole object, also after a resume`() throws {
        let bench = try ClientBench()
        try bench.serve { request in
            request.index == 0
                ? [Self.object.answer(request.head, cut: 100_000), .wait(milliseconds: 20), .close]
                : [Self.object.answer(request.head)]
        }
        let transfer = try bench.start(try bench.download())
        _ = try bench.end()
        let progress = bench.events.compactMap { event in
            if case .progress(let progress) = event { progress } else { nil }
        }
        #expect(progress.allSatisfy { $0.expected == 300_000 })
        #expect(progress.map(\.step).reduce(0, +) == 300_000)
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.position <= $1.position })
        #expect(transfer.statistics.repeated == 0 && transfer.statistics.attempts == 2)
    }

    @Test func `S17 a path that turns expensive ends the connection and the data are kept`() throws
    {
        let bench = try ClientBench()
        try bench.serve { request in
            request.index == 0
                ? [Self.object.answer(request.head, cut: 80_000), .hang]
                : [Self.object.answer(request.head)]
        }
        let good = PathStatus(sequence: 1)
        let transfer = try bench.start(
            try bench.download { $0.path.allowsExpensive = false },
            path: good
        )
        try bench.run("the first bytes come") {
            transfer.statistics.progress.position == 80_000
        }
        transfer.pathChanged(PathStatus(isExpensive: true, sequence: 2))
        #expect(bench.events.contains(.waiting(.expensive)))
        let before = bench.requests.count
        try bench.run("a moment passes", seconds: 5) {
            bench.loop.turnCount > 0
        }
        #expect(bench.requests.count == before)
        transfer.pathChanged(PathStatus(sequence: 3))
        guard case .finished = try bench.end() else {
            Issue.record("\(String(describing: bench.ending))")
            return
        }
        #expect(bench.events.contains(.resumed))
        #expect(bench.requests[1].head.fields["Range"] == "bytes=80000-")
        #expect(bench.content("object") == Self.object.bytes)
    }

    @Test func `S17 S18 on a refused path no byte is sent until a user asks for it`() throws {
        let bench = try ClientBench()
        try bench.serve { [Self.object.answer($0.head)] }
        let transfer = try bench.start(
            try bench.download { $0.path.allowsConstrained = false },
            path: PathStatus(isConstrained: true, sequence: 1)
        )
        #expect(bench.events == [.waiting(.constrained)])
        transfer.nudge()
        guard case .finished = try bench.end() else {
            Issue.record("\(String(describing: bench.ending))")
            return
        }
        #expect(bench.requests.count == 1)
    }

    @Test func `standard output gets the bytes, and no others after a change`() throws {
        let bench = try ClientBench()
        var other = ServedObject(count: 200_000, seed: 2)
        other.tag = "\"two\""
        let changed = other
        try bench.serve { request in
            request.index == 0
                ? [Self.object.answer(request.head, cut: 150_000), .wait(milliseconds: 20), .close]
                : [changed.answer(request.head)]
        }
        let ending = try bench.run(try bench.download("-"))
        guard case .failed(let failure) = ending, case .storage(let text, _) = failure.reason else {
            Issue.record("\(ending)")
            return
        }
        #expect(text.contains("standard output"))
        #expect(bench.content("stdout") == Array(Self.object.bytes.prefix(150_000)))
    }

    @Test func `two downloads to one name do not mix`() throws {
        let bench = try ClientBench()
        try bench.serve { [Self.object.answer($0.head, cut: 10), .hang] }
        let first = try bench.start(try bench.download())
        try bench.run("the first has begun") { first.statistics.progress.position == 10 }
        let ending = try bench.run(try bench.download())
        guard case .failed(let failure) = ending, case .storage(let text, _) = failure.reason else {
            Issue.record("\(ending)")
            return
        }
        #expect(text.contains("another transfer"))
        first.cancel()
    }

    @Test(arguments: ["2", "date"])
    func `Retry-After is waited for in both forms, never less`(form: String) throws {
        let bench = try ClientBench()
        try bench.serve { request in
            guard request.index == 0 else { return [Self.object.answer(request.head)] }
            return [
                .answer(
                    503,
                    [
                        "Date": "Sat, 21 Nov 2026 20:00:00 GMT", "Content-Length": "0",
                        "Retry-After": form == "date" ? "Sat, 21 Nov 2026 20:00:02 GMT" : form,
                    ]
                )
            ]
        }
        let begin = bench.loop.now
        try bench.run(try bench.download())
        #expect(bench.loop.now - begin >= .seconds(2))
        #expect(bench.content("object") == Self.object.bytes)
    }
}
