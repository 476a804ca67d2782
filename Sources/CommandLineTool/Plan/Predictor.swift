internal import FaultInjection
internal import LinkEngine
internal import LinkProfile

/// Runs the link in virtual time: as fast as the processor, from one deadline to the next.
struct Predictor: ~Copyable {
    private var link: Link
    private var prediction: Prediction
    private var transfers: [Transfer] = []
    /// Transfers that are not over.
    private var openCount = 0
    /// Transfers whose outlet waits for a time, few, in the order of their turns.
    private var sleepers: [UInt32] = []
    private var budget: DataBudgetMeter?
    /// The reduced rate of the budget, once it is in force.
    private var budgetPace: Pace?
    private let onPacket: (PacketRecord) -> Void

    /// One connection's transfer.
    private struct Transfer {
        var unsent: UInt64
        var outlet: Outlet
        var lastDelivery: Instant?
        var isOver = false
    }

    /// Predicts one transfer; `onPacket` hears of every packet once its fate is known.
    static func predict(
        _ model: TransferModel,
        onPacket: @escaping (PacketRecord) -> Void = { _ in }
    ) -> Prediction {
        var predictor = Predictor(model, onPacket: onPacket)
        return predictor.run()
    }

    private init(_ model: TransferModel, onPacket: @escaping (PacketRecord) -> Void) {
        self.onPacket = onPacket
        link = Link(settings: model.settings, seed: model.seed)
        link.keepsRecords = true
        prediction = Prediction(
            model: model,
            connections: Array(repeating: .init(), count: Int(model.connections))
        )
        if let limits = model.budget {
            var soft: (bytes: UInt64, rate: BitRate)?
            if let bytes = limits.softLimitBytes, let rate = limits.rateAfterSoftLimit {
                soft = (bytes, rate)
            }
            budget = DataBudgetMeter(soft: soft, hardBytes: limits.hardLimitBytes)
        }
    }

    private mutating func run() -> Prediction {
        let model = prediction.model
        let begin = Instant.start + model.lookupDelay
        let plan = FaultPlan(faults: model.faults, seed: model.seed)
        for connection in 0..<model.connections {
            let faults = plan.faults(onConnection: connection + 1)
            let outlet = Outlet(faults: faults[model.direction])
            transfers.append(Transfer(unsent: model.bytes, outlet: outlet))
            openCount += 1
            if let fault = faults.refusedBy {
                end(connection, .cut(begin, by: fault))
            } else {
                link.open(connection, at: begin)
                feed(connection, at: begin)
            }
        }
        takeEvents()
        while openCount > 0, let next = nextTime, next <= TransferModel.timeLimit {
            link.advance(to: next)
            takeEvents()
            wakeSleepers(at: next)
        }
        return prediction
    }

    /// When something next happens, on the link or behind it.
    private var nextTime: Instant? {
        mutating get {
            var next = link.nextDeadline
            for connection in sleepers {
                guard let due = transfers[Int(connection)].outlet.wakeAt else { continue }
                next = next.map { min($0, due) } ?? due
            }
            return next
        }
    }

    /// Fills the send buffer, and ends the stream behind its last byte.
    private mutating func feed(_ connection: UInt32, at now: Instant) {
        let stream = stream(of: connection)
        let index = Int(connection)
        while transfers[index].unsent > 0 {
            let count = min(UInt64(max(0, link.room(on: stream))), transfers[index].unsent)
            if count == 0 { return }
            link.send(Int(count), on: stream, at: now)
            transfers[index].unsent -= count
            if transfers[index].unsent == 0 { link.finish(stream, at: now) }
        }
    }

    // MARK: Events of the link

    private mutating func takeEvents() {
        while let event = link.nextEvent() { take(event) }
        for record in link.takeRecords() {
            prediction.packets.add(record)
            onPacket(record)
        }
    }

    private mutating func take(_ event: LinkEvent) {
        switch event.kind {
        case .deliver(let stream, let count):
            guard stream.direction == prediction.model.direction,
                !transfers[Int(stream.connection)].isOver
            else { return }
            transfers[Int(stream.connection)].outlet.add(count)
            empty(stream.connection, at: event.at)
        case .writable(let stream):
            guard !transfers[Int(stream.connection)].isOver else { return }
            feed(stream.connection, at: event.at)
        case .timedOut(let connection):
            end(connection, .timedOut(event.at))
        case .finished, .aborted: return
        }
    }

