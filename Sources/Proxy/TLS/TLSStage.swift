internal import Faults
internal import SystemIO

/// How far TLS has come on one connection.
///
/// The client's side stands behind the link, as the server that it imitates would: ciphertext of the
/// client crosses the link before it is opened, and what is said in answer crosses it before the
/// client gets it. So a handshake takes the round trips that it takes on such a path. Content for the
/// client is sealed only when it has crossed the link, with the gate between: a record ends exactly
/// where a fault ends the stream. The link carries the size of the sealed form from the start.
final class TLSStage {
    enum Opening {
        /// Nothing has come from the client.
        case undecided
        case sealed
        case plain
    }

    let terminator: TLSTerminator
    /// Whom the upstream's certificate must be for; nil for an upstream that speaks plainly.
    private(set) var upstreamHost: String?
    /// Whether the upstream is spoken to by TLS only if the client speaks so.
    private let mirrorsClient: Bool
    var opening = Opening.undecided
    /// Bytes of the client on their way over the link.
    var fromClient: ByteQueue
    var toClient = RecordsOnLink()
    /// Whether the upstream's side has begun.
    var hasBegunUpstream = false
    /// Whether one side was given up; what still comes is of no use.
    var hasFailed = false
    /// Whether the end for the client waits for the handshake.
    var isEndHeld = false
    /// What acts while it begins.
    var faults: HandshakeFaults
    /// Whether a fault holds the handshake back.
    var isSuspended = false
    /// Whether the client was answered.
    var hasAnswered = false
    /// The fault that ends the connection once the client can have what was said to it.
    var ending: ArmedFault?
    /// The fault that acts in the record that is sealed next.
    var nextRecord: ArmedFault?
    /// Whether a fault holds back half of a record.
    var isRecordHeld = false
    /// Words for the client that follow that record.
    var heldWords: [UInt8] = []

    init(
        _ terminator: TLSTerminator,
        upstreamHost: String?,
        mirrorsClient: Bool = false,
        faults: [ArmedFault],
        pool: ChunkPool
    ) {
        self.faults = HandshakeFaults(faults)
        self.terminator = terminator
        self.mirrorsClient = mirrorsClient
        self.upstreamHost = upstreamHost
        fromClient = ByteQueue(pool: pool)
    }

    /// The client begins without TLS.
    func openPlainly() {
        opening = .plain
        if mirrorsClient { upstreamHost = nil }
    }
}
