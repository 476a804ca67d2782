internal import SystemIO

/// One socket of a connection, with what its edge-triggered reports said so far.
final class Peer {
    /// How the socket is dealt with.
    enum Leg {
        case active
        /// Our end was sent; what comes is thrown away until the peer ends too.
        case discarding
        /// Open and dumb: nothing is read or written. Ends with the client.
        case silent
        /// Silent until this peer itself goes away.
        case halfOpen
        case closed

        var isSilent: Bool { self == .silent || self == .halfOpen }
    }

    var socket: Socket
    var token = WatchToken.none
    var leg = Leg.active
    /// Whether a read might find something.
    var isReadable = false
    /// Whether the arrival of bytes is not reported, because they are known and cannot be taken.
    private(set) var isMuted = false
    /// Whether a write might be taken.
    var isWritable = false
    /// Whether the peer has ended or failed, so that even a short read must be tried again.
    var hasHungUp = false
    /// Whether both it and we have sent our last byte, or it is gone altogether.
    var isCutOff = false
    /// Whether it was reset.
    var isBroken = false
    /// Whether its first bytes are a record of TLS; nil until some were read.
    private(set) var speaksTLS: Bool?
    /// How to ask for what it has not read; nil until that was asked.
    private var question: SocketDiagnosis.Question?
    /// Whether it is not on this machine.
    private var isElsewhere = false
    /// The largest window that it announced to us.
    private var largestWindow = 0
    /// Four segments of Ethernet.
    private static let negligible = 5_840
    /// Whether its last byte was read.
    var hasEnded = false
    /// Whether we have sent our last byte to it.
    var isShut = false
    /// TLS with it; nil if it speaks plainly.
    var secure: SecureLeg?
    /// Whether our last byte follows once the ciphertext before it has gone.
    private var shutsWhenFlushed = false

    init(_ socket: consuming Socket) { self.socket = socket }

    /// Whether it takes part as before, and nothing points to its end.
    var isUntroubled: Bool { leg == .active && !hasHungUp && !isBroken && !hasEnded }

    func note(_ readiness: Readiness) {
        if readiness.isReadable { isReadable = true }
        if readiness.isWritable { isWritable = true }
        if readiness.hasEnding { hasHungUp = true }
        if readiness.isHangUp { isCutOff = true }
        if readiness.isFailure { isBroken = true }
    }

    /// Notes that a read of `asked` bytes gave the first `count` in a buffer.
    ///
    /// A stream socket that gave less than asked for is empty (epoll(7)), unless its end or error
    /// still waits to be read.
    func noteRead(_ count: Int, asked: Int, in buffer: TransferBuffer) {
        if count < asked, !hasHungUp { isReadable = false }
        if speaksTLS == nil {
            speaksTLS = buffer.withBytes(0..<1) { Self.openings.contains($0[0]) }
        }
    }

    /// What TLS begins with: an alert or a handshake record, RFC 8446 §5.1.
    private static let openings: ClosedRange<UInt8> = 0x15...0x16

    /// Sets whether the arrival of bytes goes unreported.
    func mute(_ mutes: Bool, on loop: EventLoop) {
        guard isMuted != mutes else { return }
        isMuted = mutes
        loop.reportArrivals(!mutes, at: socket, token)
    }

    /// Bytes that the peer's kernel has not acknowledged; 0 once the socket is closed or broken.
    var untakenBytes: Int {
        guard socket.isOpen, !isBroken else { return 0 }
        return (secure?.outgoing.count ?? 0) + (socket.isUnix ? 0 : socket.unacknowledgedBytes)
    }

    /// Measures the bytes that we have written and the peer's application has not read.
    ///
    /// Of a peer on this machine the kernel knows. What another kernel keeps shows in the window that
    /// it announces, which is so much smaller than it was at its largest; a few segments are nothing,
    /// for a reader takes them in pieces.
    func measureUnread(with diagnosis: SocketDiagnosis) -> Int {
        let untaken = untakenBytes
        guard socket.isOpen, !isBroken else { return 0 }
        if let unread = unreadHere(diagnosis) { return untaken + unread }
        guard let window = socket.peerWindow else { return untaken }
        largestWindow = max(largestWindow, window)
        let unread = largestWindow - window
        return untaken + (unread > Self.negligible ? unread : 0)
    }

    /// Nil once the peer was not found on this machine.
    private func unreadHere(_ diagnosis: SocketDiagnosis) -> Int? {
        guard !isElsewhere else { return nil }
        if question == nil, let peer = socket.peerAddress, let own = socket.localAddress {
            question = SocketDiagnosis.Question(about: peer, connectedTo: own)
        }
        let unread = question.flatMap(diagnosis.unreadBytes)
        isElsewhere = unread == nil
        return unread
    }

    /// Whether no ciphertext waits to be written.
    var isFlushed: Bool { secure?.outgoing.isEmpty ?? true }

    /// Whether the peer's kernel has acknowledged everything.
    ///
    /// A Unix socket hands bytes over at once and keeps them when it is closed.
    var hasTakenAll: Bool {
        guard socket.isOpen, !isBroken, isFlushed else { return false }
        return socket.isUnix || socket.unacknowledgedBytes == 0
    }

    /// Sends a FIN, once.
    func shutDown() {
        guard !isShut else { return }
        isShut = true
        if isFlushed { socket.shutdownWriting() } else { shutsWhenFlushed = true }
    }

    /// Writes ciphertext that waits, as far as the kernel takes it.
    func flush() {
        guard let secure, !secure.outgoing.isEmpty, socket.isOpen else { return }
        while isWritable, !isBroken, !secure.outgoing.isEmpty {
            switch secure.send(to: socket) {
            case .moved: break
            case .wouldBlock: isWritable = false
            case .ended, .failed: isBroken = true
            }
        }
        if shutsWhenFlushed, isFlushed {
            shutsWhenFlushed = false
            socket.shutdownWriting()
        }
    }

    /// Gives the socket to somebody else, who watches it from now on; here it is closed.
    func surrender() -> Socket {
        leg = .closed
        var taken = Socket()
        swap(&taken, &socket)
        return taken
    }

    /// Closes the socket; with a reset if so asked.
    func close(resetting: Bool, on loop: EventLoop) {
        guard leg != .closed || socket.isOpen else { return }
        leg = .closed
        loop.unwatch(token)
        if resetting { socket.reset() } else { socket.close() }
    }
}
