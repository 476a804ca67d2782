package import Basics
package import HTTPWire

/// What a server takes at most, and what it does at each limit.
package struct HTTPServerLimits: Hashable, Sendable {
    /// Connections that are open at the same time.
    ///
    /// At the limit those that have waited longest for a request are closed; if all are busy, new
    /// ones wait in the kernel's backlog.
    package var openConnections = 10_000
    /// Whether, at that limit, connections make room that have not sent a whole head or whose last
    /// answer is given, too, the oldest first.
    ///
    /// For a server whose clients send their heads at once: others cannot keep it from them.
    package var unservedMakeRoom = false
    /// Heads and trailers; longer ones are answered by 414 or 431, then the connection ends.
    package var messages = MessageLimits()
    /// From the first byte of a head (or of a TLS handshake) to its last; then 408 and the end.
    package var headTime = Duration.seconds(10)
    /// How long a connection may wait for a request; then it is closed without a word.
    package var idleTime = Duration.seconds(60)
    /// How long the content of a request may make no progress while somebody waits for it; then
    /// 408 and the end.
    package var bodyProgressTime = Duration.seconds(60)
    /// How long a client may take (and acknowledge) no byte of a response; then a reset.
    package var sendProgressTime = Duration.seconds(120)
    /// What is still read and thrown away behind an answer that ends the connection, so that a
    /// reset does not destroy the answer (RFC 9112 §9.6); then the connection is closed.
    package var drainBytes = 1 << 20
    package var drainTime = Duration.seconds(2)
    /// Interim responses that wait for a client that does not read; further ones are left out.
    package var waitingInterimBytes = 65_536

    package init() {}
}
