import ResumableUploads
import SystemIO
import TestSupport
import Testing

/// The handler as a server of any kind uses it: requests and bytes in, responses and bytes out.
@Suite struct UploadHandlerTests {
    private static let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    private static let tus = [
        ("Tus-Resumable", "1.0.0"), ("Content-Type", "application/offset+octet-stream"),
    ]
    private let newest = Dialect(version: 8)

    private func rest(
        _ bench: HandlerBench,
        _ dialect: Dialect,
        _ place: String,
        from offset: Int
    ) async throws -> ServerResponse {
        let body = Array(Self.content[offset...])
        return try await bench.ask("PATCH", place, dialect.append(at: offset), body)
    }

    private func name(_ place: String) -> String { String(place.split(separator: "/").last ?? "") }

    // MARK: Uploads

    @Test(arguments: Dialect.all)
    func `the target gets one ordinary request with every byte, and the client its answer`(
        dialect: Dialect
    ) async throws {
        let storage = MemoryStorage()
        let bench = HandlerBench(storage)
        let first = Array(Self.content[..<200_000])
        let place = try await bench.interrupted(dialect, first, of: 600_000)
        let status = try await bench.ask("HEAD", place, [dialect.marker])
        #expect(status["Upload-Offset"] == "200000")
        let answer = try await rest(bench, dialect, place, from: 200_000)
        #expect(answer.status == 200 && answer["X-Answer"] == "a")
        #expect(answer.body == Array("kept".utf8))
        let requests = await bench.target.requests
        let request = try #require(requests.first?.request)
        #expect(requests.count == 1 && request.method == "POST" && request.target == "/api?x=1")
        #expect(requests.first?.body == Self.content)
        #expect(request.fields.map { $0.name.lowercased() } == ["x-one", "via", "content-length"])
        #expect(request["Content-Length"] == "600000")
        // Nothing is left but the answer, which is told again.
        #expect(await storage.contents.isEmpty)
        let again = try await rest(bench, dialect, place, from: 600_000)
        #expect(dialect.version == 6 || again.status == 200)
        #expect(await bench.target.requests.count == 1)
    }

