internal import Basics

/// The plain line of progress, where there is no live view.
struct ProgressLine {
    private var lastBytes: UInt64 = 0
    private var lastConnections: (open: Int, total: UInt64) = (0, 0)
    private var lastElapsed = Duration.zero
    private var lastDown: UInt64 = 0
    private var lastUp: UInt64 = 0

    /// The line for now; nil if nothing changed since the last one.
    mutating func next(_ state: LiveState) -> String? {
        let bytes = state.down.bytes &+ state.up.bytes
        let connections = (open: state.openConnections, total: state.totalConnections)
        let isChanged = bytes != lastBytes || connections != lastConnections
        defer {
            lastBytes = bytes
            lastConnections = connections
            lastElapsed = state.elapsed
            lastDown = state.down.bytes
            lastUp = state.up.bytes
        }
        guard isChanged else { return nil }
        let span = max(.nanoseconds(1), state.elapsed - lastElapsed)
        let clock = Figures.clock(state.elapsed)
        return "\(clock)  \(connections.open) open, \(connections.total) total; "
            + direction("down", state.down, since: lastDown, span) + "; "
            + direction("up", state.up, since: lastUp, span)
    }

    private func direction(
        _ name: String,
        _ flow: LiveState.Flow,
        since last: UInt64,
        _ span: Duration
    ) -> String {
        let moved = (flow.bytes - min(flow.bytes, last)).multipliedFullWidth(by: 8_000_000_000)
        let divisor = span.clampedNanoseconds
        let rate = moved.high < divisor ? divisor.dividingFullWidth(moved).quotient : .max
        let queue = flow.queuedPackets > 0 ? ", \(flow.queuedPackets) queued" : ""
        return "\(name) \(Figures.rate(bitsPerSecond: rate)), \(Figures.bytes(flow.bytes))\(queue)"
    }
}
