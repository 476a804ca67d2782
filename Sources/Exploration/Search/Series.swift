/// The points of one effect along one axis; neighbours that behave differently are searched for
/// the edge between them.
package struct Series: Hashable, Sendable {
    package let axis: Axis
    /// As in a schedule line: `fin`.
    package let effect: String
    package let arguments: [String]

    package func point(at position: UInt64) -> Point {
        Point([PlannedFault(axis.place(at: position), effect, arguments)])
    }

    /// The name of this series, for records: its message, its direction and its deed.
    package var name: String {
        let deed = ([effect] + arguments).joined(separator: ",")
        let side =
            switch axis.kind {
            case .request: "req"
            case .response: "resp"
            case .up: "up"
            case .down: "down"
            case .interim(let status, let ordinal): "interim(\(status)#\(ordinal))"
            }
        return "\(axis.target.text):\(side)=\(deed)"
    }
}

/// A series with the positions at which it is tried first.
package struct PlannedSeries: Hashable, Sendable {
    package let series: Series
    package let positions: [UInt64]
}
