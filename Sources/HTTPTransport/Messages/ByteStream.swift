internal import SystemIO

/// Why a stream has failed.
enum StreamFailure: Error, Hashable, Sendable {
    case system(SystemError)
    case tls(TLSError)
    /// TLS ended without saying so: what came may be cut.
    case truncated
}

/// What came of moving bytes through a stream.
enum StreamResult {
    /// So many, at least one.
    case moved(Int)
    case wouldBlock
    /// The peer has sent its last byte, and has said so.
    case ended
    case failed(StreamFailure)
}

/// A connection's bytes, as plaintext, whether or not TLS is in between.
///
/// It remembers whether reading and writing would block, so that a call that cannot move anything
/// costs nothing; `note` tells it what the loop has reported.
final class ByteStream {
    private var socket: Socket
    private var token = WatchToken.none
    private let loop: EventLoop
    private let buffers: StreamBuffers
    private let tls: TLSSession?
    /// Ciphertext that the socket did not take.
    private var unsent: [UInt8] = []
    private var unsentStart = 0

    private(set) var canRead = true
    private(set) var canWrite = true
    /// The peer has shut down its sending half, or more; there may be bytes before that.
    private(set) var hasPeerEnded = false
    /// The socket has failed; there may be bytes before that.
    private(set) var hasFailed = false
    /// Bytes that the kernel has taken, ciphertext included.
    private(set) var sentBytes = 0
    /// Bytes that the kernel has given, ciphertext included.
    private(set) var receivedBytes = 0
    /// What a send has failed with, unless the peer had ended before.
    private var sendFailure: StreamFailure?

    init(
        _ socket: consuming Socket,
        watched token: WatchToken = .none,
        tls: TLSSession?,
        loop: EventLoop,
        buffers: StreamBuffers
    ) {
        self.socket = socket
        self.token = token
        self.tls = tls
        self.loop = loop
        self.buffers = buffers
    }

    func watch(_ handler: any ReadinessHandler) throws(SystemError) {
        if token == .none {
            token = try loop.watch(socket, handler: handler)
        } else {
            loop.rewatch(token, handler: handler)
        }
    }

    func note(_ readiness: Readiness) {
        if readiness.isReadable { canRead = true }
        if readiness.isWritable || readiness.isFailure { canWrite = true }
        if readiness.hasEnding { hasPeerEnded = true }
        if readiness.isFailure { hasFailed = true }
    }

    var isOpen: Bool { socket.isOpen }
    var isSecure: Bool { tls != nil }
    /// What client and server have agreed to speak by TLS.
    var chosenProtocol: String? { tls?.chosenProtocol }
    var peerAddress: SocketAddress? { socket.peerAddress }
    /// Bytes that the kernel has taken and that the peer's has not acknowledged.
    var unacknowledgedBytes: Int { socket.isOpen ? socket.unacknowledgedBytes : 0 }
    /// Whether bytes have come that nobody has read.
    var hasUnreadBytes: Bool { socket.isOpen && socket.unreadBytes > 0 }
    /// The error that waits on the socket.
    func takeError() -> SystemError? { socket.takeError() }

    // MARK: Ending

    /// Closes; a FIN leaves if everything was read, a reset otherwise.
    func close() {
        loop.unwatch(token)
        token = .none
        socket.close()
    }

    /// Closes with a reset at once: what is under way in either direction is thrown away.
    func reset() {
        loop.unwatch(token)
        token = .none
        socket.reset()
    }

    /// Says that no more comes; `flush` must have answered true.
    func shutdownWriting() {
        if let tls {
            tls.close()
            _ = flush()
        }
        socket.shutdownWriting()
    }

    // MARK: Handshake

    /// Goes on with the TLS handshake; `moved` once the stream carries bytes.
    func establish() -> StreamResult {
        guard let tls else { return .moved(1) }
        while true {
            do throws(TLSError) {
                let isDone = try tls.handshake()
                if case .failed(let failure) = flush() { return .failed(failure) }
                if isDone { return .moved(1) }
            } catch {
                // An alert may tell the peer why.
                _ = flush()
                return .failed(.tls(error))
            }
            switch receiveCiphertext(tls) {
            case .moved: continue
            case .ended: return .failed(.truncated)
            case let other: return other
            }
        }
    }

    // MARK: Receiving

    /// Reads at most `limit` bytes into `buffer` from `start` on.
    func receive(into buffer: TransferBuffer, from start: Int, limit: Int) -> StreamResult {
        guard let tls else { return receivePlain(into: buffer, from: start, limit: limit) }
        while true {
            do throws(TLSError) {
                switch try tls.read(into: buffer, from: start, limit: limit) {
                case .bytes(let count): return .moved(count)
                case .closed: return .ended
                case .needsInput: break
                }
            } catch {
                _ = flush()
                return .failed(.tls(error))
            }
            switch receiveCiphertext(tls) {
            case .moved: continue
            case .ended: return .failed(.truncated)
            case let other: return other
            }
        }
    }

