package import Faults

/// The points of one effect along one axis; neighbours that behave differently are searched for
/// the edge between them.
package struct Series: Hashable, Sendable {
    package let axis: Axis
    package let effect: Effect
    package let options: FaultOptions

    package func point(at position: UInt64) -> Point {
        Point([Fault(axis.place(at: position), effect, options)])
    }

    /// The name of this series, for records: its message, its direction and its deed.
    package var name: String {
        let side =
            switch axis.kind {
            case .request: "req"
            case .response: "resp"
            case .up: "up"
            case .down: "down"
            case .interim(let status, let ordinal): "interim(\(status)#\(ordinal))"
            }
        return
            "\(axis.target.canonicalText):\(side)=\(effect.canonicalText)\(options.canonicalText)"
    }
}

/// A series with the positions at which it is tried first.
package struct PlannedSeries: Hashable, Sendable {
    package let series: Series
    package let positions: [UInt64]
}
