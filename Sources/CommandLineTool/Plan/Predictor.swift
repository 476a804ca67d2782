internal import FaultInjection
internal import LinkEngine

/// Runs the link in virtual time: as fast as the processor, from one deadline to the next.
struct Predictor: ~Copyable {
    private var link: Link
    private var prediction: Prediction
    private var transfers: [Transfer]
    private let onPacket: (PacketRecord) -> Void

    /// One connection's transfer.
    private struct Transfer {
        var unsent: UInt64
        var gate: FaultGate
        var lastDelivery: Instant?
        var isOver = false
    }

    /// Predicts one transfer; `onPacket` hears of every packet once its fate is known.
    static func predict(
        _ model: TransferModel,
        faults: [Fault] = [],
        onPacket: @escaping (PacketRecord) -> Void = { _ in }
    ) -> Prediction {
        var predictor = Predictor(model, faults: faults, onPacket: onPacket)
        return predictor.run()
    }

    private init(
        _ model: TransferModel,
        faults: [Fault],
        onPacket: @escaping (PacketRecord) -> Void
    ) {
        self.onPacket = onPacket
        let plan = FaultPlan(faults: faults, seed: model.seed)
        link = Link(settings: model.settings, seed: model.seed)
        link.keepsRecords = true
        prediction = Prediction(
            model: model,
            connections: Array(repeating: .init(), count: Int(model.connections))
        )
        transfers = (0..<model.connections).map { connection in
            let own = plan.faults(onConnection: connection + 1)
            return Transfer(unsent: model.bytes, gate: FaultGate(faults: own[model.direction]))
        }
        for connection in 0..<model.connections {
            if let fault = plan.faults(onConnection: connection + 1).refusedBy {
                cut(connection, by: fault, at: .start)
            }
        }
    }

    private mutating func run() -> Prediction {
        for connection in 0..<prediction.model.connections where !transfers[Int(connection)].isOver
        {
            link.open(connection, at: .start)
            feed(connection, at: .start)
        }
        takeEvents()
        while let deadline = link.nextDeadline, deadline <= TransferModel.timeLimit,
            transfers.contains(where: { !$0.isOver })
        {
            link.advance(to: deadline)
            takeEvents()
        }
        return prediction
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
            guard stream.direction == prediction.model.direction else { return }
            deliver(count, to: stream.connection, at: event.at)
        case .writable(let stream):
            guard !transfers[Int(stream.connection)].isOver else { return }
            feed(stream.connection, at: event.at)
        case .timedOut(let connection):
            end(connection, .timedOut(event.at))
        case .finished, .aborted: return
        }
    }

    private mutating func deliver(_ count: Int, to connection: UInt32, at now: Instant) {
        var waiting = count
        while !transfers[Int(connection)].isOver {
            switch transfers[Int(connection)].gate.next(available: waiting) {
            case .pass(let passed):
                waiting -= passed
                note(passed, on: connection, at: now)
            case .act(let fault):
                if fault.effect.endsStream { cut(connection, by: fault.id, at: now) }
                transfers[Int(connection)].gate.resume()
            case .finish, .wait:
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
    }

    private mutating func noteGap(on connection: UInt32, at now: Instant) {
        guard let last = transfers[Int(connection)].lastDelivery,
            now - last > prediction.model.stallThreshold
        else { return }
        prediction.stallCount += 1
        guard prediction.stalls.count < Prediction.eventLimit else { return }
        prediction.stalls.append(.init(connection: connection, begin: last, end: now))
    }

    private mutating func cut(_ connection: UInt32, by fault: String, at now: Instant) {
        end(connection, .cut(now, by: fault))
        link.remove(connection, at: now)
    }

    private mutating func end(_ connection: UInt32, _ ending: Prediction.Ending) {
        let index = Int(connection)
        guard !transfers[index].isOver else { return }
        transfers[index].isOver = true
        prediction.connections[index].ending = ending
    }

    private func stream(of connection: UInt32) -> Stream {
        Stream(connection: connection, direction: prediction.model.direction)
    }
}