    @Test func `tus: parts are joined, checked, and given to the target as one`() async throws {
        let bench = HandlerBench()
        var parts: [String] = []
        for part in [[UInt8](1...3), [4, 5], [6], [7, 8, 9, 10]] {
            let fields =
                Self.tus + [("Upload-Length", "\(part.count)"), ("Upload-Concat", "partial")]
            let created = try await bench.ask("POST", "/api", fields, part)
            #expect(created.status == 201)
            parts.append(try #require(created["Location"]))
        }
        // The SHA-1 of something else.
        let wrong =
            Self.tus + [
                ("Upload-Length", "1"), ("Upload-Checksum", "sha1 Lve95gjOVATpfV8EL5X4nxwjKHE="),
            ]
        #expect(try await bench.ask("POST", "/api", wrong, [1]).status == 460)
        #expect(await bench.target.requests.isEmpty)
        let joined = [
            ("Tus-Resumable", "1.0.0"),
            ("Upload-Concat", "final;\(parts.joined(separator: " "))"),
        ]
        #expect(try await bench.ask("POST", "/api", joined).status == 201)
        #expect(await bench.target.requests.map(\.body) == [Array(1...10)])
    }

    @Test func `complete uploads take no place of incomplete ones`() async throws {
        var options = UploadHandlerOptions()
        options.maximumUploads = 1
        let bench = HandlerBench(options: options)
        let creation = newest.creation(size: 2)
        for _ in 0..<2 {
            #expect(try await bench.ask("POST", "/api", creation, [1, 2]).status == 200)
        }
        _ = try await bench.interrupted(newest, [1], of: 2)
        #expect(try await bench.ask("POST", "/api", creation, [1, 2]).status == 503)
    }

    @Test func `what is no upload is left alone`() async throws {
        let bench = HandlerBench()
        let body = TestBody([[1]])
        for method in ["GET", "POST", "DELETE"] {
            let request = ServerRequest(method, "/a", fields: [MessageField("Content-Length", "1")])
            #expect(await bench.handler.respond(to: request, body: body.next) == .notAnUpload)
        }
        #expect(await body.asked == 0)
    }

    @Test func `a later request takes over, and the former is reset`() async throws {
        let bench = HandlerBench()
        let place = Locked<String?>(nil)
        let gate = Gate()
        let fields = newest.creation(size: 10) + [("Content-Length", "10")]
        let request = ServerRequest("POST", "/a", fields: fields.map { MessageField($0.0, $0.1) })
        let former = Task {
            await bench.handler.respond(to: request) {
                try await gate.piece()
            } interim: { interim in
                if let found = interim["Location"] { place.withLock { $0 = found } }
            }
        }
        // It has asked for its second piece, which does not come.
        await gate.waitForSecond()
        let found = try #require(place.withLock { $0 })
        let status = try await bench.ask("HEAD", found, [newest.marker])
        #expect(status["Upload-Offset"] == "4")
        #expect(await former.value == .reset)
        await gate.open()
    }

    @Test func `cancelling the task keeps what has come`() async throws {
        let bench = HandlerBench()
        let place = Locked<String?>(nil)
        let gate = Gate()
        let fields = newest.creation(size: 10) + [("Content-Length", "10")]
        let request = ServerRequest("POST", "/a", fields: fields.map { MessageField($0.0, $0.1) })
        let task = Task {
            await bench.handler.respond(to: request) {
                try await gate.piece()
            } interim: { interim in
                if let found = interim["Location"] { place.withLock { $0 = found } }
            }
        }
        await gate.waitForSecond()
        task.cancel()
        #expect(await task.value == .reset)
        await gate.open()
        let found = try #require(place.withLock { $0 })
        #expect(try await bench.ask("HEAD", found, [newest.marker])["Upload-Offset"] == "4")
    }

    @Test func `a full storage is answered by 507, and what was stored stays`() async throws {
        let storage = MemoryStorage()
        let bench = HandlerBench(storage)
        let place = try await bench.interrupted(newest, [1, 2], of: 600_000)
        await storage.limit(to: 10_000)
        let body = Array(Self.content[2...])
        let answer = try await bench.ask("PATCH", place, newest.append(at: 2), body)
        #expect(answer.status == 507)
        let status = try await bench.ask("HEAD", place, [newest.marker])
        #expect(status["Upload-Offset"] == "9002")
    }

    // MARK: Targets that fail

    @Test func `a target that throws has not taken the upload, which can be completed again`()
        async throws
    {
        let storage = MemoryStorage()
        let bench = HandlerBench(storage)
        await bench.target.answer { _ in throw KeepingTarget.Refused() }
        let failed = try await bench.ask("POST", "/a", newest.creation(size: 1), [1])
        #expect(failed.status == 500 && failed["Upload-Complete"] == "?0")
        let place = "/.uploads/\(try #require(await storage.names.first))"
        await bench.target.answer { _ in ServerResponse(201) }
        #expect(try await bench.ask("PATCH", place, newest.append(at: 1)).status == 201)
        #expect(await bench.target.requests.map(\.body) == [[1], [1]])
    }

    @Test(arguments: [
        ("POST", UploadHandlerOptions.Delivery.atMostOnce, 502, 0),
        ("PUT", .atMostOnce, 200, 1), ("POST", .atLeastOnce, 200, 1),
    ])
    func `after a restart the target gets again only what it may get twice`(
        method: String,
        delivery: UploadHandlerOptions.Delivery,
        status: Int,
        requests: Int
    ) async throws {
        let storage = MemoryStorage()
        var options = UploadHandlerOptions()
        options.delivery = delivery
        let dying = HandlerBench(storage, options: options)
        // It does not answer before the end of the test.
        let gate = Gate()
        await dying.target.answer { _ in
            await gate.second()
            return ServerResponse(200)
        }
        let life = Task {
            _ = try await dying.ask(method, "/a", newest.creation(size: 3), [1, 2, 3])
        }
        #expect(await dying.target.wait(for: 1))
        let bench = HandlerBench(storage, options: options)
        #expect(try await bench.handler.restore() == [])
        if requests == 1 { #expect(await bench.target.wait(for: 1)) }
        let name = try #require(await storage.names.first)
        let answer = try await bench.ask("PATCH", "/.uploads/\(name)", newest.append(at: 3))
        #expect(answer.status == status)
        let expected = Array(repeating: [UInt8](1...3), count: requests)
        #expect(await bench.target.requests.map(\.body) == expected)
        life.cancel()
        await gate.open()
    }

    @Test func `what was complete and not handed on is handed on after a restart`() async throws {
        let storage = MemoryStorage()
        let dying = HandlerBench(storage)
        let gate = Gate()
        let halted = UploadHandler(storage: storage) { upload in
            // It reads all but the last piece.
            var pieces = upload.content.makeAsyncIterator()
            _ = try await pieces.next()
            await gate.second()
            return ServerResponse(200)
        }
        let content = TestBody([Self.content])
        let fields = newest.creation(size: 600_000) + [("Content-Length", "600000")]
        let request = ServerRequest("POST", "/a", fields: fields.map { MessageField($0.0, $0.1) })
        let life = Task { await halted.respond(to: request, body: content.next) }
        await gate.waitForSecond()
        let bench = HandlerBench(storage, dying.target)
        try await bench.handler.restore()
        #expect(await bench.target.wait(for: 1))
        let isWhole = await bench.target.requests.map(\.body) == [Self.content]
        #expect(isWhole)
        life.cancel()
        await gate.open()
    }

    @Test func `maintenance tries again what no client waits for, and ends what has expired`()
        async throws
    {
        let storage = MemoryStorage()
        var options = UploadHandlerOptions()
        options.delivery = .atLeastOnce
        options.lifetime = 1_000
        let dying = HandlerBench(storage, options: options)
        let gate = Gate()
        await dying.target.answer { _ in
            await gate.second()
            return ServerResponse(200)
        }
        let life = Task { _ = try await dying.ask("POST", "/a", newest.creation(size: 1), [1]) }
        #expect(await dying.target.wait(for: 1))
        let bench = HandlerBench(storage, options: options)
        await bench.target.answer { _ in throw KeepingTarget.Refused() }
        try await bench.handler.restore()
        for attempt in 1...3 {
            #expect(await bench.target.wait(for: attempt))
            while await !bench.handler.isIdle { await Task.yield() }
            bench.clock.withLock { $0 += 64 }
            await bench.handler.maintain()
        }
        #expect(await bench.target.wait(for: 4))
        while await !bench.handler.isIdle { await Task.yield() }
        bench.clock.withLock { $0 += 1_000 }
        await bench.handler.maintain()
        let name = try #require(await storage.names.first)
        let status = try await bench.ask("HEAD", "/.uploads/\(name)", [newest.marker])
        #expect(status.status == 410)
        #expect(await storage.contents.isEmpty)
        life.cancel()
        await gate.open()
    }

    // MARK: Folders

    @Test func `a folder keeps uploads for the next life, and nothing of those that are over`()
        async throws
    {
        let folder = try TemporaryFolder()
        var place = ""
        do {
            let bench = HandlerBench(try FolderStorage(folder.path))
            place = try await bench.interrupted(
                newest,
                Array(Self.content[..<200_000]),
                of: 600_000
            )
            while await !bench.handler.isIdle { await Task.yield() }
        }
        let bench = HandlerBench(try FolderStorage(folder.path))
        #expect(try await bench.handler.restore() == [])
        let status = try await bench.ask("HEAD", place, [newest.marker])
        #expect(status["Upload-Offset"] == "200000")
        #expect(try await rest(bench, newest, place, from: 200_000).status == 200)
        let isWhole = await bench.target.requests.map(\.body) == [Self.content]
        #expect(isWhole)
        #expect(FileSystem.names(in: folder.path) == ["\(name(place)).record"])
        #expect(throws: UploadFolderError.self) { try FolderStorage("\(folder.path)/none") }
    }

    @Test func `a record that cannot be read is named and left alone`() async throws {
        let storage = MemoryStorage()
        await storage.save([1, 2], of: "abc")
        #expect(try await HandlerBench(storage).handler.restore() == ["abc"])
        #expect(await storage.names == ["abc"])
    }
}

/// A body of which only the first piece comes, until it is opened.
private actor Gate {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []
    private var count = 0
    private var isOpen = false

    func piece() async throws -> [UInt8]? {
        count += 1
        if count == 1 { return [1, 2, 3, 4] }
        await second()
        throw TestBody.Cut()
    }

    func second() async {
        count = max(count, 2)
        for watcher in watchers { watcher.resume() }
        watchers = []
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func waitForSecond() async {
        guard count < 2 else { return }
        await withCheckedContinuation { watchers.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
