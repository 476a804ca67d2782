/// The place of a connection, or of a flow of datagrams, in a run.
package struct ConnectionID: Hashable, Comparable, Sendable {
    /// Ordinal of the listener, from 1.
    package let listener: UInt32
    /// Ordinal among all connections that this listener accepted, or flows that it heard of, from 1.
    package let ordinal: UInt32
    /// Whether it is a flow of datagrams.
    package let isFlow: Bool

    package init(listener: UInt32 = 1, ordinal: UInt32, isFlow: Bool = false) {
        self.listener = listener
        self.ordinal = ordinal
        self.isFlow = isFlow
    }

    package static func < (a: ConnectionID, b: ConnectionID) -> Bool {
        (a.listener, a.isFlow ? 1 : 0, a.ordinal) < (b.listener, b.isFlow ? 1 : 0, b.ordinal)
    }

    /// As people write it: `c1`, `u1` for a flow, `l2/c1` for another listener than the first.
    package var name: String {
        (listener == 1 ? "" : "l\(listener)/") + (isFlow ? "u" : "c") + "\(ordinal)"
    }
}
