package import Basics

/// One direction of one connection: a stream of bytes.
package struct Stream: Hashable, Sendable {
    /// Ordinal of the connection on its link, from 0.
    package var connection: UInt32
    package var direction: Direction

    package init(connection: UInt32, direction: Direction) {
        self.connection = connection
        self.direction = direction
    }
}
