package import Basics

/// Something that a link did, at a virtual time.
package struct LinkEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// This many further bytes of the stream reached its receiver, in order.
        case deliver(Stream, count: Int)
        /// The end of the stream (FIN) reached its receiver; nothing follows.
        case finished(Stream)
        /// A reset reached the receiver of the stream; nothing follows in either direction.
        case aborted(Stream)
        /// The send buffer of the stream, full before, has an eighth of its room again.
        case writable(Stream)
        /// The connection was given up: no answer to its handshake or its resends.
        case timedOut(connection: UInt32)
        /// This datagram of a flow reached its receiver.
        case arrived(Stream, number: UInt64)
        /// This datagram of a flow never will, and why.
        case lost(Stream, number: UInt64, PacketRecord.Fate)
    }

    package var at: Instant
    package var kind: Kind

    package init(at: Instant, kind: Kind) {
        self.at = at
        self.kind = kind
    }
}