    // MARK: Behind the link

    private mutating func wakeSleepers(at now: Instant) {
        guard !sleepers.isEmpty else { return }
        let due = sleepers
        sleepers = []
        for connection in due where !transfers[Int(connection)].isOver {
            transfers[Int(connection)].outlet.advance(to: now)
            empty(connection, at: now)
        }
        if budgetPace != nil, sleepers.count > 1 { sleepers.append(sleepers.removeFirst()) }
    }

    /// How many of the bytes that wait at an outlet the budget lets pass now.
    private mutating func allowance(_ held: Int, at now: Instant) -> Int {
        let metered = min(held, budget?.allowance.map { Int(clamping: $0) } ?? .max)
        return budgetPace?.allowance(metered, nowNanoseconds: UInt64(now.nanoseconds)) ?? metered
    }

    private mutating func awaitBudget(_ index: Int) {
        guard let pace = budgetPace, budget?.isExhausted == false else { return }
        let time = Int64(clamping: pace.nextTime(.max))
        transfers[index].outlet.sleep(until: Instant(nanoseconds: time))
    }

    /// Passes on what an outlet lets through now.
    private mutating func empty(_ connection: UInt32, at now: Instant) {
        let index = Int(connection)
        while !transfers[index].isOver {
            let held = transfers[index].outlet.held
            let limit = allowance(held, at: now)
            switch transfers[index].outlet.next(at: now, limit: limit) {
            case .pass(let count):
                note(count, on: connection, at: now)
            case .fault(let fault):
                guard fault.effect.endsStream else { continue }
                end(connection, .cut(now, by: fault.id))
                link.remove(connection, at: now)
            case .wait:
                if limit == 0, held > 0 { awaitBudget(index) }
                link.setBacklog(
                    transfers[index].outlet.held,
                    of: stream(of: connection),
                    at: now
                )
                if transfers[index].outlet.wakeAt != nil, !sleepers.contains(connection) {
                    sleepers.append(connection)
                }
                return
            }
        }
    }

    private mutating func note(_ count: Int, on connection: UInt32, at now: Instant) {
        let index = Int(connection)
        noteGap(on: connection, at: now)
        transfers[index].lastDelivery = now
        prediction.connections[index].firstByte = prediction.connections[index].firstByte ?? now
        prediction.connections[index].delivered += UInt64(count)
        prediction.throughput.add(UInt64(count), at: now)
        if prediction.connections[index].delivered == prediction.model.bytes {
            end(connection, .completed(now))
        }
        spend(count, at: now)
    }

    private mutating func noteGap(on connection: UInt32, at now: Instant) {
        guard let last = transfers[Int(connection)].lastDelivery,
            now - last > prediction.model.stallThreshold
        else { return }
        prediction.stallCount += 1
        guard prediction.stalls.count < Prediction.eventLimit else { return }
        prediction.stalls.append(.init(connection: connection, begin: last, end: now))
    }

    /// Counts bytes against the budget, which slows the link down and then ends everything.
    private mutating func spend(_ count: Int, at now: Instant) {
        budgetPace?.spend(count)
        for crossing in budget?.add(UInt64(count)) ?? [] {
            switch crossing {
            case .soft:
                guard let rate = budget?.reducedRate else { continue }
                budgetPace = Pace(rate: rate, nowNanoseconds: UInt64(now.nanoseconds))
                var settings = link.settings
                settings.limit(to: rate)
                link.apply(settings, at: now)
            case .hard:
                for connection in 0..<prediction.model.connections {
                    end(connection, .cut(now, by: "the budget's hard limit"))
                }
            }
        }
    }

    private mutating func end(_ connection: UInt32, _ ending: Prediction.Ending) {
        let index = Int(connection)
        guard !transfers[index].isOver else { return }
        transfers[index].isOver = true
        openCount -= 1
        prediction.connections[index].ending = ending
    }

    private func stream(of connection: UInt32) -> Stream {
        Stream(connection: connection, direction: prediction.model.direction)
    }
}
