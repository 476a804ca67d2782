internal import HTTPTransport
internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// Whoever takes the body of a request.
protocol BodyReceiver: AnyObject {
    /// Bytes have come; `BodyPipe.finished` says that they are dealt with.
    func bodyCame(_ bytes: BodyBytes, through pipe: BodyPipe)

    /// All bytes have come.
    func bodyEnded(trailers: HeaderFields, through pipe: BodyPipe)

    /// The connection is gone; what had come has been handed over.
    func bodyLost(through pipe: BodyPipe)
}

/// Takes a body from a connection to its receiver: while one piece is being dealt with, the next is
/// collected.
final class BodyPipe {
    /// Of whose request the body is.
    let identifier: ExchangeID
    /// Nil once it is over, which may be before the receiver is done with the last piece.
    private weak var exchange: OriginExchange?
    private weak var receiver: (any BodyReceiver)?
    private let pool: BufferPool
    private var memory: PooledBuffer?
    /// The bytes of `memory` that have come and were not handed over.
    private var collected = 0..<0
    /// Full buffers before these.
    private var full = BodyBytes()
    private var size = 0
    /// Pieces that the receiver has not finished.
    private var outstanding = 0
    private var isPulling = false
    private var isOpen = true

    /// Less room than this is not worth a read.
    private static let leastRoom = 4_096
    /// So many full buffers may wait for the receiver: where a busy machine lets a piece wait long for
    /// the disk's thread, the next one is larger.
    private static let mostFull = 7

    init(_ exchange: OriginExchange, to receiver: any BodyReceiver, pool: BufferPool) {
        identifier = exchange.identifier
        self.exchange = exchange
        self.receiver = receiver
        self.pool = pool
    }

    /// Whether nothing of what it has read waits for the receiver.
    var hasHandedOver: Bool { outstanding == 0 && collected.isEmpty && full.pieces.isEmpty }

    /// Begins to read.
    func start() { pull() }

    /// Hands over what has come and reads no more.
    func stop() {
        guard isOpen else { return }
        isOpen = false
        handOver()
    }

    /// Reads no more and forgets what has come.
    func discard() {
        isOpen = false
        collected = 0..<0
        full = BodyBytes()
        memory = nil
    }

    /// Takes note that the connection is gone.
    func lost() {
        guard isOpen else { return }
        isOpen = false
        handOver()
        receiver?.bodyLost(through: self)
    }

    /// Takes note that the receiver is done with a piece.
    func finished() {
        outstanding -= 1
        guard isOpen else { return }
        if outstanding == 0 { handOver() }
        pull()
    }

    private func pull() {
        guard isOpen, !isPulling, let exchange, let memory = room() else { return }
        let room = collected.upperBound..<memory.buffer.capacity
        isPulling = true
        exchange.pull(into: memory, from: room.lowerBound, limit: room.count) {
            [weak self] piece in
            self?.isPulling = false
            self?.take(piece, room: room.count)
        }
    }

    /// The memory to read into; nil if too much waits for the receiver.
    private func room() -> PooledBuffer? {
        if let memory {
            if memory.buffer.capacity - collected.upperBound >= Self.leastRoom { return memory }
            if !collected.isEmpty {
                guard full.pieces.count < Self.mostFull, pool.hasRoom(size: size) else {
                    return nil
                }
                full.append(memory, collected)
            }
        }
        let fresh = pool.take(size: size)
        memory = fresh
        collected = 0..<0
        return fresh
    }

    private func take(_ piece: BodyPiece, room: Int) {
        guard isOpen else { return }
        switch piece {
        case .bytes(let range):
            collected = collected.lowerBound..<range.upperBound
            adapt(to: range.count, of: room)
            if outstanding == 0 { handOver() }
            pull()
        case .end(let trailers):
            isOpen = false
            handOver()
            receiver?.bodyEnded(trailers: trailers, through: self)
        }
    }

    /// A read that filled its room asks for more, one that came to little for less.
    private func adapt(to count: Int, of room: Int) {
        if count == room {
            size = min(size + 1, BufferPool.sizes.count - 1)
        } else if count * 16 < BufferPool.sizes[size] {
            size = max(size - 1, 0)
        }
    }

    private func handOver() {
        guard let memory else { return }
        var bytes = full
        bytes.append(memory, collected)
        guard bytes.count > 0 else { return }
        full = BodyBytes()
        collected = collected.upperBound..<collected.upperBound
        outstanding += 1
        receiver?.bodyCame(bytes, through: self)
    }
}
