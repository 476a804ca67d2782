internal import HTTPWire

/// One upload resource: takes events, says what to do, does nothing itself.
///
/// The driver holds one per identifier and drives it so:
///
/// 1. `UploadRequest(head, to:settings:at:)` reads a request. A `.create` makes a resource by
///    `create`; a `.resource(identifier)` goes to `request` of the resource, or to `missing` if
///    there is none.
/// 2. Every call returns actions. They are carried out in order, each finished before the next; a
///    `persist` is durable before what follows it. Actions of two calls are not interleaved.
/// 3. After `read` the driver reads the body and reports `received` for every piece (writing what
///    `store` says), `bodyEnded` when the declared length or the last chunk is there, or
///    `connectionLost`. It reports `wrote` in the order of the stores, and after a failed write
///    nothing more but `writeFailed`, once. How far reading may run ahead of writing is the
///    driver's choice.
/// 4. A file is written at the given offsets, never appended to. After a restart `restored` takes
///    the record and the size of the file.
///
/// One request at a time owns the upload. A later one stops its reading, waits for what is being
/// written, resets its connection and only then looks at the offset: there is nothing to lock.
/// Events of an exchange that owns nothing any more change nothing, so no report can come too late;
/// actions for an exchange whose connection is lost are dropped by the driver.
///
/// The offset moves when bytes are written (or, with a digest to check, when they have passed) and
/// never falls. Completion is entered once, when a last request was received in full; for tus when
/// the offset is the length. A misbehaving server drops actions, such as `interim`, or calls
/// `lose`.
package struct UploadResource: Sendable {
    package internal(set) var record: UploadRecord
    private(set) var settings: UploadSettings
    var phase = Phase.idle
    /// The time of the latest request, for answers that leave later.
    var now = 0
    /// The digest of the whole that the client asked for.
    var provenDigest: ExpectedDigest?
    /// The request that took over, while the running write ends.
    var successor: Arrival?
    /// What is forgotten when the running request has ended.
    var pendingLoss: UploadLoss?
    /// When an upload that its target did not get is handed on again.
    var nextForwarding: ForwardingTime?

    /// Takes less or more from now on: misbehaviour.
    package mutating func limit(to limits: UploadLimits) { settings.limits = limits }

    /// A request that has come, and when (seconds since 1970).
    struct Arrival: Hashable, Sendable {
        let head: RequestHead
        let exchange: ExchangeID
        let now: Int
    }

    /// Who waits for the outcome, if anybody does, and how it is to be worded.
    struct Owner: Hashable, Sendable {
        let exchange: ExchangeID
        let isCreation: Bool
        let hadContent: Bool
        /// Whether its body, which must be empty, was not read.
        var isUnread = false
    }

    enum Phase: Hashable, Sendable {
        case idle
        case receiving(BodyReception)
        /// Digests of staged bytes are being computed.
        case checking(BodyReception)
        /// Staged bytes are being copied into the upload.
        case moving(BodyReception)
        case concatenating(Owner?)
        /// Digests of the whole are being computed.
        case verifying(Owner?)
        /// The target works on the complete upload.
        case finalising(Owner?)
    }

    init(record: UploadRecord, settings: UploadSettings) {
        self.record = record
        self.settings = settings
    }

    var table: ResponseBuilder { ResponseBuilder(dialect: record.dialect, settings: settings) }
    var rules: DraftRules? { record.dialect.version.map(DraftRules.of) }

    /// The exchange that owns the upload; nil if none does.
    package var owner: ExchangeID? {
        switch phase {
        case .idle: nil
        case .receiving(let reception), .checking(let reception), .moving(let reception):
            reception.exchange
        case .concatenating(let owner), .verifying(let owner), .finalising(let owner):
            owner?.exchange
        }
    }
}
