internal import Basics
internal import Journal
internal import SystemIO
internal import Toxics

// What toxics do with bytes that were read, before the link and the gate.
extension InspectedConnection {
    /// So many events in a direction, then the other connections have their turn.
    private static let eventsPerTurn = 256

    var now: Instant { context.loop.now }

    /// Changes the toxics to these, for bytes that wait too.
    func apply(_ toxics: [Toxic]) {
        guard !isOver else { return }
        set(toxics)
        makeProgress()
    }

    /// The same without letting anything move yet.
    func set(_ toxics: [Toxic]) {
        for direction in Direction.allCases {
            set(toxics.filter { $0.direction == direction }, direction)
        }
    }

    private func set(_ toxics: [Toxic], _ direction: Direction) {
        if let flow = flows[direction].toxics {
            flow.chain.apply(toxics, at: now)
        } else if !toxics.isEmpty {
            let chain = ToxicChain(
                draws: ToxicDraws(
                    seed: context.seed,
                    proxy: context.name,
                    connection: UInt64(identity.id.ordinal),
                    direction: direction
                ),
                toxics: toxics,
                at: now
            )
            let waiting = UInt64(flows[direction].queue.count)
            flows[direction].toxics = ToxicFlow(
                chain,
                pool: tools.chunks,
                memory: context.toxicMemory,
                passedBytes: flows[direction].delivered + waiting
            )
        }
        guard let flow = flows[direction].toxics else { return }
        for decision in flow.chain.takeDecisions() {
            context.reporter.toxicDecided(decision, on: identity.id, atByte: flow.passedBytes)
        }
    }

    /// Lets go what toxics let go; answers whether there may be more.
    func runToxics() -> Bool {
        guard flows[.up].toxics != nil || flows[.down].toxics != nil else { return false }
        var hasMore = runToxics(.up)
        hasMore = runToxics(.down) || hasMore
        if !isOver { setToxicAlarm() }
        return hasMore
    }

    private func runToxics(_ direction: Direction) -> Bool {
        guard let toxics = flows[direction].toxics else { return false }
        toxics.chain.advance(to: now)
        // What was let go before goes before what happens now.
        if link == nil { pass(direction) }
        for _ in 0..<Self.eventsPerTurn {
            guard leftToWrite(direction) > 0 else { return true }
            guard isMoving, closing != direction, moveReleased(toxics, direction) else {
                return false
            }
            switch toxics.chain.nextEvent() {
            case .deliver(let count): toxics.release(count)
            case .drop(let count): toxics.drop(count)
            case .finished: forwardEnd(direction)
            case .close:
                tellEnd(toxics)
                closing = direction
                forwardEnd(direction)
            case .reset:
                tellEnd(toxics)
                reset(by: .fault)
            case nil:
                if toxics.isEmpty { flows[direction].toxics = nil }
                return false
            }
        }
        return true
    }

    /// Whether one side has ended and a toxic drops all that the other one could still send.
    var isDeaf: Bool {
        Direction.allCases.contains { direction in
            flows[direction.opposite].end == .passed
                && flows[direction].toxics?.chain.dropsEverything == true
        }
    }

    private func tellEnd(_ toxics: ToxicFlow) {
        guard let toxic = toxics.chain.endedBy else { return }
        context.reporter.toxicActed(toxic, on: identity.id, atByte: toxics.passedBytes)
    }

    /// Moves on what may go on; false if something is left, for want of room.
    private func moveReleased(_ toxics: ToxicFlow, _ direction: Direction) -> Bool {
        while toxics.released > 0 {
            let room = roomAfterToxics(direction)
            guard room > 0, isMoving else { return false }
            let count = toxics.move(into: tools.buffer, limit: room)
            forward(count, direction)
            // Each piece is a write of its own, as long as the receiver takes it.
            if link == nil { pass(direction) }
        }
        return isMoving
    }

    /// Bytes that may go on now; what its receiver does not take waits with the toxics, where it counts.
    private func roomAfterToxics(_ direction: Direction) -> Int {
        link?.room(on: identity.stream(direction))
            ?? queueLimit(direction) - flows[direction].queue.count
    }

    /// Bytes that may be read now and wait with toxics.
    func toxicRoom(_ toxics: ToxicFlow, _ direction: Direction) -> Int {
        guard !toxics.chain.isFull else { return 0 }
        return max(0, toxicLimit - toxics.count - flows[direction].queue.count)
    }

    /// Whether so much has left that more may be read.
    func hasToxicRoomAgain(_ toxics: ToxicFlow, _ direction: Direction) -> Bool {
        toxicRoom(toxics, direction) >= toxicLimit / 2
    }

    /// Bytes that one direction may hold now.
    private var toxicLimit: Int { min(context.toxicMemory.limit, tools.chunks.share) }

    private func setToxicAlarm() {
        let next = Direction.allCases.compactMap { flows[$0].toxics?.chain.nextDeadline }.min()
        let wake = next ?? .never
        guard wake != toxicWake else { return }
        context.timers.cancel(toxicAlarm)
        toxicWake = wake
        guard wake != .never else { return }
        toxicAlarm = context.timers.set(at: wake) { [weak self] in
            guard let self, !isOver else { return }
            toxicWake = .never
            makeProgress()
        }
    }

    /// Forgets what toxics hold.
    func leaveToxics() {
        context.timers.cancel(toxicAlarm)
        toxicWake = .never
        flows[.up].toxics = nil
        flows[.down].toxics = nil
    }
}