    private func receivePlain(
        into buffer: TransferBuffer,
        from start: Int,
        limit: Int
    ) -> StreamResult {
        guard canRead else { return .wouldBlock }
        let result = StreamResult(socket.receive(into: buffer, from: start, limit: limit))
        switch result {
        // A short read has emptied the socket; the next arrival is reported anew (epoll(7)). An end
        // that was reported already would not be.
        case .moved(let count):
            receivedBytes += count
            if count < limit && !hasPeerEnded { canRead = false }
        case .wouldBlock: canRead = false
        // The kernel tells of a reset once: if a send was told, a read sees a mere end.
        case .ended: if let sendFailure { return .failed(sendFailure) }
        case .failed: break
        }
        return result
    }

    private func receiveCiphertext(_ tls: TLSSession) -> StreamResult {
        let buffer = buffers.cipher
        let result = receivePlain(into: buffer, from: 0, limit: buffer.capacity)
        if case .moved(let count) = result { tls.feed(buffer, count: count) }
        return result
    }

    // MARK: Sending

    /// Writes `count` bytes of `buffer` from `start` on.
    func send(_ buffer: TransferBuffer, from start: Int, count: Int) -> StreamResult {
        guard let tls else {
            guard canWrite else { return .wouldBlock }
            return note(sent: socket.send(buffer, from: start, count: count), of: count)
        }
        return encrypt(tls) { () throws(TLSError) in
            try tls.write(buffer, from: start, count: count)
        }
    }

    /// Writes `bytes` from `start` on; with `moreFollows` they may wait for the next ones.
    func send(_ bytes: [UInt8], from start: Int, moreFollows: Bool) -> StreamResult {
        guard tls != nil else {
            guard canWrite else { return .wouldBlock }
            let result = socket.send(bytes, from: start, moreFollows: moreFollows)
            return note(sent: result, of: bytes.count - start)
        }
        let buffer = buffers.plain
        let piece = Array(bytes[start..<min(bytes.count, start + buffer.capacity)])
        buffer.store(piece, at: 0)
        return send(buffer, from: 0, count: piece.count)
    }

    /// Writes at most `limit` bytes of `file` from `offset` on; `ended` if the file has none there.
    func send(_ file: File, from offset: UInt64, limit: Int) -> StreamResult {
        guard tls != nil else {
            guard canWrite else { return .wouldBlock }
            return note(sent: socket.send(file, from: offset, limit: limit), of: 0)
        }
        switch flush() {
        case .moved: break
        case let other: return other
        }
        let buffer = buffers.plain
        let size = min(limit, Self.recordSize)
        switch file.read(into: buffer, limit: size, at: offset) {
        case .moved(let count): return send(buffer, from: 0, count: count)
        case let other: return StreamResult(other)
        }
    }

    /// Writes ciphertext that waits; `moved` once none does.
    func flush() -> StreamResult {
        guard let tls else { return .moved(1) }
        while true {
            while unsentStart < unsent.count {
                guard canWrite else { return .wouldBlock }
                let count = unsent.count - unsentStart
                switch note(sent: socket.send(unsent, from: unsentStart), of: count) {
                case .moved(let sent): unsentStart += sent
                case let other: return other
                }
            }
            unsent.removeAll(keepingCapacity: true)
            unsentStart = 0
            let count = tls.drain(into: buffers.cipher)
            if count == 0 { return .moved(1) }
            unsent = buffers.cipher.bytes(0..<count)
        }
    }

    /// What one TLS record carries at most.
    private static let recordSize = 16_384

    private func encrypt(
        _ tls: TLSSession,
        _ write: () throws(TLSError) -> Int
    ) -> StreamResult {
        switch flush() {
        case .moved: break
        case let other: return other
        }
        do throws(TLSError) {
            let count = try write()
            if case .failed(let failure) = flush() { return .failed(failure) }
            return count > 0 ? .moved(count) : .wouldBlock
        } catch {
            _ = flush()
            return .failed(.tls(error))
        }
    }

    /// A partial write has filled the socket; that there is room again is reported anew.
    private func note(sent result: TransferResult, of count: Int) -> StreamResult {
        switch result {
        case .moved(let moved):
            sentBytes += moved
            if moved < count { canWrite = false }
        case .wouldBlock: canWrite = false
        // A broken pipe: the peer's FIN came first, and what it sent is whole.
        case .failed(let error) where !error.isClosedPipe: sendFailure = .system(error)
        case .ended, .failed: break
        }
        return StreamResult(result)
    }
}

extension StreamResult {
    fileprivate init(_ result: TransferResult) {
        self =
            switch result {
            case .moved(let count): .moved(count)
            case .wouldBlock: .wouldBlock
            case .ended: .ended
            case .failed(let error): .failed(.system(error))
            }
    }
}
