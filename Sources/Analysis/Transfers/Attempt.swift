package import Basics
package import Journal

/// One exchange, or one connection without any, that served a transfer.
package struct Attempt: Hashable, Sendable {
    /// Where it began, compared with what the client had for certain: the confirmed offset.
    package enum Kind: String, Hashable, Sendable {
        /// The first bytes, or again from 0 while nothing was confirmed.
        case first
        /// At the confirmed offset, after a failure.
        case resumed
        /// At the confirmed offset, after a part that succeeded; also one of several parts at once.
        case next
        /// Below the confirmed offset, above 0.
        case overlap
        /// At 0, although it could have resumed.
        case restarted
        /// At 0, because it could not resume: no validator, another object, no URL, a resource gone.
        case forcedRestart = "forced-restart"
        /// Above the confirmed offset.
        case gap
        /// Without bytes, as to complete an upload that is all there.
        case finish
        /// It moves no bytes: HEAD, creation without content, redirect, cancellation.
        case probe
        /// A connection that failed before any request.
        case connect
        /// A connection whose content is not known.
        case opaque
    }

    /// Why it did not come to its end.
    package struct Failure: Hashable, Sendable {
        package enum Cause: Hashable, Sendable {
            /// The connection ended; by which fault or manner.
            case cut(String)
            /// The client itself gave up waiting.
            case abandoned
            /// The server answered that it will not or cannot.
            case status(Int)
            /// The connection was refused, or accepted and never answered.
            case turnedAway
        }

        package var cause: Cause
        /// When the client could know of it.
        package var at: Instant
        package var line: Int
        /// How long the server asked to be left alone.
        package var retryAfter: Duration?
        /// Whether it is a date.
        ///
        /// Without a `Date` in the same answer, how far away it is remains unknown.
        package var isRetryAfterDate = false

        /// Whether the server has said that it did nothing with the request, which may be repeated as it
        /// was: 421 (RFC 9110 §15.5.20), 425 (RFC 8470 §5.2).
        ///
        /// HTTP libraries do so by themselves.
        package var leavesOffset: Bool { cause == .status(421) || cause == .status(425) }
    }

    /// An offset that the server told the client.
    package struct LearntOffset: Hashable, Sendable {
        package var offset: UInt64
        package var status: Int
        package var at: Instant
        package var line: Int
        /// Which of the resources that were created for one upload, from 1; 0 for one that was there.
        package var resource: Int
    }

    package var kind: Kind
    package var connection: ConnectionID
    /// Nil for a connection without a request.
    package var exchange: ExchangeID?
    package var method = ""
    package var target = ""
    package var status: Int?
    /// The request's head, or the accept of a connection without a request.
    package var beganAt: Instant
    /// The accept of its connection, if it is the first request there.
    package var connectedAt: Instant?
    /// Nil while it is open.
    package var endedAt: Instant?
    package var line: Int
    package var lastLine: Int
    /// Offset in the object of the first byte it moved, or asked for.
    package var start: UInt64 = 0
    /// Bytes of the object that it delivered.
    package var bytes: UInt64 = 0
    /// The confirmed offset at its beginning.
    package var confirmedBefore: UInt64 = 0
    /// Of `bytes`, those that the receiver had for certain already.
    package var resentBytes: UInt64 = 0
    /// Bytes by which the transfer came forward.
    package var progressBytes: UInt64 = 0
    package var learntOffsets: [LearntOffset] = []
    /// Whether it got no response, and the time at which the client gave up is unknown.
    package var isLeftInSilence = false
    /// Whether the version of the object was another than before.
    package var isOtherVersion = false
    private var further = Seldom<Further>()

    /// The parts that most attempts lack.
    private struct Further: SeldomParts {
        var failure: Failure?
        var sentMessages: MessagesReport?
        var receivedMessages: MessagesReport?
    }

    package internal(set) var failure: Failure? {
        get { further.parts?.failure }
        set { if newValue != failure { further.change { $0.failure = newValue } } }
    }

    /// Of a WebSocket, what reached the server.
    package var sentMessages: MessagesReport? { further.parts?.sentMessages }
    /// Of a WebSocket or a stream of events, what reached the client.
    package var receivedMessages: MessagesReport? { further.parts?.receivedMessages }

    mutating func set(
        sentMessages sent: MessagesReport?,
        receivedMessages received: MessagesReport?
    ) {
        guard sent != nil || received != nil else { return }
        further.change {
            $0.sentMessages = sent
            $0.receivedMessages = received
        }
    }

    /// The part of the object that it moved.
    package var range: Range<UInt64> { start..<start + bytes }

    /// Whether it did not come to its end, whenever the client noticed.
    package var hasFailed: Bool { failure != nil || isLeftInSilence }

    /// Whether bytes are what it is about.
    package var carriesData: Bool {
        switch kind {
        case .first, .resumed, .next, .overlap, .restarted, .forcedRestart, .gap: true
        case .finish, .probe, .connect, .opaque: false
        }
    }
}
