internal import Basics

/// One stream's packets on their way to the shared queue: loss, delay and jitter.
struct PropagationPath {
    /// What became of a packet.
    enum Fate {
        case lost
        /// It is on its way, behind no other of its path.
        case travels
        /// It is kept behind others of its path.
        case follows
    }

    // What each packet needs comes first; a loss process is large.
    private var lastArrival = Instant.start
    private var delay: Duration
    /// What did not fit into the direction's `ArrivalLine`, in order of `due`; jitter never reorders
    /// a stream.
    private(set) var packets = Ring<Packet>()
    private var jitter: JitterProcess
    private var indexer: PacketIndexer
    private var loss: LossProcess

    init(
        path: PathSettings,
        indexing: PacketIndexing,
        random: AddressedRandom,
        key: UInt64,
        direction: Direction
    ) {
        indexer = PacketIndexer(indexing: indexing)
        delay = path.delay
        loss = LossProcess(
            model: path.loss,
            indexing: indexing,
            random: random,
            key: key,
            direction: direction
        )
        jitter = JitterProcess(
            jitter: path.jitter,
            random: random,
            key: key,
            direction: direction
        )
    }

    /// Changes the physics for packets that enter from now on; indexes go on counting.
    mutating func apply(_ other: PropagationPath) {
        loss = other.loss
        jitter = other.jitter
        delay = other.delay
    }

    /// When the next packet reaches the queue.
    var nextArrival: Instant { packets.isEmpty ? .never : packets[packets.first].due }

    /// Decides on a packet that enters at `now`: its index, and its arrival if it is not lost.
    mutating func enter(_ outgoing: inout Outgoing, at now: Instant) -> Fate {
        let index = indexer.next(for: outgoing)
        outgoing.packet.index = index
        if loss.loses(outgoing, index: index) { return .lost }
        let travel = max(.zero, delay + jitter.extra(at: index))
        lastArrival = max(lastArrival, now + travel)
        outgoing.packet.due = lastArrival
        if packets.isEmpty { return .travels }
        packets.append(outgoing.packet)
        return .follows
    }

    /// Keeps a packet that travels and overtakes others of its direction.
    mutating func append(_ packet: Packet) { packets.append(packet) }

    /// Gives a packet its index although it meets an outage.
    mutating func skip(_ outgoing: inout Outgoing) {
        outgoing.packet.index = indexer.next(for: outgoing)
    }

    mutating func arrive() -> Packet { packets.removeFirst() }

    mutating func removeAll() { packets.removeAll() }
}
