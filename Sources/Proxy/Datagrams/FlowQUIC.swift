internal import Basics
internal import Journal
internal import QUICWire

/// The QUIC state of a flow.
///
/// It covers the client's first packets, what can be read of later ones, and how much the server
/// sends before it has validated the client's address.
struct FlowQUIC {
    /// Whether the flow is QUIC, which its first datagram shows.
    private(set) var isSeen = false
    /// Reads its packets; nil without secrets of a QUIC connection.
    private(set) var reading: FlowReading?
    /// Nil once it has been understood, or cannot be.
    private var greeting: FlowGreeting?
    private var validation = AddressValidation()

    /// Looks at a datagram of the client.
    ///
    /// The first one shows whether the flow is QUIC; that one or the next ones show whom the client
    /// wants to reach.
    ///
    /// - Parameters:
    ///   - bytes: its content.
    ///   - number: its number, from 1.
    ///   - id: the flow's ID.
    ///   - context: the flow's context.
    /// - Returns: the report on the client's first packets, once it is complete.
    mutating func look(
        at bytes: [UInt8],
        _ number: UInt64,
        of id: ConnectionID,
        _ context: Flow.Context
    ) -> QUICReport? {
        if number == 1, QUICPacketReader.isClientStart(bytes) {
            isSeen = true
            if context.tools.readsGreetings {
                greeting = FlowGreeting(QUICPacketReader.packets(in: bytes))
            }
            reading = FlowReading(id, context.tools)
        }
        guard let report = greeting?.take(bytes) else { return nil }
        greeting = nil
        return report
    }

    /// The report on the client's first packets when the flow ends; nil if it was already made.
    var unfinishedReport: QUICReport? { greeting?.report }

    func packets(in bytes: [UInt8]) -> [QUICPacket] {
        isSeen ? QUICPacketReader.packets(in: bytes) : []
    }

    /// The server sent a datagram of this length.
    mutating func sent(_ count: Int) {
        if isSeen { validation.sent(count) }
    }

    /// The server gets a datagram.
    mutating func receives(_ bytes: [UInt8]) {
        guard isSeen, !validation.isOver else { return }
        validation.received(bytes.count, QUICPacketReader.packets(in: bytes))
    }

    /// The server sees another address.
    mutating func changedAddress() { validation.end() }

    /// When the server came closest to sending too much; nil if nothing is known of it.
    var closest: AddressValidation.Account? { validation.closest }
}
