internal import Basics
internal import Journal
internal import LinkEngine

/// The open connections of a proxy, and the byte counts of those that have ended.
final class ConnectionTable {
    private var open: [UInt32: any Connection] = [:]
    /// Connections whose upstream has not answered.
    private(set) var pendingCount = 0
    /// Connections that came so far.
    private(set) var totalCount: UInt32 = 0
    private var endedDelivered = (up: UInt64(0), down: UInt64(0))
    private var endedReceived = (up: UInt64(0), down: UInt64(0))
    /// Open connections at most; further ones wait in the kernel's backlog.
    var limit = 0

    var count: Int { open.count }
    var isEmpty: Bool { open.isEmpty }
    var isFull: Bool { open.count >= limit }

    /// All in the order of acceptance.
    var inOrder: [any Connection] {
        open.values.sorted { $0.identity.number < $1.identity.number }
    }

    /// The first connection of which only silence is left; it gives way to a new one.
    var oldestSilent: (any Connection)? {
        open.values.lazy.filter(\.onlySilenceIsLeft)
            .min { $0.identity.number < $1.identity.number }
    }

    // MARK: Coming and going

    /// The number for the next connection; none is used twice.
    func nextNumber() -> UInt32 {
        defer { totalCount += 1 }
        return totalCount
    }

    /// Adds a connection, or replaces the other form of one.
    func insert(_ connection: any Connection) {
        if let former = open.updateValue(connection, forKey: connection.identity.number),
            former.isPending
        {
            pendingCount -= 1
        }
        if connection.isPending { pendingCount += 1 }
    }

    /// Removes a connection that is over; returns false if it was not in the table.
    func remove(_ connection: any Connection, _ end: ConnectionEnd) -> Bool {
        guard open.removeValue(forKey: connection.identity.number) != nil else { return false }
        if connection.isPending { pendingCount -= 1 }
        let link = connection.context.link
        link.endedBytes.up += end.up.bytes
        link.endedBytes.down += end.down.bytes
        endedDelivered.up += end.up.bytes
        endedDelivered.down += end.down.bytes
        endedReceived.up += connection.received(.up)
        endedReceived.down += connection.received(.down)
        return true
    }

    /// Ends all at once.
    func resetAll() {
        for connection in inOrder { connection.reset(by: .shutdown) }
    }

    func contains(where isWanted: (any Connection) -> Bool) -> Bool {
        open.values.contains(where: isWanted)
    }

    // MARK: Figures

    /// Payload bytes handed to the receivers' kernels over one link since the start.
    func deliveredBytes(_ direction: Direction, over link: SharedLink) -> UInt64 {
        let ended = direction == .up ? link.endedBytes.up : link.endedBytes.down
        return open.values.lazy.filter { $0.context.link === link }
            .reduce(ended) { $0 + $1.bytes(direction) }
    }

    /// Payload bytes handed to the receivers' kernels since the start.
    func deliveredBytes(_ direction: Direction) -> UInt64 {
        let ended = direction == .up ? endedDelivered.up : endedDelivered.down
        return open.values.reduce(ended) { $0 + $1.bytes(direction) }
    }

    /// Payload bytes read from the senders since the start.
    func receivedBytes(_ direction: Direction) -> UInt64 {
        let ended = direction == .up ? endedReceived.up : endedReceived.down
        return open.values.reduce(ended) { $0 + $1.received(direction) }
    }

    /// At most `count` connections in the order of acceptance: faulted ones, then the latest.
    func rows(_ count: Int) -> [ProxySnapshot.Connection] {
        let all = inOrder
        guard all.count > count else { return all.map(ProxySnapshot.Connection.init) }
        let faulted = all.filter { $0.state != .open && $0.state != .connecting }.suffix(count)
        var numbers = Set(faulted.map(\.identity.number))
        for connection in all.reversed() where numbers.count < count {
            numbers.insert(connection.identity.number)
        }
        return all.filter { numbers.contains($0.identity.number) }
            .map(ProxySnapshot.Connection.init)
    }

    /// At most `limit` connections after another in the order of their names, and whether there are
    /// more.
    func page(
        after id: ConnectionID?,
        limit: Int
    ) -> (rows: [ProxySnapshot.Connection], hasMore: Bool) {
        let order = { (id: ConnectionID) in (id.listener, id.ordinal) }
        let all = open.values.filter { connection in
            id.map { order(connection.identity.id) > order($0) } ?? true
        }.sorted { order($0.identity.id) < order($1.identity.id) }
        return (all.prefix(limit).map(ProxySnapshot.Connection.init), all.count > limit)
    }

    /// One connection; nil if it is not open.
    func row(_ id: ConnectionID) -> ProxySnapshot.Connection? {
        open.values.first { $0.identity.id == id }.map(ProxySnapshot.Connection.init)
    }
}

extension ProxySnapshot.Connection {
    /// Describes the current state of a connection; costs a system call.
    init(_ connection: any Connection) {
        self.init(
            id: connection.identity.id,
            ordinal: connection.identity.number,
            client: connection.clientAddress,
            state: connection.state,
            upBytes: connection.bytes(.up),
            downBytes: connection.bytes(.down)
        )
        isOnSecondPath = connection.context.link.isSecondPath
    }
}
