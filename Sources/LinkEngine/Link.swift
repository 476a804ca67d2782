/// Something that a link did, at a virtual time.
package struct LinkEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// This many further bytes of the stream reached its receiver, in order.
        case deliver(Stream, count: Int)
        /// The end of the stream (FIN) reached its receiver; nothing follows.
        case finished(Stream)
        /// A reset reached the receiver of the stream; nothing follows in either direction.
        case aborted(Stream)
        /// The send buffer of the stream, full before, has room again.
        case writable(Stream)
        /// The connection was given up: no answer to its handshake or its resends.
        case timedOut(connection: UInt32)
    }

    package var at: Instant
    package var kind: Kind
}

/// A network path as a value: packets, queues and a virtual TCP sender for each stream.
///
/// The link counts bytes and never sees them. It knows no clock: time is an argument of each
/// call, in one order, and never runs backwards (a call with an earlier time is taken as one at
/// the latest time seen). Calling `advance` early, late, in small steps or again changes no event
/// and no event's time.
///
/// Who drives it: call `open` for each connection; `send`, `finish`, `abort` as the real peers do
/// so; then `advance(to: now)`, take every event with `nextEvent()`, and come back at
/// `nextDeadline`.
package struct Link: ~Copyable {
    package private(set) var settings: LinkSettings
    private var pending: [LinkEvent] = []

    /// Makes a link with nothing on it, at time zero.
    package init(settings: LinkSettings, seed: UInt64) {
        self.settings = settings
    }

    /// Opens both streams of connection `connection`.
    ///
    /// The first SYN enters the link now, or nothing does if the settings say no handshake.
    /// A connection number is used once.
    package mutating func open(_ connection: UInt32, at now: Instant) {}

    /// Appends `count` bytes to the send buffer of `stream`.
    ///
    /// More than `room(on:)` is a programmer's error.
    package mutating func send(_ count: Int, on stream: Stream, at now: Instant) {
        pending.append(LinkEvent(at: now, kind: .deliver(stream, count: count)))
    }

    /// How many bytes the send buffer of `stream` takes now.
    ///
    /// At 0 stop reading the real socket; `writable` is reported when a quarter is free again.
    package func room(on stream: Stream) -> Int { 65_536 }

    /// Ends `stream` after its last byte (FIN). The other direction stays open.
    package mutating func finish(_ stream: Stream, at now: Instant) {
        pending.append(LinkEvent(at: now, kind: .finished(stream)))
    }

    /// Resets the connection from the sending end of `stream`: what waits there is discarded, the
    /// reset crosses the link once and is reported as `aborted(stream)`.
    package mutating func abort(_ stream: Stream, at now: Instant) {
        pending.append(LinkEvent(at: now, kind: .aborted(stream)))
    }

    /// Says that the real receiver of `stream` has left `bytes` delivered bytes untaken.
    ///
    /// 0 until said otherwise. The receive window shrinks by so much.
    package mutating func setBacklog(_ bytes: Int, of stream: Stream, at now: Instant) {}

    /// Forgets a connection at once, with all its packets; no event follows for it.
    package mutating func remove(_ connection: UInt32, at now: Instant) {}

    /// Changes the settings for all packets that enter the link from now on.
    package mutating func apply(_ settings: LinkSettings, at now: Instant) {
        self.settings = settings
    }

    /// Lets everything happen that is due up to and at `now`.
    package mutating func advance(to now: Instant) {}

    /// When something next happens without a further call, if ever.
    package var nextDeadline: Instant? { nil }

    /// The next event that happened, in order of time; nil when all were taken.
    package mutating func nextEvent() -> LinkEvent? {
        pending.isEmpty ? nil : pending.removeFirst()
    }

    /// Bytes and packets that wait in the queue of `direction` at the latest time seen.
    package func queued(_ direction: Direction) -> (packets: Int, bytes: Int) { (0, 0) }
}
