import HTTPTransport
import HTTPWire
import LinkTransfer
import SystemIO
import Testing
import TestSupport

/// Downloads and uploads as another package sees them: values, async functions, a thread of its own.
@Suite struct TransferClientTests {
    static let content = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

    /// A server on a thread of its own whose answers stop at some byte.
    private final class Served: Sendable {
        private let thread: LoopThread<Origin>
        let url: String
        /// What was asked for, in order.
        let targets = Locked<[String]>([])

        /// Answers of GET end after `limit` bytes for the first `cuts` requests; nil for never, 0
        /// for an answer that goes on and on without ending.
        init(cuts: Int, after limit: Int, hangs: Bool = false) throws {
            let place = Place()
            let targets = targets
            thread = try LoopThread { loop throws(SystemError) in
                let origin = try Origin(loop, cuts: cuts, after: limit, hangs: hangs) { target in
                    targets.withLock { $0.append(target) }
                }
                place.port = origin.port
                return origin
            } close: {
                $0.server.stop()
            }
            url = "http://127.0.0.1:\(place.port)/object"
        }

        deinit { thread.stop() }

        private final class Place { var port: UInt16 = 0 }
    }

    /// What the server's thread alone sees.
    private final class Origin {
        let server: HTTPServer
        let port: UInt16

        init(
            _ loop: EventLoop,
            cuts: Int,
            after limit: Int,
            hangs: Bool,
            onRequest: @escaping (String) -> Void
        ) throws(SystemError) {
            var requests = 0
            server = try HTTPServer(loop: loop) { exchange in
                requests += 1
                onRequest(exchange.head.target)
                let first =
                    exchange.head.fields["Range"]
                    .flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
                let size = TransferClientTests.content.count
                let isCut = requests <= cuts
                var place = first
                let body = MessageBody.generated(length: UInt64(size - first)) { buffer, room in
                    let end = isCut ? min(size, first + limit) : size
                    guard place < end else { return isCut ? (hangs ? .later : .failed) : .end }
                    let count = min(room.count, end - place)
                    let piece = Array(TransferClientTests.content[place..<place + count])
                    buffer.store(piece, at: room.lowerBound)
                    place += count
                    return .stored(count)
                }
                var fields: HeaderFields = ["ETag": "\"a\"", "Accept-Ranges": "bytes"]
                if first > 0 {
                    fields.add("Content-Range", "bytes \(first)-\(size - 1)/\(size)")
                }
                try? exchange.respond(ResponseHead(first > 0 ? 206 : 200, fields: fields), body)
            }
            port = try server.listen(on: .loopback(port: 0)).port ?? 0
        }
    }

    /// For a transfer that hangs for the whole test, however busy the machine is.
    private static func patient() -> TransferOptions {
        var options = quick()
        options.retry.idleTimeout = .seconds(3_600)
        return options
    }

    private static func quick() -> TransferOptions {
        var options = TransferOptions()
        options.retry.base = .milliseconds(5)
        options.retry.cap = .milliseconds(20)
        return options
    }

    @Test func `a download goes on after each cut, and tells of it`() async throws {
        let folder = try TemporaryFolder()
        let served = try Served(cuts: 2, after: 150_000)
        let client = try TransferClient()
        let path = "\(folder.path)/object"
        let transfer = try client.startDownload(from: served.url, to: path, options: Self.quick())
        var retries = 0
        var last: TransferProgress?
        for await event in transfer.events {
            if case .retrying = event { retries += 1 }
            if case .progress(let progress) = event { last = progress }
        }
        let outcome = try await transfer.outcome()
        #expect(outcome.size == 400_000 && outcome.isLengthProven && outcome.attempts == 3)
        #expect(outcome.repeatedBytes == 0 && retries == 2)
        #expect(last?.position == 400_000 && last?.expected == 400_000)
        #expect(try FileSystem.read(path, limit: 1 << 20) == Self.content)
    }

