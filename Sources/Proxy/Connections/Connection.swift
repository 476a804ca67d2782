internal import Basics
internal import Faults
internal import Journal
internal import LinkEngine
internal import SystemIO
internal import Toxics

/// Which connection this is, in the numbers of link, faults and journal.
struct ConnectionIdentity {
    /// Ordinal on the link that all routes share, from 0.
    let number: UInt32
    /// Listener and ordinal at this listener, both from 1.
    let id: ConnectionID
    /// Index of the route in the configuration.
    let route: Int
    /// On the loop's clock.
    let acceptedAt: Instant
    /// The address of its server; nil unless someone wants records and it was reached directly, on a
    /// route to one server.
    var server: SocketAddress?

    func stream(_ direction: Direction) -> LinkEngine.Stream {
        LinkEngine.Stream(connection: number, direction: direction)
    }
}

/// The two sockets of a connection.
enum Side: UInt32 {
    case client = 0
    case upstream = 1

    /// The side that receives a direction.
    init(receiverOf direction: Direction) { self = direction == .down ? .client : .upstream }

    var opposite: Side { self == .client ? .upstream : .client }
    /// The direction in which this side sends.
    var sends: Direction { self == .client ? .up : .down }
    var party: ConnectionEnd.Party { self == .client ? .client : .upstream }
}

/// What can be acted on by hand: a connection, or a flow of datagrams.
protocol Steerable: AnyObject {
    var id: ConnectionID { get }
    /// Bytes that the receiver's kernel has accepted.
    func bytes(_ direction: Direction) -> UInt64
    /// Ends it as a fault at what was delivered last does; returns the faults that do the same, nil if
    /// it is ending already.
    func cut(_ effect: Effect) -> [String]?
    /// Holds everything back; returns false if it is held already, or ending.
    func hold() -> Bool
    /// Holds everything back for a time; returns the faults that do the same, nil if it did nothing.
    func stall(for span: Duration) -> [String]?
    /// Ends a hold; returns where it was held, and the faults that do the same; nil if it was not.
    func release() -> (place: HeldPlace, faults: [String])?
    /// The faults that do what is done while it is held.
    var heldFaults: [Fault] { get }
}

/// A connection in one of its forms: pending, spliced, gated or blackholed.
///
/// What a form cannot do, it leaves to the defaults: it does nothing and reports that.
protocol Connection: Steerable {
    // What it is.

    var identity: ConnectionIdentity { get }
    /// What it uses of its proxy, its link included.
    var context: ConnectionContext { get }
    var clientAddress: SocketAddress? { get }
    var state: ProxySnapshot.ConnectionState { get }
    /// Bytes that were read from the sender.
    func received(_ direction: Direction) -> UInt64
    /// Whether its upstream has not answered yet.
    var isPending: Bool { get }
    /// Whether nothing can pass any more, so that no one needs to wait for it.
    var onlySilenceIsLeft: Bool { get }
    /// Whether nothing of it waits in the proxy and no answer of the upstream is due.
    var isIdle: Bool { get }

    // Ending.

    /// Closes both sides normally (FIN); what has not been written by now is lost.
    func finish(by party: ConnectionEnd.Party)
    /// Ends at once; what is still open is reset.
    func reset(by party: ConnectionEnd.Party)
    /// Closes an idle connection normally, without waiting for its peers.
    func closeIdle()
    /// Ends a connection of which only silence is left.
    func giveWay()
    /// No further connection is accepted, and the open ones may finish.
    func drainBegan()
    /// Gives up on a connect that has taken too long.
    func checkDeadline(at now: Instant)

    // The link, its budget and toxics.

    /// Puts the connection on a link that did not exist when it was opened.
    func adopt(_ link: LinkDriver)
    /// The budget was replaced or removed.
    func budgetChanged(isMetered: Bool)
    /// The budget is spent, and ends connections.
    func budgetSpent()
    /// Changes the toxics to these.
    func apply(_ toxics: [Toxic])

    // Faults that come or go while it is open.

    /// Replaces the byte faults of a pending connection.
    func replaceFaults(_ faults: @autoclosure () -> ConnectionFaults?)
    /// Arms byte faults; returns whether one of them could be.
    func arm(_ faults: ConnectionFaults) -> Bool
    /// Removes a fault that has not acted here.
    @discardableResult
    func disarm(_ id: String) -> Bool
    /// Follows a changed plan of request faults from the next request; nil without inspection.
    func adopt(_ plan: RequestPlan, adding id: String?) -> FaultGate.Adoption?
}

extension Connection {
    var id: ConnectionID { identity.id }
    var isPending: Bool { false }
    var onlySilenceIsLeft: Bool { false }
    var isIdle: Bool { false }

    func closeIdle() {}
    func giveWay() { reset(by: .limit) }
    func drainBegan() {}
    func checkDeadline(at now: Instant) {}

    func adopt(_ link: LinkDriver) {}
    func budgetChanged(isMetered: Bool) {}
    func budgetSpent() { reset(by: .limit) }
    func apply(_ toxics: [Toxic]) {}

    func replaceFaults(_ faults: @autoclosure () -> ConnectionFaults?) {}
    func arm(_ faults: ConnectionFaults) -> Bool { false }
    @discardableResult
    func disarm(_ id: String) -> Bool { false }
    func adopt(_ plan: RequestPlan, adding id: String?) -> FaultGate.Adoption? { nil }

    func cut(_ effect: Effect) -> [String]? { nil }
    func hold() -> Bool { false }
    func stall(for span: Duration) -> [String]? { nil }
    func release() -> (place: HeldPlace, faults: [String])? { nil }
    var heldFaults: [Fault] { [] }

    /// The record of an end whose byte counts depend on the moment.
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
