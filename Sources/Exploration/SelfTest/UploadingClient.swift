internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import SystemIO

/// Uploads known content by tus 1.0.0, and goes on where the server was after a failure.
final class UploadingClient: SmallClient {
    private let target: String
    private let content: [UInt8]
    /// The upload's address, once the server said it.
    private var upload: String?
    /// Where the source was read to.
    private var sourceOffset = 0
    private var creations = 0

    private static let version: HeaderFields = ["Tus-Resumable": "1.0.0"]
    /// How long the source of a client that does not listen early takes to be read.
    private static let slowSourceTime = Duration.milliseconds(100)

    init(
        _ habits: ClientHabits,
        of content: [UInt8],
        to target: String,
        loop: EventLoop,
        seed: UInt64
    ) throws(SystemError) {
        self.content = content
        self.target = target
        try super.init(habits, loop: loop, seed: seed)
    }

    override func begin() { create() }

    // MARK: Creation

    private func create() {
        upload = nil
        sourceOffset = 0
        creations += 1
        var fields = Self.version
        fields["Upload-Length"] = "\(content.count)"
        send("POST", target, fields) { [weak self] in self?.takeCreation($0) }
    }

    private func takeCreation(_ ending: SmallExchange.Ending) {
        guard case .answered(let head, _) = ending else {
            guard habits.repeatsCreation || latest?.didRequestLeave == false else { return fail() }
            return again { [weak self] in self?.create() }
        }
        guard head.status == 201, let place = head.fields["Location"].flatMap(Self.target) else {
            guard Self.isPassing(head.status) else { return fail() }
            return again(after: head) { [weak self] in self?.create() }
        }
        upload = place
        append(from: 0)
    }

    private static func target(of location: String) -> String? {
        location.hasPrefix("/") ? location : (try? HTTPURL(location))?.target
    }

    // MARK: Append

    private func append(from offset: Int) {
        guard let upload else { return create() }
        var fields = Self.version
        fields["Upload-Offset"] = "\(offset)"
        fields["Content-Type"] = "application/offset+octet-stream"
        if habits.rewindsSource { sourceOffset = offset }
        let isDeaf = !habits.hearsEarlyAnswers && isRetrying
        send(
            "PATCH",
            upload,
            fields,
            body: body(isSlow: isDeaf),
            hearsEarlyAnswers: !isDeaf
        ) { [weak self] in self?.takeAppend($0) }
    }

    private func body(isSlow: Bool) -> MessageBody {
        let length = content.count - sourceOffset
        var isReady = !isSlow
        if isSlow {
            _ = alarms.set(after: Self.slowSourceTime) { [weak self] in
                isReady = true
                self?.latest?.resume()
            }
        }
        return .generated(length: UInt64(length)) { [weak self] buffer, room in
            guard let self else { return .failed }
            guard isReady else { return .later }
            let count = min(room.count, content.count - sourceOffset)
            guard count > 0 else { return .end }
            buffer.store(Array(content[sourceOffset..<sourceOffset + count]), at: room.lowerBound)
            sourceOffset += count
            return .stored(count)
        }
    }

    private func takeAppend(_ ending: SmallExchange.Ending) {
        guard case .answered(let head, _) = ending else {
            // To the deaf, the server closed without a word, and not for the first time.
            if case .unheard = ending { return fail() }
            return again { [weak self] in self?.goOn() }
        }
        switch head.status {
        case 204: takeOffset(head)
        case 409 where !habits.asksForOffset: fail()
        case 404, 410: createOnceMore()
        case let status where Self.isPassing(status) || status == 409:
            again(after: head) { [weak self] in self?.goOn() }
        default: fail()
        }
    }

    /// Finds out where the server is and sends what it has not.
    private func goOn() {
        guard let upload, habits.remembersUpload else { return create() }
        guard habits.asksForOffset else { return append(from: sourceOffset) }
        send("HEAD", upload, Self.version) { [weak self] in self?.takeStatus($0) }
    }

    private func takeStatus(_ ending: SmallExchange.Ending) {
        guard case .answered(let head, _) = ending else {
            return again { [weak self] in self?.goOn() }
        }
        switch head.status {
        case 200, 204: takeOffset(head)
        case 404, 410: createOnceMore()
        case let status where Self.isPassing(status):
            again(after: head) { [weak self] in self?.goOn() }
        default: fail()
        }
    }

    private func takeOffset(_ head: ResponseHead) {
        guard let offset = head.fields["Upload-Offset"].flatMap({ Int($0) }),
            (0...content.count).contains(offset)
        else {
            return fail()
        }
        // A drained source has nothing more to give, which looks like the end of the work.
        let isDone =
            offset == content.count || (!habits.rewindsSource && sourceOffset == content.count)
        if isDone { succeed() } else { append(from: offset) }
    }

    /// The upload is gone, so that only a new one can do; twice is no accident.
    private func createOnceMore() {
        guard creations < 3 else { return fail() }
        again { [weak self] in self?.create() }
    }
}
