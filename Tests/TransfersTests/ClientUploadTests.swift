import Foundation
import ResumableClient
import HTTPWire
import SystemIO
import TestSupport
import Testing

@testable import Origin
@testable import Transfers

/// A live upload against a small resumable server, and against ones that are none.
@Suite struct ClientUploadTests {
    private static let content = KnownContent(seed: 3).bytes(0..<300_000)

    /// The state of one upload by the IETF draft, version 6.
    final class Uploads {
        var stored: [UInt8] = []
        var creations = 0
        var completions = 0
        let location = "/uploads/8d3f"

        /// The steps that answer a request; `cut` says after how many bytes of body the connection
        /// is reset, nil for not.
        func steps(
            _ request: ScriptedServer.Request,
            _ server: ScriptedServer?,
            cut: Int?
        ) -> [ScriptedServer.Step] {
            switch request.head.method {
            case "POST":
                creations += 1
                let announcement = ScriptedServer.Step.answer(
                    104,
                    ["Upload-Draft-Interop-Version": "6", "Location": location]
                )
                if let cut { return [announcement, .readBody(cut), .reset] }
                return [announcement, .readBody(nil), .answer(201, done)]
            case "HEAD":
                return [
                    .answer(
                        204,
                        [
                            "Upload-Offset": "\(stored.count)",
                            "Upload-Complete": completions > 0 ? "?1" : "?0",
                            "Cache-Control": "no-store",
                        ]
                    )
                ]
            default:
                if let cut { return [.readBody(cut), .reset] }
                return [.readBody(nil), .answer(201, done)]
            }
        }

        private var done: HeaderFields {
            [
                "Upload-Offset": "\(ClientUploadTests.content.count)", "Upload-Complete": "?1",
                "Location": location, "Content-Length": "0",
            ]
        }
    }

    /// A bench whose server stores what it reads.
    private func bench(
        _ uploads: Uploads,
        cuts: [Int: Int],
        stores: @escaping (Int) -> Int = { $0 }
    ) throws -> ClientBench {
        let bench = try ClientBench()
        try bench.write("source", Self.content)
        var counted = 0
        try bench.serve { [weak bench] request in
            // What arrived by earlier requests is stored by now.
            let bodies = (bench?.requests ?? []).dropLast()
            uploads.stored = []
            for earlier in bodies where ["POST", "PATCH"].contains(earlier.head.method) {
                let offset = earlier.head.fields["Upload-Offset"].flatMap { Int($0) } ?? 0
                uploads.stored = Array(uploads.stored.prefix(offset)) + earlier.body
            }
            uploads.stored = Array(uploads.stored.prefix(stores(uploads.stored.count)))
            counted += 1
            return uploads.steps(request, bench?.server, cut: cuts[request.index])
        }
        return bench
    }

    @Test func `S6 after a cut it asks for the offset and sends the rest from there`() throws {
        let uploads = Uploads()
        let bench = try bench(uploads, cuts: [0: 100_000, 2: 50_000])
        let ending = try bench.run(try bench.upload())
        guard case .finished(let result) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(result.status == 201)
        #expect(bench.requests.map(\.head.method) == ["POST", "HEAD", "PATCH", "HEAD", "PATCH"])
        #expect(uploads.creations == 1)
        var assembled: [UInt8] = []
        for request in bench.requests where !request.body.isEmpty {
            let offset = request.head.fields["Upload-Offset"].flatMap { Int($0) } ?? 0
            assembled = Array(assembled.prefix(offset)) + request.body
        }
        #expect(assembled == Self.content)
        #expect(bench.requests[2].head.fields["Content-Type"] == "application/partial-upload")
        #expect(bench.content("source.resume") == nil)
    }

