internal import HTTPWire

/// The body of one request on its way into an upload.
struct BodyReception: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case creation
        case append
        /// To a complete upload: must turn out to be empty.
        case replay
    }

    /// How reading ends, once it does.
    enum Ending: Hashable, Sendable {
        case complete(trailers: HeaderFields)
        case connectionLost
        /// Another request has taken the upload over.
        case overtaken
        case refused(UploadRefusal)
    }

    let exchange: ExchangeID
    let kind: Kind
    let isLast: Bool
    /// Offset of the first byte of the body.
    let begin: UInt64
    let body: BodyLength
    /// Bytes of the body that may be stored, and the refusal of one more.
    let room: UInt64
    let excess: UploadRefusal
    var check: BodyCheck?
    /// Between progress 104s; nil for none.
    private var interval: ProgressInterval?
    /// The offset that is reported next.
    private var nextProgress: UInt64

    /// Bytes handed over to be written, and of those the ones that are.
    private(set) var accepted: UInt64 = 0
    private(set) var written: UInt64 = 0
    var ending: Ending?

    init(
        exchange: ExchangeID,
        kind: Kind,
        isLast: Bool,
        begin: UInt64,
        body: BodyLength,
        room: UInt64,
        excess: UploadRefusal,
        check: BodyCheck?,
        interval: ProgressInterval?
    ) {
        self.exchange = exchange
        self.kind = kind
        self.isLast = isLast
        self.begin = begin
        self.body = body
        self.room = room
        self.excess = excess
        self.check = check
        self.interval = interval
        nextProgress = self.interval?.next(after: begin) ?? .max
    }

    var isStaged: Bool { check != nil }
    var isReading: Bool { ending == nil }
    /// Whether nobody waits for an answer.
    var isAbandoned: Bool { ending == .overtaken || ending == .connectionLost }
    /// Whether nothing is under way to the disk.
    var isSettled: Bool { written == accepted }

    /// Takes of `count` bytes what there is room for.
    ///
    /// - Returns: the bytes to store.
    mutating func accept(_ count: UInt64) -> UInt64 {
        let stored = min(count, room - accepted)
        accepted += stored
        if stored < count { ending = .refused(excess) }
        return stored
    }

    mutating func wrote(_ count: UInt64) {
        precondition(count <= accepted - written, "more bytes were written than handed over")
        written += count
    }

    /// Ends after a failed write: what was handed over behind it does not count.
    mutating func fail(_ refusal: UploadRefusal) {
        accepted = written
        if !isAbandoned { ending = .refused(refusal) }
    }

    /// The offsets to report now that the upload has reached `offset`.
    ///
    /// They lie at their intervals from the beginning on, whatever the sizes of reads and writes.
    /// The end of the body is not among them; where it is not known yet, an offset is
    /// reported when a byte behind it is stored.
    mutating func progress(to offset: UInt64) -> [UInt64] {
        guard interval != nil, !isStaged else { return [] }
        var offsets: [UInt64] = []
        while nextProgress < offset || (nextProgress == offset && hasMore(after: offset)) {
            offsets.append(nextProgress)
            nextProgress = interval?.next(after: nextProgress) ?? .max
        }
        return offsets
    }

    private func hasMore(after offset: UInt64) -> Bool {
        body.bytes.map { offset < begin + $0 } ?? false
    }
}
