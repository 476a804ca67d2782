import ResumableUploads
import SystemIO
import Testing

/// A handler, its storage, and a target that keeps what it gets.
final class HandlerBench: Sendable {
    let storage: any UploadStorage
    let handler: UploadHandler
    let target: KeepingTarget
    let clock = Locked(1_800_000_000)

    init(
        _ storage: any UploadStorage = MemoryStorage(),
        _ target: KeepingTarget = KeepingTarget(),
        options: UploadHandlerOptions = UploadHandlerOptions()
    ) {
        self.storage = storage
        self.target = target
        handler = UploadHandler(
            storage: storage,
            options: options,
            now: { [clock] in
                clock.withLock { $0 }
            }
        ) {
            try await target.take($0)
        }
    }

    /// Sends a request whose content comes in pieces of some size.
    func ask(
        _ method: String,
        _ path: String,
        _ fields: [(String, String)] = [],
        _ body: [UInt8] = [],
        piece: Int = 1_000,
        interim: @escaping UploadHandler.Interim = { _ in }
    ) async throws -> ServerResponse {
        let pieces = stride(from: 0, to: body.count, by: piece).map {
            Array(body[$0..<min($0 + piece, body.count)])
        }
        let content = TestBody(pieces)
        let length = MessageField("Content-Length", "\(body.count)")
        let request = ServerRequest(
            method,
            path,
            fields: fields.map { MessageField($0.0, $0.1) } + (method == "HEAD" ? [] : [length])
        )
        let reply = await handler.respond(to: request, body: content.next, interim: interim)
        guard case .response(let response, _) = reply else {
            throw NoResponse(reply: reply)
        }
        return response
    }

    struct NoResponse: Error { let reply: UploadReply }

    /// Creates an upload of `size` bytes whose request is cut after the first ones; its place.
    func interrupted(
        _ dialect: Dialect,
        _ first: [UInt8],
        of size: Int,
        method: String = "POST"
    ) async throws -> String {
        let place = Locked<String?>(nil)
        let content = TestBody([first], isCut: true)
        let fields = dialect.creation(size: size) + [("Content-Length", "\(size)"), ("X-One", "1")]
        let reply = await handler.respond(
            to: ServerRequest(
                method,
                "/api?x=1",
                fields: fields.map { MessageField($0.0, $0.1) }
            ),
            body: content.next
        ) { interim in
            if let found = interim["Location"] { place.withLock { $0 = found } }
        }
        #expect(reply == .reset)
        return try #require(place.withLock { $0 })
    }
}

/// The content of a request, piece by piece, perhaps cut.
actor TestBody {
    private var pieces: [[UInt8]]
    private let isCut: Bool
    private(set) var asked = 0

    struct Cut: Error {}

    init(_ pieces: [[UInt8]], isCut: Bool = false) {
        self.pieces = pieces
        self.isCut = isCut
    }

    nonisolated var next: UploadHandler.Body { { try await self.piece() } }

    private func piece() throws -> [UInt8]? {
        asked += 1
        guard pieces.isEmpty else { return pieces.removeFirst() }
        if isCut { throw Cut() }
        return nil
    }
}

/// A handler that knows nothing of resumable uploads.
actor KeepingTarget {
    struct Kept: Sendable {
        let request: ServerRequest
        let body: [UInt8]
    }

    private(set) var requests: [Kept] = []
    var answer: @Sendable (Kept) async throws -> ServerResponse = { _ in
        ServerResponse(200, fields: [MessageField("X-Answer", "a")], body: Array("kept".utf8))
    }
    /// Whether it ends before the last piece.
    var isShort = false

    struct Refused: Error {}

    func answer(_ answer: @escaping @Sendable (Kept) async throws -> ServerResponse) {
        self.answer = answer
    }

    func take(_ upload: CompleteUpload) async throws -> ServerResponse {
        let kept = Kept(request: upload.request, body: try await upload.content.collect())
        requests.append(kept)
        return try await answer(kept)
    }

    /// Waits until so many requests have come.
    func wait(for count: Int) async -> Bool {
        for _ in 0..<200_000 {
            if requests.count >= count { return true }
            await Task.yield()
        }
        return false
    }
}

/// One version of the draft.
struct Dialect: Sendable, CustomTestStringConvertible {
    let version: Int

    static let all = [3, 5, 6, 8].map(Dialect.init)

    var testDescription: String { "interop \(version)" }
    var marker: (String, String) { ("Upload-Draft-Interop-Version", "\(version)") }

    private func says(last: Bool) -> (String, String) {
        version == 3
            ? ("Upload-Incomplete", last ? "?0" : "?1") : ("Upload-Complete", last ? "?1" : "?0")
    }

    func creation(size: Int) -> [(String, String)] { [marker, says(last: true)] }

    func append(at offset: Int) -> [(String, String)] {
        [marker, ("Upload-Offset", "\(offset)"), says(last: true)]
            + (version >= 6 ? [("Content-Type", "application/partial-upload")] : [])
    }
}
