/// One of the two independent directions of a link.
@frozen public enum Direction: UInt8, Hashable, CaseIterable, Sendable {
    /// From the server (upstream) to the client.
    case down = 0
    /// From the client to the server (upstream).
    case up = 1

    @inlinable public var opposite: Direction { self == .down ? .up : .down }
}
