import Basics
import HTTPWire
import SystemIO
import ResumableClient
import ResumableServer
import TestSupport
import Testing

@testable import Origin
@testable import Transfers

/// A loop with a scripted server, a folder, and the transfers of a test.
final class ClientBench {
    let loop: EventLoop
    let folder: TemporaryFolder
    let context: ClientContext
    private(set) var records: [TransferRecord] = []
    private(set) var server: ScriptedServer?
    private var transfers: [ClientTransfer] = []
    private let output: OutputFile

    init() throws {
        loop = try EventLoop()
        folder = try TemporaryFolder()
        output = try OutputFile(creating: "\(folder.path)/stdout")
        context = ClientContext(loop: loop, standardOutput: output)
    }

    deinit {
        server?.stop()
        transfers.removeAll()
        context.close()
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }

    func serve(_ script: @escaping (ScriptedServer.Request) -> [ScriptedServer.Step]) throws {
        server = try ScriptedServer(on: loop, script: script)
    }

    var requests: [ScriptedServer.Request] { server?.requests ?? [] }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// The content of a file; nil if there is none.
    func content(_ name: String) -> [UInt8]? {
        try? FileSystem.read(path(name), limit: 1 << 30)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try FileSystem.replace(path(name), with: bytes)
    }

    /// Delays that a test can wait for.
    static func quick() -> RetryPolicy {
        var policy = RetryPolicy.foreground
        policy.base = .milliseconds(2)
        policy.floor = .milliseconds(1)
        policy.cap = .milliseconds(20)
        return policy
    }

    func download(
        _ name: String = "object",
        at url: String = "/object",
        _ change: (inout TransferDescription) -> Void = { _ in }
    ) throws -> TransferDescription {
        let address = try HTTPURL(url.hasPrefix("/") ? server?.url(url) ?? "" : url)
        var description = TransferDescription(
            .download,
            address,
            file: name == "-" ? name : path(name)
        )
        description.retry = Self.quick()
        description.seed = 7
        change(&description)
        return description
    }

    func upload(
        _ name: String = "source",
        _ settings: UploadChoices = UploadChoices(),
        _ change: (inout TransferDescription) -> Void = { _ in }
    ) throws -> TransferDescription {
        let address = try HTTPURL(server?.url("/files") ?? "")
        var description = TransferDescription(.upload(settings), address, file: path(name))
        description.retry = Self.quick()
        description.seed = 7
        change(&description)
        return description
    }

    func store(_ description: TransferDescription) -> ResumeStore? {
        description.file == "-"
            ? nil
            : FilePlace(description.file).map { ResumeStore($0.appending(ResumeStore.suffix)) }
    }

    /// Begins a transfer; what was left by an earlier one is used.
    @discardableResult
    func start(
        _ description: TransferDescription,
        path: PathStatus? = nil,
        onRecord: @escaping (TransferRecord, ClientTransfer?) -> Void = { _, _ in }
    ) throws -> ClientTransfer {
        let source = description.isUpload ? try UploadSource(description.file) : nil
        let store = store(description)
        records = []
        let inbox = Inbox()
        let transfer = ClientTransfer(
            description,
            in: context,
            source: source,
            store: store
        ) { [weak self] record in
            self?.records.append(record)
            onRecord(record, inbox.transfer)
        }
        inbox.transfer = transfer
        transfers.append(transfer)
        transfer.start(resuming: try store?.load() ?? nil, path: path)
        return transfer
    }

    private final class Inbox { weak var transfer: ClientTransfer? }

    /// Runs a transfer to its end.
    @discardableResult
    func run(
        _ description: TransferDescription,
        path: PathStatus? = nil,
        onRecord: @escaping (TransferRecord, ClientTransfer?) -> Void = { _, _ in }
    ) throws -> TransferEnding {
        try start(description, path: path, onRecord: onRecord)
        return try end()
    }

    /// The end of the latest transfer.
    func end() throws -> TransferEnding {
        try run("the transfer ends") { ending != nil }
        return try #require(ending)
    }

    var ending: TransferEnding? {
        guard case .ended(let ending)? = records.last else { return nil }
        return ending
    }

    /// What was told, in the words of the records.
    var events: [TransferEvent] {
        records.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    /// Runs the loop until something is so; long enough for work on libuv's threads, which all tests
    /// share.
    func run(_ what: Comment, seconds: Double = 90, until condition: () -> Bool) throws {
        try loop.run("\(what): \(records.suffix(6))", seconds: seconds, until: condition)
    }
}

/// An object on a server, with what a truthful answer about it says.
struct ServedObject {
    var bytes: [UInt8]
    var tag: String? = "\"one\""
    var lastModified: String?
    var acceptsRanges = true

    init(count: Int, seed: UInt64 = 1) {
        bytes = KnownContent(seed: seed).bytes(0..<UInt64(count))
    }

    var fields: HeaderFields {
        var fields: HeaderFields = ["Date": "Sat, 21 Nov 2026 20:00:00 GMT"]
        if acceptsRanges { fields.add("Accept-Ranges", "bytes") }
        if let tag { fields.add("ETag", tag) }
        if let lastModified { fields.add("Last-Modified", lastModified) }
        return fields
    }

    /// The first byte that a request asks for; nil if it is for the whole.
    static func first(_ head: HTTPWire.RequestHead) -> Int? {
        head.fields["Range"].flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) }
    }

    /// The right answer to a request, `cut` bytes of its body at most.
    func answer(_ head: HTTPWire.RequestHead, cut: Int? = nil) -> ScriptedServer.Step {
        let first = Self.first(head)
        let isMatch = head.fields["If-Range"].map { $0 == tag || $0 == lastModified } ?? true
        var fields = fields
        guard let first, isMatch, acceptsRanges else {
            fields.add("Content-Length", "\(bytes.count)")
            return .answer(200, fields, Array(bytes.prefix(cut ?? bytes.count)))
        }
        guard first < bytes.count else {
            fields.add("Content-Range", "bytes */\(bytes.count)")
            fields.add("Content-Length", "0")
            return .answer(416, fields)
        }
        let part = bytes[first...]
        fields.add("Content-Range", "bytes \(first)-\(bytes.count - 1)/\(bytes.count)")
        fields.add("Content-Length", "\(part.count)")
        return .answer(206, fields, Array(part.prefix(cut ?? part.count)))
    }
}