    @Test func `a cancelled task leaves resume data, from which another client goes on`()
        async throws
    {
        let folder = try TemporaryFolder()
        let served = try Served(cuts: 1, after: 100_000, hangs: true)
        let path = "\(folder.path)/object"
        let client = try TransferClient()
        let transfer = try client.startDownload(from: served.url, to: path, options: Self.patient())
        let task = Task { () throws(TransferError) -> TransferOutcome in
            try await transfer.outcome()
        }
        // The server sends nothing after the first part.
        for await progress in transfer.progress where progress.position > 0 { break }
        task.cancel()
        guard case .failure(let error) = await task.result, let stop = error as? TransferError
        else {
            Issue.record("it was not stopped")
            return
        }
        #expect(stop.kind == .paused)
        let data = try #require(stop.resumeData)
        let kept = ResumeData(bytes: data.bytes)
        let outcome = try await TransferClient().download(
            from: served.url,
            to: path,
            options: Self.quick(),
            resuming: kept
        )
        #expect(outcome.status == 206 && outcome.attempts == 1)
        #expect(try FileSystem.read(path, limit: 1 << 20) == Self.content)
    }

    @Test func `after a failure the path can be downloaded to again, from zero or from the data`()
        async throws
    {
        let folder = try TemporaryFolder()
        let served = try Served(cuts: 2, after: 100_000)
        let path = "\(folder.path)/object"
        var options = Self.quick()
        options.retry.resumesByItself = false
        let client = try TransferClient()
        var data: [ResumeData?] = []
        for _ in 0..<2 {
            do {
                _ = try await client.download(from: served.url, to: path, options: options)
                Issue.record("the server cuts the first two")
            } catch {
                data.append(error.resumeData)
            }
        }
        let outcome = try await client.download(
            from: served.url,
            to: path,
            options: options,
            resuming: data[1]
        )
        #expect(data.count == 2 && outcome.status == 206)
        #expect(try FileSystem.read(path, limit: 1 << 20) == Self.content)
    }

    @Test func `the path decides, and a nudge goes past it`() async throws {
        let folder = try TemporaryFolder()
        let served = try Served(cuts: 0, after: 0)
        let client = try TransferClient()
        var expensive = NetworkPath()
        expensive.isExpensive = true
        client.setPath(expensive)
        var options = Self.quick()
        options.path.allowsExpensive = false
        let transfer = try client.startDownload(
            from: served.url,
            to: "\(folder.path)/object",
            options: options
        )
        for await event in transfer.events where event == .waiting(.expensive) {
            transfer.nudge()
        }
        #expect(try await transfer.outcome().size == 400_000)
    }

    @Test func `of transfers that have to wait the urgent one begins first, then the smallest`()
        async throws
    {
        let folder = try TemporaryFolder()
        let served = try Served(cuts: 1, after: 100_000, hangs: true)
        let client = try TransferClient(maximumTransfers: 1)
        let first = try client.startDownload(
            from: served.url,
            to: "\(folder.path)/first",
            options: Self.patient()
        )
        for await progress in first.progress where progress.position > 0 { break }
        let plans: [(name: String, bytes: UInt64?, isUrgent: Bool)] = [
            ("unknown", nil, false), ("large", 900, false), ("small", 9, false),
            ("urgent", 9_000, true),
        ]
        var others: [RunningTransfer] = []
        for plan in plans {
            var options = Self.quick()
            options.path.expectedBytesToReceive = plan.bytes
            options.path.isUserInitiated = plan.isUrgent
            others.append(
                try client.startDownload(
                    from: "\(served.url)?\(plan.name)",
                    to: "\(folder.path)/\(plan.name)",
                    options: options
                )
            )
        }
        first.pause()
        for transfer in others { _ = try await transfer.outcome() }
        let asked = served.targets.withLock { $0 }
        let order = ["urgent", "small", "large", "unknown"]
        #expect(Array(asked.dropFirst()) == order.map { "/object?\($0)" })
    }

