internal import Basics
internal import Faults
internal import HTTPWire
internal import Journal
internal import SystemIO

/// Makes the journal's records of what passes on one connection.
struct MessageRecorder {
    private let connection: ConnectionID
    private let startedAt: Instant
    /// Of the messages whose content is passing, by their request.
    private var up: [UInt32: ContentDigest] = [:]
    private var down: [UInt32: ContentDigest] = [:]

    /// - Parameters:
    ///   - connection: whose messages these are.
    ///   - startedAt: when the run began, on the clock of the loop.
    init(_ connection: ConnectionID, startedAt: Instant) {
        self.connection = connection
        self.startedAt = startedAt
    }

    /// Adds content that passes now, or that is received in place of the server.
    mutating func digest(
        _ bytes: Span<UInt8>,
        _ direction: Direction,
        of request: UInt32,
        now: Instant
    ) {
        let time = Instant.start + now.elapsed(since: startedAt)
        if direction == .up {
            up[request, default: ContentDigest(hasPrefix: true)]
                .add(bytes, at: time)
        } else {
            down[request, default: ContentDigest(hasPrefix: false)]
                .add(bytes, at: time)
        }
    }

    /// The record of something that was seen; nil if none is made of it.
    mutating func record(
        _ note: GateNote,
        isExact: Bool,
        _ redaction: inout Redaction
    ) -> JournalRecord? {
        switch note {
        case .request(let r, let head, let framing, let size, let isRacy):
            .request(
                RequestReport(
                    exchange(r),
                    method: head.method,
                    target: redaction.target(head.target),
                    framing: ReportedFraming(framing),
                    headBytes: head.steadySize(size),
                    fields: redaction.fields(head.fields.pairs),
                    isRacy: isRacy,
                    isStream: head.version == .http2
                )
            )
        case .interim(let r, let ordinal, let head, let size, let isByFault):
            .response(
                head,
                ResponseReport(
                    exchange(r),
                    status: head.status,
                    headBytes: size,
                    fields: redaction.fields(head.fields.pairs),
                    interimOrdinal: ordinal,
                    isByFault: isByFault
                )
            )
        case .response(let r, let head, let framing, let size, let isByFault):
            .response(
                head,
                ResponseReport(
                    exchange(r),
                    status: head.status,
                    framing: ReportedFraming(framing),
                    headBytes: size,
                    fields: redaction.fields(head.fields.pairs),
                    isByFault: isByFault
                )
            )
        case .body(let body): .body(report(body, isExact: isExact || body.isComplete))
        case .messages(let note): .messages(report(note, isExact: isExact))
        case .opaque(let direction, let reason):
            .opaque(
                OpaqueReport(
                    connection,
                    direction == .up ? .request : .response,
                    reason: reason.description
                )
            )
        case .draw, .fired, .unreached, .happened, .hinted, .knowsGoAway, .lateStream: nil
        }
    }

    private func exchange(_ r: UInt32) -> ExchangeID { ExchangeID(connection, ordinal: r) }

    private func report(_ note: MessagesNote, isExact: Bool) -> MessagesReport {
        var report = MessagesReport(
            exchange(note.request),
            note.direction == .up ? .request : .response,
            MessagesReport.Kind(note.kind),
            count: note.count,
            partialBytes: note.partialBytes,
            isExact: isExact,
            isWhole: note.isWhole,
            closeCode: note.closeCode,
            lastID: note.hint.id,
            retryMilliseconds: note.hint.retryMilliseconds
        )
        report.status = note.status?.code
        report.pushbackMilliseconds = note.status?.pushbackMilliseconds
        return report
    }

    private mutating func report(_ body: BodyNote, isExact: Bool) -> BodyReport {
        let known =
            body.direction == .up
            ? up.removeValue(forKey: body.request) : down.removeValue(forKey: body.request)
        let content = (known ?? ContentDigest(hasPrefix: body.direction == .up)).result
        return BodyReport(
            exchange(body.request),
            body.direction == .up ? .request : .response,
            bytes: body.bytes,
            isExact: isExact,
            isComplete: body.isComplete,
            digest: isExact ? content.digest : nil,
            prefixDigest: content.prefixDigest,
            chunkEdges: body.chunkEdges,
            firstByteAt: content.firstByte
        )
    }
}

extension MessagesReport.Kind {
    fileprivate init(_ kind: MessageKind) {
        self =
            switch kind {
            case .webSocket: .webSocket
            case .event: .event
            case .grpc: .grpc
            }
    }
}

extension JournalRecord {
    fileprivate static func response(_ head: ResponseHead, _ report: ResponseReport) -> Self {
        var report = report
        report.headEdges = head.edges(in: report.headBytes)
        return .response(report)
    }
}

/// The digest of one message's content, and of its beginning.
private struct ContentDigest {
    private static let prefixBytes = 65_536

    private let hasPrefix: Bool
    private var all: Digest?
    private var prefix: Digest?
    private var prefixCount = 0
    private var firstByte: Instant?

    init(hasPrefix: Bool) { self.hasPrefix = hasPrefix }

    mutating func add(_ bytes: Span<UInt8>, at time: Instant) {
        let digest = all ?? Digest(.sha256)
        all = digest
        if firstByte == nil { firstByte = time }
        if hasPrefix, prefixCount < Self.prefixBytes {
            let count = min(bytes.count, Self.prefixBytes - prefixCount)
            let start = prefix ?? Digest(.sha256)
            prefix = start
            start.update(bytes.extracting(first: count))
            prefixCount += count
        }
        digest.update(bytes)
    }

    /// What the message came to.
    var result: (digest: String?, prefixDigest: String?, firstByte: Instant?) {
        let empty = Digest(.sha256)
        let digest = HexadecimalText.encode((all ?? empty).value)
        let start = hasPrefix ? HexadecimalText.encode((prefix ?? empty).value) : nil
        return (digest, start, firstByte)
    }
}

extension ReportedFraming {
    fileprivate init(_ framing: MessageFraming) {
        self =
            switch framing {
            case .none: .none
            case .length(let count): .length(UInt64(count))
            case .chunked: .chunked
            case .untilClose: .close
            }
    }
}

extension HeaderFields {
    fileprivate var pairs: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }
}

extension RequestHead {
    /// The size of this head without the time that is left to a gRPC call.
    ///
    /// Its text differs from run to run, as in `8S` and `7999m`.
    fileprivate func steadySize(_ size: UInt64) -> UInt64 {
        size - min(size, UInt64(fields["grpc-timeout"]?.utf8.count ?? 0))
    }
}
