package import Libuv

/// A proxy at one moment, for people to look at.
package struct ProxySnapshot: Sendable {
    package struct Direction: Hashable, Sendable {
        /// Payload bytes handed to the receiver's kernel since the start.
        package var bytes: UInt64 = 0
        /// What waits in the link's queue.
        package var queuedPackets = 0
        package var queuedBytes = 0
    }

    package struct Connection: Hashable, Sendable {
        /// From 0.
        package var ordinal: UInt32
        package var route: Int
        package var client: SocketAddress?
        package var upBytes: UInt64
        package var downBytes: UInt64
    }

    package var up = Direction()
    package var down = Direction()
    package var openConnections = 0
    package var totalConnections: UInt64 = 0
    /// In the order of acceptance.
    package var connections: [Connection] = []

    package init() {}
}
