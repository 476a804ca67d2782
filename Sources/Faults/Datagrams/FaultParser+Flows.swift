internal import Basics
internal import QUICWire

// Where a fault acts in flows of datagrams.
extension FaultParser {
    /// What stands behind `u`.
    mutating func flows(from start: Int) throws(ScheduleError) -> FaultTarget {
        let flows = try scanner.selector(of: "flow", from: start)
        guard scanner.take("/") else { return .flows(flows, nil) }
        let column = scanner.position
        let name = scanner.takeText(isNameByte)
        guard let type = QUICPacketType(rawValue: name) else {
            throw scanner.unknown(
                "packet type",
                name,
                among: QUICPacketType.allCases.map(\.rawValue),
                at: column
            )
        }
        return .flows(flows, type)
    }

    /// What stands behind the colon after a flow.
    mutating func flowAnchor() throws(ScheduleError) -> Anchor {
        let start = scanner.position
        let name = scanner.takeText { isNameByte($0) && $0 != UInt8(ascii: "-") }
        switch name {
        case "up": return .datagrams(.up, try datagrams(after: name))
        case "down": return .datagrams(.down, try datagrams(after: name))
        case "idle": return try silence()
        default: throw scanner.unknown("place", name, among: ["up", "down", "idle"], at: start)
        }
    }

    /// What follows `idle` where a time may stand.
    mutating func silence() throws(ScheduleError) -> Anchor {
        guard scanner.take("(") else {
            throw scanner.error("expected a time, like 'idle(30s)', found \(scanner.foundHere)")
        }
        let column = scanner.position
        let duration = try scanner.duration(of: scanner.takeQuantity(), at: column)
        guard scanner.take(")") else {
            throw scanner.error("expected ')', found \(scanner.foundHere)")
        }
        return .silence(duration)
    }

    private mutating func datagrams(
        after name: String
    ) throws(ScheduleError) -> OrdinalSelector {
        if scanner.take("#") {
            return try scanner.selector(of: "datagram", from: scanner.position - 1)
        }
        if scanner.peek == UInt8(ascii: "+") {
            throw scanner.error("a flow has datagrams, not bytes; write '\(name)#5' for the fifth")
        }
        return OrdinalSelector(OrdinalSelector.every.ordinals, chance: try scanner.chance())
    }
}
