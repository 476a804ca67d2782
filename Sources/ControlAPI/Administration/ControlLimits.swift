internal import Basics
internal import HTTPTransport
internal import HTTPWire

/// What an administration listener takes at most.
package struct ControlLimits: Hashable, Sendable {
    /// Connections at once; those that have not sent a whole request make room for others.
    package var connections = 64
    /// Answers that stay open, such as event streams and waits; more get 503 and `Retry-After`.
    package var streams = 48
    /// Bytes of a request's content; more gets 413.
    package var bodyBytes = 1 << 20
    /// Bytes of a request's head; more gets 414 or 431.
    package var headBytes = 16_384
    /// Seconds for a whole head; then 408.
    package var headSeconds = 10
    /// Seconds without progress within a body or an answer; then the connection ends.
    package var progressSeconds = 10
    /// Seconds that a connection may wait for its next request.
    package var idleSeconds = 60
    /// Bytes of a stream that wait for a client that does not read; beyond, the stream is broken
    /// off.
    package var streamBytes = 262_144

    package init() {}

    /// The same for the server below.
    var http: HTTPServerLimits {
        var limits = HTTPServerLimits()
        limits.openConnections = connections
        limits.unservedMakeRoom = true
        limits.messages.head = headBytes
        limits.headTime = .seconds(Int64(headSeconds))
        limits.idleTime = .seconds(Int64(idleSeconds))
        limits.bodyProgressTime = .seconds(Int64(progressSeconds))
        limits.sendProgressTime = .seconds(Int64(progressSeconds))
        limits.drainBytes = bodyBytes
        return limits
    }
}
