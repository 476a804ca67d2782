package import Basics
internal import Faults
package import Journal

/// Which connections something is done to.
package enum ConnectionSelection: Hashable, Sendable {
    /// All that are open.
    case all
    /// Those of one listener, from 1.
    case listener(UInt32)
    case connection(ConnectionID)

    func includes(_ id: ConnectionID) -> Bool {
        switch self {
        case .all: true
        case .listener(let listener): id.listener == listener
        case .connection(let wanted): id == wanted
        }
    }
}

/// How a connection is ended by hand.
package enum ManualCut: String, Hashable, Sendable, CaseIterable {
    case rst, fin, hole

    var effect: Effect {
        switch self {
        case .rst: .reset
        case .fin: .finish
        case .hole: .hole(both: true, for: nil)
        }
    }
}

/// A connection on which something took effect.
package struct ManualPlace: Hashable, Sendable {
    package var connection: ConnectionID
    /// Bytes delivered in each direction at that moment; of a pause that is over, at its begin.
    package var up: UInt64
    package var down: UInt64
    /// How long it was held back, if a pause ended.
    package var held: Duration?
    /// The faults that do the same again; none for a pause as long as it lasts.
    package var faults: [String]

    package init(
        connection: ConnectionID,
        up: UInt64,
        down: UInt64,
        held: Duration? = nil,
        faults: [String] = []
    ) {
        self.connection = connection
        self.up = up
        self.down = down
        self.held = held
        self.faults = faults
    }
}
