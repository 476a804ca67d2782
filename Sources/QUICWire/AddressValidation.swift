/// How much a server sends to an address before it knows that its answers arrive there.
///
/// Until then it may send at most three times what reached it (RFC 9000 §8.1), so that nobody can have a
/// victim flooded with a forged address. A Handshake packet shows that the client got the server's
/// Initial. A token in the client's Initial may show it, too; such a flow is not judged.
package struct AddressValidation: Hashable, Sendable {
    /// Bytes of datagrams that reached the server, and of those that it sent.
    package struct Account: Hashable, Sendable {
        package var received: UInt64 = 0
        package var sent: UInt64 = 0

        package init(received: UInt64 = 0, sent: UInt64 = 0) {
            self.received = received
            self.sent = sent
        }

        /// Bytes beyond the limit; negative below it.
        fileprivate var excess: Int64 { Int64(clamping: sent) - 3 * Int64(clamping: received) }
    }

    private var now = Account()
    /// Whether nothing more counts.
    package private(set) var isOver = false
    /// When the server was nearest to the limit, or furthest above it; nil if it sent nothing before the
    /// address was validated.
    package private(set) var closest: Account?

    package init() {}

    /// Notes a datagram that reaches the server.
    package mutating func received(_ bytes: Int, _ packets: [QUICPacket]) {
        guard !isOver else { return }
        now.received += UInt64(bytes)
        isOver = packets.contains { $0.type == .handshake || $0.hasToken }
    }

    /// Notes a datagram that the server sent.
    package mutating func sent(_ bytes: Int) {
        guard !isOver else { return }
        now.sent += UInt64(bytes)
        if closest.map({ now.excess > $0.excess }) ?? true { closest = now }
    }

    /// Ends the account: another address is another story.
    package mutating func end() { isOver = true }
}