    @Test func `S7 without support the same request is a plain upload`() throws {
        let bench = try ClientBench()
        try bench.write("source", Self.content)
        try bench.serve { _ in
            [.readBody(nil), .answer(200, ["Content-Length": "2"], Array("ok".utf8))]
        }
        let ending = try bench.run(try bench.upload())
        guard case .finished(let result) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(result.body == Array("ok".utf8))
        #expect(bench.requests.count == 1 && bench.requests[0].body == Self.content)
        #expect(bench.requests[0].head.fields["Upload-Draft-Interop-Version"] == "6")
    }

    @Test func `S7 without support nothing is sent twice, unless it may begin again`() throws {
        for mayRestart in [false, true] {
            let bench = try ClientBench()
            try bench.write("source", Self.content)
            try bench.serve { request in
                request.index == 0
                    ? [.readBody(50_000), .reset]
                    : [.readBody(nil), .answer(200, ["Content-Length": "0"])]
            }
            let ending = try bench.run(
                try bench.upload { $0.retry.restartsFromZero = mayRestart }
            )
            if mayRestart {
                #expect(bench.requests.count == 2 && bench.requests[1].body == Self.content)
                #expect(bench.events.contains(.restarted(.notResumable)))
            } else {
                #expect(ending.resume == TransferEnding.paused(.none(.uploadURL)).resume)
                #expect(bench.requests.count == 1)
            }
        }
    }

    @Test func `S4 a pause keeps the upload's URL and the next run goes on there`() throws {
        let uploads = Uploads()
        let bench = try bench(uploads, cuts: [:])
        try bench.serve { [weak bench] request in
            guard request.index > 0 else {
                return [
                    .answer(104, ["Upload-Draft-Interop-Version": "6", "Location": "/uploads/1"]),
                    .readBody(60_000), .hang,
                ]
            }
            let first = bench?.requests.first?.body ?? []
            uploads.stored = first
            return uploads.steps(request, bench?.server, cut: nil)
        }
        let description = try bench.upload()
        let transfer = try bench.start(description)
        try bench.run("some of it is sent, and its URL is known") {
            (bench.requests.first?.body.count ?? 0) >= 60_000
                && bench.content("source.resume") != nil
        }
        transfer.pause()
        let ending = try bench.end()
        guard case .paused(.data(.upload(let state))) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(state.resource.target == "/uploads/1")
        #expect(bench.content("source.resume") != nil)
        guard case .finished = try bench.run(description) else {
            Issue.record("\(String(describing: bench.ending))")
            return
        }
        #expect(bench.requests.map(\.head.method) == ["POST", "HEAD", "PATCH"])
        let tail = Array(Self.content.dropFirst(bench.requests[0].body.count))
        #expect(bench.requests[2].body == tail)
    }

    @Test func `a source that changed since is sent anew, and that is said`() throws {
        let uploads = Uploads()
        let bench = try bench(uploads, cuts: [:])
        try bench.serve { request in
            [
                .answer(104, ["Upload-Draft-Interop-Version": "6", "Location": "/uploads/1"]),
                .readBody(request.index == 0 ? 60_000 : nil),
                request.index == 0
                    ? .hang
                    : .answer(201, ["Upload-Offset": "200000", "Content-Length": "0"]),
            ]
        }
        let description = try bench.upload()
        let transfer = try bench.start(description)
        try bench.run("some of it is sent, and its URL is known") {
            (bench.requests.first?.body.count ?? 0) >= 60_000
                && bench.content("source.resume") != nil
        }
        transfer.pause()
        _ = try bench.end()
        try bench.write("source", Array(Self.content.prefix(200_000)))
        try bench.run(description)
        guard case .started(let start)? = bench.records.first else {
            Issue.record("no record")
            return
        }
        #expect(start.startsOver?.contains("changed") == true)
        #expect(bench.requests.map(\.head.method) == ["POST", "POST"])
    }

