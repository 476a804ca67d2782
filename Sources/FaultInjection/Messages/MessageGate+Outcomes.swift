internal import HTTPWire
internal import LinkEngine

// What became of faults: each acts once or will not act.
extension MessageGate {
    /// Takes the place of an ending into the queue of the client's direction.
    mutating func finish(_ index: Int, _ run: RequestRun) {
        guard let fault = done(index, run) else { return }
        down.steps.append(.act(fault))
    }

    /// Marks a fault as done and completes what is told of it.
    mutating func done(_ index: Int, _ run: RequestRun) -> RequestFault? {
        guard exchange != nil else { return nil }
        exchange?.faults[index].isDone = true
        guard var live = exchange?.faults[index] else { return nil }
        live.fault.offset = live.resolver.partOffset
        if let pattern = live.pattern, run.isContested(pattern) { live.fault.isRacy = true }
        exchange?.faults[index].fault = live.fault
        return live.fault
    }

    /// Says that a fault will not act; told when the exchange is over, so that the order in which
    /// things are told depends on no timing.
    mutating func giveUp(_ index: Int, _ reason: UnreachedReason) {
        guard let live = exchange?.faults[index], !live.isDone else { return }
        exchange?.faults[index].isDone = true
        exchange?.faults[index].unreached = reason
    }
}
