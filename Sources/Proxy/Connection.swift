internal import Journal
internal import LinkEngine
internal import Libuv

/// Which connection this is, in the numbers of link, faults and journal.
struct ConnectionIdentity {
    /// Ordinal on the link that all routes share, from 0.
    let number: UInt32
    /// Listener and ordinal at this listener, both from 1.
    let id: ConnectionID
    /// Place of the route in the configuration.
    let route: Int
    /// On the loop's clock.
    let acceptedAtNanoseconds: UInt64

    func stream(_ direction: Direction) -> LinkEngine.Stream {
        LinkEngine.Stream(connection: number, direction: direction)
    }
}

/// Which socket of a connection is meant.
enum Side: UInt32 {
    case client = 0
    case upstream = 1

    /// Who receives a direction.
    init(receiverOf direction: Direction) { self = direction == .down ? .client : .upstream }

    var opposite: Side { self == .client ? .upstream : .client }
    /// The direction in which this side sends.
    var sends: Direction { self == .client ? .up : .down }
    var party: ConnectionEnd.Party { self == .client ? .client : .upstream }
}

/// A connection in one of its three forms: not yet connected, unhindered, or behind a gate.
protocol Connection: AnyObject {
    var identity: ConnectionIdentity { get }
    var clientAddress: SocketAddress? { get }
    var state: ProxySnapshot.ConnectionState { get }
    /// Bytes that the receiver's kernel has taken.
    func bytes(_ direction: Direction) -> UInt64
    /// Bytes that were read from the sender.
    func received(_ direction: Direction) -> UInt64
    /// Ends both sides in order (FIN); what has not been written by now is lost.
    func finish(by party: ConnectionEnd.Party)
    /// Ends at once; what is still open is reset.
    func reset(by party: ConnectionEnd.Party)
    /// Whether nothing can pass any more, so that nobody needs to wait for it.
    var onlySilenceIsLeft: Bool { get }
    /// Ends a connection of which only silence is left.
    func giveWay()
}

extension Connection {
    var onlySilenceIsLeft: Bool { false }
    func giveWay() { reset(by: .limit) }

    /// The words for an end whose byte counts depend on the moment.
    func end(by party: ConnectionEnd.Party, how: ConnectionEnd.Manner) -> ConnectionEnd {
        ConnectionEnd(
            connection: identity.id,
            by: party,
            how: how,
            down: .init(bytes: bytes(.down), isExact: false),
            up: .init(bytes: bytes(.up), isExact: false)
        )
    }
}
