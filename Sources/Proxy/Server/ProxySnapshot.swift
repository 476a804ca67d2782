package import Basics
package import Faults
package import Journal
package import SystemIO

/// A proxy at one moment, for people to look at.
package struct ProxySnapshot: Sendable {
    package struct Direction: Hashable, Sendable {
        /// Payload bytes handed to the receiver's kernel since the start.
        package var bytes: UInt64 = 0
        /// What waits in the link's queue.
        package var queuedPackets = 0
        package var queuedBytes = 0
    }

    /// Flows of datagrams.
    package struct Flows: Hashable, Sendable {
        package struct Direction: Hashable, Sendable {
            /// Datagrams that came from the sender since the start.
            package var count: UInt64 = 0
            /// Those that the receiver was sent.
            package var delivered: UInt64 = 0
            /// Their bytes.
            package var bytes: UInt64 = 0
        }

        package var open = 0
        package var total: UInt64 = 0
        package var up = Direction()
        package var down = Direction()

        package init() {}
    }

    package enum ConnectionState: String, Hashable, Sendable {
        /// The upstream has not answered yet.
        case connecting
        case open
        /// A fault holds bytes back for a time.
        case stalled
        /// Somebody asked to hold everything back.
        case paused
        /// A fault limits the rate.
        case slowed
        /// A fault swallows what comes.
        case silent
        /// A fault waits for the proof that the bytes before it arrived.
        case cutting
        case closing
    }

    package struct Connection: Hashable, Sendable {
        package var id: ConnectionID
        /// Ordinal over all listeners, from 0.
        package var ordinal: UInt32
        package var client: SocketAddress?
        package var state: ConnectionState
        package var upBytes: UInt64
        package var downBytes: UInt64
        /// Whether it took the second path of a proxy that has two.
        package var isOnSecondPath = false

        package init(
            id: ConnectionID,
            ordinal: UInt32,
            client: SocketAddress?,
            state: ConnectionState,
            upBytes: UInt64,
            downBytes: UInt64
        ) {
            self.id = id
            self.ordinal = ordinal
            self.client = client
            self.state = state
            self.upBytes = upBytes
            self.downBytes = downBytes
        }
    }

    /// How often the machine was too busy to let packets leave in time, and by how much.
    package struct Lateness: Hashable, Sendable {
        package var count: UInt64 = 0
        package var worst: Duration = .zero

        package init(count: UInt64 = 0, worst: Duration = .zero) {
            self.count = count
            self.worst = worst
        }
    }

    package var up = Direction()
    package var down = Direction()
    package var openConnections = 0
    package var totalConnections: UInt64 = 0
    /// In the order of acceptance.
    package var connections: [Connection] = []
    /// What became of each fault so far, in the order of the configuration.
    package var faults: [FaultLedger.Row] = []
    /// The latest faults, troubles and limits, the oldest first.
    package var recentEvents: [JournalRecord] = []
    /// Nil for a proxy that carries no datagrams.
    package var flows: Flows?
    /// How often the program itself was in trouble.
    package var troubles: UInt64 = 0
    package var lateness = Lateness()

    package init() {}
}
