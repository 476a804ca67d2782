internal import Basics
internal import Faults
package import LinkEngine
internal import LinkProfile

/// Runs the link in virtual time: as fast as the processor, from one deadline to the next.
package struct Predictor: ~Copyable {
    private var link: Link
    private var prediction: Prediction
    private var faults: FaultAccount
    private var transfers: [Transfer] = []
    /// Transfers that are not over.
    private var openCount = 0
    /// Transfers whose outlet waits for a time, few, in the order of their turns.
    private var sleepers: [UInt32] = []
    private var budget: DataBudgetMeter?
    /// The reduced rate of the budget, once it is in force.
    private var budgetPace: Pace?
    private let onPackets: ([PacketRecord]) -> Void

    /// One connection's transfer.
    private struct Transfer {
        /// Bytes of a request that have not reached the server, which sends nothing before.
        var request: UInt64
        var unsent: UInt64
        var outlet: Outlet
        /// Bytes of a head that have not passed.
        var head: UInt64
        /// Bytes of the response to an upload that have not reached the client.
        var response: UInt64
        var isAnswered = false
        var lastDelivery: Instant?
        /// Whether the end of a stream of no bytes has crossed the link.
        var hasEnd = false
        var isOver = false
    }

    /// Predicts one transfer; `onPackets` hears of every packet once its fate is known, a few thousand
    /// at most at a time.
    package static func predict(
        _ model: TransferModel,
        onPackets: @escaping ([PacketRecord]) -> Void = { _ in }
    ) -> Prediction {
        var predictor = Predictor(model, onPackets: onPackets)
        return predictor.run()
    }

    private init(_ model: TransferModel, onPackets: @escaping ([PacketRecord]) -> Void) {
        self.onPackets = onPackets
        link = Link(settings: model.settings, seed: model.seed)
        link.keepsRecords = true
        faults = FaultAccount(model)
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
        let begin = Instant.start + prediction.model.lookupDelay
        for connection in 0..<prediction.model.connections { open(connection, at: begin) }
        takeEvents()
        while openCount > 0, let next = nextTime, next <= TransferModel.timeLimit {
            link.advance(to: next)
            takeEvents()
            wakeSleepers(at: next)
        }
        for connection in 0..<prediction.model.connections { leave(connection) }
        prediction.notPredicted = faults.notPredicted
        prediction.neverReached = faults.neverReached
        return prediction
    }

    private mutating func open(_ connection: UInt32, at begin: Instant) {
        let model = prediction.model
        let armed = faults.faults(on: connection)
        let outlet = Outlet(model.direction, faults: armed.refusedBy == nil ? armed : nil)
        transfers.append(
            Transfer(
                request: model.bytesBefore,
                unsent: model.headBytes + model.bytes,
                outlet: outlet,
                head: model.headBytes,
                response: model.bytesAfter
            )
        )
        openCount += 1
        if let fault = armed.refusedBy {
            faults.fired(fault)
            faults.unreached(armed.preempted)
            end(connection, .cut(begin, by: fault))
            return
        }
        link.open(connection, at: begin)
        if model.bytesBefore > 0 {
            link.send(Int(model.bytesBefore), on: reverse(of: connection), at: begin)
        } else {
            feed(connection, at: begin)
        }
        // What acts before the first byte does not wait for one.
        for direction in [Direction.up, .down]
        where !armed[direction].isEmpty && !transfers[Int(connection)].isOver {
            if direction == model.direction {
                empty(connection, at: begin)
            } else if let fault = faults.open(armed) {
                cut(connection, by: fault, at: begin)
            }
        }
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
        }
        link.finish(stream, at: now)
    }

    // MARK: Events of the link

    private mutating func takeEvents() {
        noteRecords()
        while let event = link.nextEvent() {
            take(event)
            // A link without delay carries any number of packets before its events run out.
            noteRecords()
        }
    }

    private mutating func noteRecords() {
        let records = link.takeRecords()
        guard !records.isEmpty else { return }
        for record in records { prediction.packets.add(record) }
        onPackets(records)
    }

    private mutating func take(_ event: LinkEvent) {
        switch event.kind {
        case .deliver(let stream, let count):
            guard !transfers[Int(stream.connection)].isOver else { return }
            guard stream.direction == prediction.model.direction else {
                return receiveOther(count, on: stream.connection, at: event.at)
            }
            transfers[Int(stream.connection)].outlet.add(count)
            empty(stream.connection, at: event.at)
        case .writable(let stream):
            let transfer = transfers[Int(stream.connection)]
            guard !transfer.isOver, transfer.request == 0, transfer.unsent > 0 else { return }
            feed(stream.connection, at: event.at)
        case .finished(let stream):
            guard stream.direction == prediction.model.direction, prediction.model.bytes == 0,
                !transfers[Int(stream.connection)].isOver
            else { return }
            transfers[Int(stream.connection)].hasEnd = true
            empty(stream.connection, at: event.at)
        case .timedOut(let connection):
            end(connection, .timedOut(event.at))
        case .aborted, .arrived, .lost: return
        }
    }

    /// Takes bytes of the direction in which no payload goes: the request before a download, or the
    /// response to an upload.
    private mutating func receiveOther(_ count: Int, on connection: UInt32, at now: Instant) {
        let index = Int(connection)
        // What exceeds the budget is cut off.
        let count = min(count, budget?.allowance.map { Int(clamping: $0) } ?? .max)
        guard transfers[index].request == 0 else {
            transfers[index].request -= min(transfers[index].request, UInt64(count))
            spend(count, at: now)
            if !transfers[index].isOver, transfers[index].request == 0 {
                feed(connection, at: now)
            }
            return
        }
        transfers[index].response -= min(transfers[index].response, UInt64(count))
        transfers[index].lastDelivery = now
        spend(count, at: now)
        if transfers[index].response == 0 { complete(connection, at: now) }
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
        return budgetPace?.allowance(metered, now: now) ?? metered
    }

    private mutating func awaitBudget(_ index: Int) {
        guard let pace = budgetPace, budget?.isExhausted == false else { return }
        transfers[index].outlet.sleep(until: pace.nextTime(.max))
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
                faults.fired(fault.id)
                if fault.effect.endsStream { cut(connection, by: fault, at: now) }
            case .wait:
                if isThrough(index), !awaitsMore(index) { return takeLast(connection, at: now) }
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
        let ofHead = min(transfers[index].head, UInt64(count))
        transfers[index].head -= ofHead
        let payload = UInt64(count) - ofHead
        if payload > 0 {
            prediction.connections[index].firstByte =
                prediction.connections[index].firstByte ?? now
            prediction.connections[index].delivered += payload
            prediction.throughput.add(payload, at: now)
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
                budgetPace = Pace(rate: rate, now: now)
                var settings = link.settings
                settings.limit(to: rate)
                link.apply(settings, at: now)
            case .hard:
                for connection in 0..<prediction.model.connections {
                    if isOver(Int(connection)) {
                        complete(connection, at: transfers[Int(connection)].lastDelivery ?? now)
                    } else {
                        end(connection, .cut(now, by: "the budget's hard limit"))
                    }
                }
            }
        }
    }

    // MARK: Endings

    /// Whether the receiver has everything; of nothing, that is its end.
    private func isThrough(_ index: Int) -> Bool {
        let bytes = prediction.model.bytes
        return prediction.connections[index].delivered == bytes
            && (bytes > 0 || transfers[index].hasEnd)
    }

    /// Whether nothing is missing, the response to an upload included.
    private func isOver(_ index: Int) -> Bool {
        isThrough(index) && transfers[index].response == 0
    }

    /// Whether a time has to pass before all is over: a fault follows, or the end itself is held.
    private func awaitsMore(_ index: Int) -> Bool {
        let outlet = transfers[index].outlet
        return prediction.model.bytes > 0 ? outlet.mayAct : outlet.wakeAt != nil
    }

    /// Ends a transfer with its last byte, whatever has happened since; an upload over HTTP is answered
    /// first.
    private mutating func takeLast(_ connection: UInt32, at now: Instant) {
        let index = Int(connection)
        guard transfers[index].response > 0 else {
            return complete(connection, at: transfers[index].lastDelivery ?? now)
        }
        guard !transfers[index].isAnswered else { return }
        transfers[index].isAnswered = true
        link.send(Int(transfers[index].response), on: reverse(of: connection), at: now)
    }

    private mutating func complete(_ connection: UInt32, at now: Instant) {
        transfers[Int(connection)].outlet.finish()
        end(connection, .completed(now))
    }

    private mutating func cut(_ connection: UInt32, by fault: ArmedFault, at now: Instant) {
        transfers[Int(connection)].outlet.close(by: fault.id)
        end(connection, .cut(now, by: fault.id))
        link.remove(connection, at: now)
    }

    /// Takes leave of a transfer for which nothing happens within the time limit.
    private mutating func leave(_ connection: UInt32) {
        if isOver(Int(connection)) {
            complete(
                connection,
                at: transfers[Int(connection)].lastDelivery ?? TransferModel.timeLimit
            )
        } else {
            end(connection, .unfinished)
        }
    }

    private mutating func end(_ connection: UInt32, _ ending: Prediction.Ending) {
        let index = Int(connection)
        guard !transfers[index].isOver else { return }
        transfers[index].isOver = true
        openCount -= 1
        faults.unreached(transfers[index].outlet.unfired)
        prediction.connections[index].ending = ending
    }

    private func stream(of connection: UInt32) -> Stream {
        Stream(connection: connection, direction: prediction.model.direction)
    }

    private func reverse(of connection: UInt32) -> Stream {
        Stream(connection: connection, direction: prediction.model.direction.opposite)
    }
}
