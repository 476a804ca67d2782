internal import SystemIO

/// One direction of a connection that is neither shaped nor faulted: bytes are passed on as they come.
///
/// Large reads switch to `splice`, which moves pages between sockets without copying them; small
/// ones are read and written through one buffer, which takes fewer and cheaper system calls.
final class SplicedFlow {
    /// What the receiver did not accept, in copy mode.
    private var rest: ByteQueue
    /// Lent while bytes are inside.
    private var pipe: Pipe?
    private var prefersSplice = false
    /// Bytes that the receiver's kernel has accepted.
    private(set) var bytes: UInt64 = 0
    /// Bytes that were read from the sender.
    private(set) var received: UInt64 = 0

    /// A read of at least this many bytes is worth the two system calls of `splice`.
    private static let spliceThreshold = 32_768
    /// After that many steps the other connections have their turn.
    private static let stepsPerTurn = 8

    enum Outcome {
        /// Nothing to do until a socket reports.
        case blocked
        /// The turn was used up.
        case more
        case failed
    }

    init(pool: ChunkPool) { rest = ByteQueue(pool: pool) }

    /// Bytes read and not yet accepted by the receiver.
    var waiting: Int { rest.count + (pipe?.count ?? 0) }

    /// Moves what can be moved now, and reads until that is `share` bytes or more, twice as many at most.
    func pump(
        from source: Peer,
        to target: Peer,
        with tools: TransferTools,
        share: Int
    ) -> Outcome {
        let limit = received &+ UInt64(share)
        for _ in 0..<Self.stepsPerTurn {
            if waiting > 0 {
                guard target.isWritable else { return .blocked }
                guard flush(to: target, tools) else { return .failed }
                continue
            }
            guard source.isReadable, !source.hasEnded, target.isWritable else { return .blocked }
            guard received < limit else { return .more }
            guard read(share, from: source, to: target, tools) else { return .failed }
        }
        return .more
    }

    /// Gives what waits, and the count, to a flow behind a gate.
    func hand(over flow: GatedFlow, _ tools: TransferTools) {
        while let pipe, pipe.count > 0 {
            guard case .moved(let count) = pipe.read(into: tools.buffer) else { break }
            flow.append(tools.buffer, count: count, isOnLink: false)
        }
        while !rest.isEmpty {
            let count = rest.read(into: tools.buffer)
            flow.append(tools.buffer, count: count, isOnLink: false)
        }
        flow.takeOver(delivered: bytes, received: received)
        discard(tools)
    }

    /// Gives a pipe back; what is inside is lost.
    func discard(_ tools: TransferTools) {
        if let pipe { tools.pipes.give(back: pipe) }
        pipe = nil
        rest.drop(rest.count)
    }

    private func read(
        _ limit: Int,
        from source: Peer,
        to target: Peer,
        _ tools: TransferTools
    ) -> Bool {
        if prefersSplice, let pipe = tools.pipes.take() {
            return splice(limit, through: pipe, from: source, to: target, tools)
        }
        return copy(limit, from: source, to: target, tools)
    }

    private func copy(
        _ limit: Int,
        from source: Peer,
        to target: Peer,
        _ tools: TransferTools
    ) -> Bool {
        let asked = min(limit, tools.buffer.capacity)
        switch source.socket.receive(into: tools.buffer, limit: asked) {
        case .moved(let count):
            source.noteRead(count, asked: asked, in: tools.buffer)
            received &+= UInt64(count)
            prefersSplice = tools.usesSplice && count >= Self.spliceThreshold
            return write(count, to: target, tools)
        case .wouldBlock: source.isReadable = false
        case .ended: source.hasEnded = true
        case .failed:
            source.isBroken = true
            return false
        }
        return true
    }

    private func write(
        _ count: Int,
        to target: Peer,
        _ tools: TransferTools
    ) -> Bool {
        var sent = 0
        switch target.socket.send(tools.buffer, from: 0, count: count) {
        case .moved(let moved): sent = moved
        case .wouldBlock: break
        case .ended, .failed:
            target.isBroken = true
            return false
        }
        bytes &+= UInt64(sent)
        guard sent < count else { return true }
        target.isWritable = false
        rest.append(tools.buffer, from: sent, count: count - sent)
        return true
    }

    private func splice(
        _ limit: Int,
        through pipe: Pipe,
        from source: Peer,
        to target: Peer,
        _ tools: TransferTools
    ) -> Bool {
        self.pipe = pipe
        let result = pipe.fill(from: source.socket, limit: min(limit, pipe.capacity))
        guard case .moved(let count) = result else {
            releasePipe(tools)
            switch result {
            case .wouldBlock: source.isReadable = false
            case .ended: source.hasEnded = true
            default:
                source.isBroken = true
                return false
            }
            return true
        }
        received &+= UInt64(count)
        if count < Self.spliceThreshold { prefersSplice = false }
        return flush(to: target, tools)
    }

    private func flush(to target: Peer, _ tools: TransferTools) -> Bool {
        let result =
            if let pipe { pipe.drain(into: target.socket) } else {
                rest.send(to: target.socket, limit: .max)
            }
        switch result {
        case .moved(let count): bytes &+= UInt64(count)
        case .wouldBlock: target.isWritable = false
        case .ended, .failed:
            target.isBroken = true
            return false
        }
        if let pipe, pipe.count == 0 { releasePipe(tools) }
        return true
    }

    private func releasePipe(_ tools: TransferTools) {
        if let pipe { tools.pipes.give(back: pipe) }
        pipe = nil
    }
}

/// What all flows of a proxy share to move bytes.
final class TransferTools {
    let buffer: TransferBuffer
    let pipes = PipePool()
    let chunks: ChunkPool
    let usesSplice: Bool

    init(_ limits: ProxyLimits, chunks: ChunkPool) {
        self.chunks = chunks
        buffer = TransferBuffer(capacity: limits.copyBufferBytes)
        usesSplice = Pipe.isAvailable && limits.usesSplice
    }
}
