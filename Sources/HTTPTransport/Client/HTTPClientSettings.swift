package import Basics
package import HTTPWire
package import SystemIO

/// Time limits and other rules of a client.
package struct HTTPClientSettings {
    /// From the beginning to a connection that carries bytes: name lookup, TCP and TLS.
    package var connectTime = Duration.seconds(10)
    /// How long no byte may go either way, nor be acknowledged, while the peer's turn it is.
    package var progressTime = Duration.seconds(30)
    /// The head start of an address before the next one is tried too (RFC 8305 §5).
    package var attemptDelay = Duration.milliseconds(250)
    /// How long a request with `Expect: 100-continue` waits for a word before its content is sent
    /// all the same (RFC 9110 §10.1.1).
    package var continueTime = Duration.seconds(1)
    /// How long a connection is kept for another request; less than servers usually do.
    package var idleTime = Duration.seconds(15)
    /// Connections kept for each endpoint.
    package var idleConnections = 8
    /// Whether HTTP/2 is offered to servers of https.
    package var offersHTTP2 = false
    /// Heads and trailers of responses.
    package var messages = MessageLimits()
    /// For https; nil for the system's authorities.
    package var tls: TLSContext?

    package init() {}
}
