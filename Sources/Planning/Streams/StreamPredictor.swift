internal import Basics
internal import Faults
package import LinkEngine

/// Sends streams of datagrams over the link in virtual time.
package struct StreamPredictor: ~Copyable {
    private var link: Link
    private var prediction: StreamPrediction
    private var streams: [Sender] = []
    /// Datagrams on the link.
    private var travelling = 0
    private var ledger: FaultLedger
    private let onPackets: ([PacketRecord]) -> Void

    /// One stream on its way.
    private struct Sender {
        var gate: FlowGate
        var exit = FlowExit<UInt64>()
        /// What the link calls it.
        var flow: UInt32
        var next: UInt64 = 0
        /// Verdicts of those on the link, by number; only where a fault may act.
        var verdicts: [UInt64: FlowGate.Verdict] = [:]
        var arrivals: Arrivals
    }

    /// Predicts the streams; `onPackets` hears of every packet once its fate is known, a few thousand
    /// at most at a time.
    package static func predict(
        _ model: StreamModel,
        onPackets: @escaping ([PacketRecord]) -> Void = { _ in }
    ) -> StreamPrediction {
        precondition((1...StreamModel.maximumLength).contains(model.length) && !model.isTooLarge)
        var predictor = StreamPredictor(model, onPackets)
        return predictor.run()
    }

    private init(_ model: StreamModel, _ onPackets: @escaping ([PacketRecord]) -> Void) {
        self.onPackets = onPackets
        link = Link(settings: model.settings, seed: model.seed)
        link.keepsRecords = true
        let plan = FaultPlan(faults: model.faults, seed: model.seed)
        ledger = FaultLedger(plan: plan)
        prediction = StreamPrediction(
            model: model,
            flows: Array(repeating: .init(), count: Int(model.flows))
        )
        for number in 0..<model.flows {
            streams.append(
                Sender(
                    gate: FlowGate(faults: plan.faults(onFlow: number + 1), isIPv6: false),
                    flow: link.openFlow(number, at: .start),
                    arrivals: Arrivals(model, flow: number)
                )
            )
        }
    }

    private mutating func run() -> StreamPrediction {
        let count = prediction.model.count
        for number in 0..<count {
            for index in streams.indices {
                let moment = prediction.model.moment(of: number, flow: UInt32(index))
                advance(to: moment)
                send(index, number, at: moment)
                takeEvents()
                prediction.end = max(prediction.end, moment)
            }
        }
        while travelling > 0 || streams.contains(where: { !$0.exit.isIdle }),
            let next = nextTime, next <= TransferModel.timeLimit
        {
            advance(to: next)
        }
        finish(count)
        return prediction
    }

    /// When something next happens, on the link or after it.
    private var nextTime: Instant? {
        mutating get {
            streams.compactMap(\.exit.nextDeadline).reduce(link.nextDeadline) { earliest, due in
                earliest.map { min($0, due) } ?? due
            }
        }
    }

    private mutating func advance(to moment: Instant) {
        while let next = nextTime, next <= moment {
            link.advance(to: next)
            takeEvents()
            for index in streams.indices {
                streams[index].exit.advance(to: next)
                drain(index, at: next)
            }
        }
        link.advance(to: moment)
        takeEvents()
    }

    private mutating func send(_ index: Int, _ number: UInt64, at moment: Instant) {
        let model = prediction.model
        let verdict = streams[index].gate.judge(
            model.direction,
            length: model.length,
            packets: [],
            at: moment
        )
        for fired in verdict.fired { ledger.fired(fired.id) }
        if verdict.isDropped {
            prediction.flows[index].dropped += 1
            return
        }
        if verdict != FlowGate.Verdict() { streams[index].verdicts[number] = verdict }
        travelling += 1
        link.sendDatagram(
            number,
            payload: model.length,
            on: Stream(connection: streams[index].flow, direction: model.direction),
            at: moment
        )
    }

    // MARK: Events of the link

    private mutating func takeEvents() {
        noteRecords()
        while let event = link.nextEvent() {
            take(event)
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
        case .arrived(let stream, let number):
            travelling -= 1
            let index = Int(stream.connection - Stream.firstFlow)
            let verdict = streams[index].verdicts.removeValue(forKey: number) ?? .init()
            streams[index].exit.pass(number, verdict, at: event.at)
            drain(index, at: event.at)
        case .lost(let stream, let number, _):
            travelling -= 1
            streams[Int(stream.connection - Stream.firstFlow)].verdicts[number] = nil
        case .deliver, .finished, .aborted, .writable, .timedOut: break
        }
    }

    private mutating func drain(_ index: Int, at now: Instant) {
        while let number = streams[index].exit.next() {
            streams[index].arrivals.add(number, at: now)
            prediction.throughput.add(UInt64(prediction.model.length), at: now)
            prediction.end = max(prediction.end, now)
        }
    }

    private mutating func finish(_ count: UInt64) {
        for index in streams.indices {
            prediction.flows[index].sent = count
            streams[index].arrivals.write(to: &prediction.flows[index])
            for fault in streams[index].gate.silentFaults { ledger.unreached(fault, .flowEnded) }
        }
        let plan = FaultPlan(faults: prediction.model.faults, seed: prediction.model.seed)
        for (row, fault) in zip(ledger.rows, plan.faults.map(\.fault)) where row.fired == 0 {
            if fault.isPredicted(on: prediction.model.direction) {
                prediction.neverReached.append(row)
            } else {
                prediction.notPredicted.append(row.id)
            }
        }
    }
}

extension Fault {
    /// Whether a stream in one direction that never pauses, of no protocol, shows what it does.
    fileprivate func isPredicted(on direction: Direction) -> Bool {
        guard case .flows(_, let type) = address.target else { return false }
        guard type == nil, case .datagrams(direction, _) = anchor else { return false }
        return true
    }
}
