internal import Basics

// Connections that exist on the link alone. No event is reported of them, and no record kept.
extension Link {
    /// More than a sender sends in a year at the highest rate that a profile takes.
    private static let endless = 1 << 61

    /// Begins or ends cross traffic, as the settings and the real connections require.
    ///
    /// Without a rate to limit it, it would send without end in no time, so there is none then.
    mutating func adjustCrossTraffic() {
        var count: UInt32 = 0
        if let wanted = settings.crossTraffic, slotOfConnection.count > Int(crossFlows),
            settings[wanted.direction].capacity != .unlimited
        {
            count = UInt32(wanted.flows)
        }
        endCrossTraffic(beyond: count)
        while crossFlows < count {
            beginCrossFlow(Stream.firstCrossFlow + crossFlows)
            crossFlows += 1
        }
    }

    /// Ends connections of it: all, before it begins again as other settings have it, or too many.
    mutating func endCrossTraffic(beyond count: UInt32 = 0) {
        while crossFlows > count {
            crossFlows -= 1
            forget(Stream.firstCrossFlow + crossFlows)
        }
    }

    private mutating func beginCrossFlow(_ connection: UInt32) {
        guard let direction = settings.crossTraffic?.direction else { return }
        let sender = index(connect(connection), direction)
        endpoints[sender].sender.write(Self.endless)
        pump(sender)
    }

    /// Whether an end, or a path, is of cross traffic.
    func isCross(_ end: Int) -> Bool { slots[end / 2].connection >= Stream.firstCrossFlow }
}

extension Stream {
    /// The link's number of the first connection of cross traffic, far beyond any flow of datagrams.
    static let firstCrossFlow: UInt32 = 3 << 30
}
