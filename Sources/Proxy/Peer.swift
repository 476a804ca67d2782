internal import Libuv

/// One socket of a session, with what its edge-triggered reports said so far.
struct Peer: ~Copyable {
    var socket: Socket
    var token = WatchToken.none
    /// Whether a read might find something.
    var isReadable = false
    /// Whether a write might be taken.
    var isWritable = false
    /// Whether the peer has ended or failed, so that even a short read must be tried again.
    var hasHungUp = false
    /// Whether it was reset.
    var isBroken = false
    /// Whether its last byte was read.
    var hasEnded = false
    /// Whether we have sent our last byte to it.
    var isShut = false

    init(_ socket: consuming Socket) { self.socket = socket }

    mutating func note(_ readiness: Readiness) {
        if readiness.isReadable { isReadable = true }
        if readiness.isWritable { isWritable = true }
        if readiness.hasEnding { hasHungUp = true }
        if readiness.isFailure { isBroken = true }
    }

    /// Sends a FIN, once.
    mutating func shutDown() {
        guard !isShut else { return }
        isShut = true
        socket.shutdownWriting()
    }
}