    @Test
    func `discretionary transfers that waited for the path begin one by one, the smallest first`()
        async throws
    {
        let folder = try TemporaryFolder()
        let served = try Served(cuts: 0, after: 0)
        let client = try TransferClient(maximumTransfers: 1)
        var path = NetworkPath()
        path.isConstrained = true
        client.setPath(path)
        let plans: [(name: String, bytes: UInt64?)] = [
            ("unknown", nil), ("large", 900), ("small", 9), ("middle", 90),
        ]
        var transfers: [RunningTransfer] = []
        for plan in plans {
            var options = Self.quick()
            options.path.isDiscretionary = true
            options.path.expectedBytesToReceive = plan.bytes
            let transfer = try client.startDownload(
                from: "\(served.url)?\(plan.name)",
                to: "\(folder.path)/\(plan.name)",
                options: options
            )
            for await event in transfer.events where event == .waiting(.discretionary) { break }
            transfers.append(transfer)
        }
        client.setPath(NetworkPath())
        for transfer in transfers { _ = try await transfer.outcome() }
        let asked = served.targets.withLock { $0 }
        #expect(asked == ["small", "middle", "large", "unknown"].map { "/object?\($0)" })
    }

    @Test func `a transfer that has not begun can be paused`() async throws {
        let folder = try TemporaryFolder()
        let served = try Served(cuts: 1, after: 100_000, hangs: true)
        let client = try TransferClient(maximumTransfers: 1)
        let first = try client.startDownload(
            from: served.url,
            to: "\(folder.path)/a",
            options: Self.patient()
        )
        for await progress in first.progress where progress.position > 0 { break }
        let second = try client.startDownload(from: served.url, to: "\(folder.path)/b")
        second.pause()
        await #expect(throws: TransferError.self) { _ = try await second.outcome() }
        first.pause()
        await #expect(throws: TransferError.self) { _ = try await first.outcome() }
    }

    @Test func `nothing begins before its time`() async throws {
        let folder = try TemporaryFolder()
        let served = try Served(cuts: 0, after: 0)
        let client = try TransferClient()
        var options = Self.quick()
        options.path.earliestBegin = WallClock.secondsSince1970 + 3_600
        let transfer = try client.startDownload(
            from: served.url,
            to: "\(folder.path)/object",
            options: options
        )
        for await event in transfer.events where event == .waiting(.earliestBegin) {
            transfer.pause()
        }
        await #expect(throws: TransferError.self) { _ = try await transfer.outcome() }
    }

    @Test func `what cannot be used is an error at once`() throws {
        let client = try TransferClient()
        for url in ["ftp://a/", "x", "http://u@a/"] {
            #expect(throws: TransferError.self) {
                _ = try client.startDownload(from: url, to: "x")
            }
        }
        var options = TransferOptions()
        options.sha256 = [1]
        #expect(throws: TransferError.self) {
            _ = try client.startDownload(from: "http://a/", to: "x", options: options)
        }
        var upload = UploadOptions()
        upload.uploadProtocol = .ietf(version: 4)
        #expect(throws: TransferError.self) {
            _ = try client.startUpload(of: "x", to: "http://a/", upload: upload)
        }
        #expect(throws: TransferError.self) {
            _ = try client.startDownload(
                from: "http://a/",
                to: "x",
                resuming: ResumeData(bytes: [1, 2])
            )
        }
    }

    @Test func `a source that is missing fails the upload`() async throws {
        let client = try TransferClient()
        await #expect(throws: TransferError.self) {
            _ = try await client.upload("/nonexistent", to: "http://127.0.0.1:1/")
        }
    }

    @Test func `a failure says so and has resume data only if there is something`() async throws {
        let folder = try TemporaryFolder()
        let client = try TransferClient()
        var options = Self.quick()
        options.retry.failuresWithoutProgress = 2
        do {
            _ = try await client.download(
                from: "http://127.0.0.1:1/",
                to: "\(folder.path)/x",
                options: options
            )
            Issue.record("nobody listens there")
        } catch {
            #expect(error.kind == .failed && error.resumeData == nil)
            #expect(!error.description.isEmpty)
        }
    }
}
