internal import Basics
internal import SystemIO
internal import Toxics

/// The toxics of one direction of a connection at work: bytes that they hold wait here, before link,
/// gate and receiver.
final class ToxicFlow {
    /// The clock is the loop's.
    var chain: ToxicChain
    private var queue: ByteQueue
    /// The first bytes of the queue that may go on.
    private(set) var released = 0
    /// Bytes that have gone on so far, for the journal.
    private(set) var passedBytes: UInt64
    private let memory: ToxicMemory

    /// - Parameters:
    ///   - chain: begins now.
    ///   - pool: for the bytes that wait.
    ///   - memory: what all toxics may hold together.
    ///   - passedBytes: what went on before there were toxics.
    init(_ chain: ToxicChain, pool: ChunkPool, memory: ToxicMemory, passedBytes: UInt64) {
        self.chain = chain
        self.memory = memory
        self.passedBytes = passedBytes
        queue = ByteQueue(pool: pool)
    }

    deinit { memory.usedBytes -= queue.count }

    /// Bytes that wait.
    var count: Int { queue.count }

    /// Whether bytes need not come here because nothing would happen to them.
    var isTransparent: Bool { queue.isEmpty && chain.isTransparent }

    /// Whether no toxic is left and nothing waits.
    var isEmpty: Bool { queue.isEmpty && chain.isEmpty }

    /// Takes bytes that were read.
    func take(_ buffer: TransferBuffer, count: Int, at time: Instant) {
        queue.append(buffer, from: 0, count: count)
        memory.usedBytes += count
        chain.send(count, at: time)
    }

    /// Notes that the sender has ended.
    func finish(at time: Instant) { chain.finish(at: time) }

    /// Notes that so many further bytes may go on.
    func release(_ count: Int) { released += count }

    /// Moves bytes that may go on to the start of `buffer`; answers how many.
    func move(into buffer: TransferBuffer, limit: Int) -> Int {
        let count = queue.read(into: buffer, limit: min(limit, released))
        released -= count
        passedBytes += UInt64(count)
        memory.usedBytes -= count
        return count
    }

    /// Forgets the first bytes; none before them waits to go on.
    func drop(_ count: Int) {
        precondition(released == 0, "what was released goes first")
        queue.drop(count)
        memory.usedBytes -= count
    }
}

/// What toxics hold back on all connections together.
///
/// A connection may hold much while there is plenty, so that a long delay is not also a low rate.
package final class ToxicMemory {
    /// Beyond it each direction gets `leastBytes`.
    private let totalBytes: Int
    private let mostBytes: Int
    private let leastBytes: Int
    /// Bytes that wait now.
    package internal(set) var usedBytes = 0

    package init(
        totalBytes: Int = 134_217_728,
        mostBytes: Int = 8_388_608,
        leastBytes: Int = 131_072
    ) {
        self.totalBytes = totalBytes
        self.mostBytes = mostBytes
        self.leastBytes = leastBytes
    }

    /// Bytes that one direction of one connection may hold now.
    var limit: Int { usedBytes < totalBytes ? mostBytes : leastBytes }
}