    @Test func `a source is changed if its size or its time is another`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/source"
        let file = try Folder(folder.path).file("source", for: .writing, creation: .ifMissing)
        func write(_ count: Int, at seconds: Double) throws {
            try file.truncate(to: 0)
            try file.write(Array(repeating: 1, count: count), at: 0)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)],
                ofItemAtPath: path
            )
        }
        try write(10, at: 1_000_000)
        let source = try UploadSource(path)
        #expect(source.change() == nil)
        try write(11, at: 1_000_000)
        #expect(source.change()?.problem == .cannotRead)
        try write(10, at: 1_000_001)
        #expect(source.change() != nil)
        try write(10, at: 1_000_000)
        #expect(source.change() == nil)
    }

    @Test func `a source that changes while it is sent is not sent on`() throws {
        let uploads = Uploads()
        let bench = try bench(uploads, cuts: [0: 100_000])
        let ending = try bench.run(try bench.upload()) { [unowned bench] record, _ in
            guard case .event(.retrying) = record else { return }
            // In place: a file that is replaced stays as it was for whoever has it open.
            let file = try? File(bench.path("source"), for: .writing)
            try? file?.write(Array(Self.content.reversed()), at: 0)
        }
        guard case .failed(let failure) = ending, case .storage(let text, _) = failure.reason else {
            Issue.record("\(ending)")
            return
        }
        #expect(text.contains("changed"))
        #expect(!bench.requests.contains { $0.head.method == "PATCH" })
    }

    @Test func `a source that changes within its last request does not count as sent`() throws {
        let bench = try bench(Uploads(), cuts: [:])
        let ending = try bench.run(try bench.upload()) { [unowned bench] record, _ in
            guard case .event(.interim) = record else { return }
            let file = try? File(bench.path("source"), for: .writing)
            try? file?.write([1], at: UInt64(Self.content.count))
        }
        guard case .failed(let failure) = ending, case .storage(let text, _) = failure.reason else {
            Issue.record("\(ending)")
            return
        }
        #expect(text.contains("changed"))
    }

    @Test func `S11 what the server confirmed never falls`() throws {
        let uploads = Uploads()
        let bench = try bench(uploads, cuts: [0: 100_000, 2: 50_000])
        try bench.run(try bench.upload())
        let acknowledged = bench.events.compactMap { event in
            if case .progress(let progress) = event { progress.acknowledged } else { nil }
        }
        #expect(zip(acknowledged, acknowledged.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(acknowledged.last == 300_000)
    }

    @Test func `digests of appends are computed before they are sent`() throws {
        let uploads = Uploads()
        let bench = try bench(uploads, cuts: [0: 100_000])
        var settings = UploadChoices()
        settings.digestsAppends = true
        try bench.run(try bench.upload("source", settings))
        let append = try #require(bench.requests.first { $0.head.method == "PATCH" })
        let digest = Digest(.sha256)
        digest.update(append.body)
        #expect(
            append.head.fields["Content-Digest"] == "sha-256=:\(Base64.encode(digest.value)):"
        )
    }

    @Test func `an upload whose protocol is asked for takes tus where it is offered`() throws {
        let bench = try ClientBench()
        try bench.write("source", Self.content)
        try bench.serve { request in
            switch request.head.method {
            case "OPTIONS":
                [.answer(204, ["Tus-Version": "1.0.0", "Tus-Extension": "creation"])]
            case "POST":
                [
                    .answer(
                        201,
                        [
                            "Tus-Resumable": "1.0.0", "Location": "/files/1",
                            "Content-Length": "0",
                        ]
                    )
                ]
            case "PATCH":
                [
                    .readBody(nil),
                    .answer(204, ["Tus-Resumable": "1.0.0", "Upload-Offset": "300000"]),
                ]
            default: [.answer(500, ["Content-Length": "0"])]
            }
        }
        var settings = UploadChoices()
        settings.choice = .asked
        let ending = try bench.run(try bench.upload("source", settings))
        guard case .finished = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(bench.requests.map(\.head.method).last == "PATCH")
        #expect(bench.requests.last?.body == Self.content)
    }
}
