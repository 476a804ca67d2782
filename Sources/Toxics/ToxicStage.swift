internal import Basics

/// One toxic on one direction of one connection.
///
/// All calls come in the order of time.
struct ToxicStage: Sendable {
    private enum Behaviour: Sendable {
        case pass
        case latency(LatencyStage)
        case bandwidth(BandwidthStage)
        case slowClose(SlowCloseStage)
        case timeout(TimeoutStage)
        case resetPeer(ResetPeerStage)
        case slicer(SlicerStage)
        case limitData(LimitDataStage)
    }

    private(set) var toxic: Toxic
    /// What was drawn for this connection; the chance may change, the draw does not.
    let draw: UInt64
    private let variations: AddressedRandom.Series
    private var behaviour = Behaviour.pass

    init(_ toxic: Toxic, draws: ToxicDraws, at time: Instant) {
        self.toxic = toxic
        draw = draws.hit(of: toxic.name)
        variations = draws.variations(of: toxic.name)
        if isHit { begin(at: time) }
    }

    /// Whether the toxic acts on this connection.
    var isHit: Bool { draw < toxic.chance.threshold }

    /// Whether everything passes at once, so that the stage may be left out.
    var isTransparent: Bool {
        if case .pass = behaviour { return true }
        return false
    }

    /// Whether no byte ever passes.
    var dropsEverything: Bool {
        if case .timeout = behaviour { return true }
        return false
    }

    /// Pieces that wait.
    var count: Int {
        switch behaviour {
        case .latency(let stage): stage.count
        case .bandwidth(let stage): stage.count
        case .slowClose(let stage): stage.count
        case .slicer(let stage): stage.count
        case .pass, .timeout, .resetPeer, .limitData: 0
        }
    }

    /// When something leaves if nothing comes.
    var nextTime: Instant? {
        switch behaviour {
        case .latency(let stage): stage.nextTime
        case .bandwidth(let stage): stage.nextTime
        case .slowClose(let stage): stage.nextTime
        case .timeout(let stage): stage.nextTime
        case .resetPeer(let stage): stage.nextTime
        case .slicer(let stage): stage.nextTime
        case .pass, .limitData: nil
        }
    }

    /// Receives a piece at its time `at`, after what was due before.
    mutating func receive(_ piece: ToxicPassage, _ out: inout [ToxicPassage]) {
        advance(to: piece.at, &out)
        if case .reset = piece.content {
            out.append(piece)
            return
        }
        switch behaviour {
        case .pass: out.append(piece)
        case .latency(var stage):
            behaviour = .pass
            stage.receive(piece)
            stage.advance(to: piece.at, &out)
            behaviour = .latency(stage)
        case .bandwidth(var stage):
            behaviour = .pass
            stage.receive(piece)
            stage.advance(to: piece.at, &out)
            behaviour = .bandwidth(stage)
        case .slowClose(var stage):
            stage.receive(piece, &out)
            behaviour = .slowClose(stage)
        case .timeout(var stage):
            stage.receive(piece, &out)
            behaviour = .timeout(stage)
        case .resetPeer(var stage):
            stage.receive(piece, &out)
            behaviour = .resetPeer(stage)
        case .slicer(var stage):
            behaviour = .pass
            stage.receive(piece)
            stage.advance(to: piece.at, &out)
            behaviour = .slicer(stage)
        case .limitData(var stage):
            stage.receive(piece, &out)
            behaviour = .limitData(stage)
        }
    }

    /// Releases what is due, each piece at its own time.
    mutating func advance(to time: Instant, _ out: inout [ToxicPassage]) {
        guard let due = nextTime, due <= time else { return }
        // A stage is taken out while it changes, so that its queue is not copied.
        switch behaviour {
        case .latency(var stage):
            behaviour = .pass
            stage.advance(to: time, &out)
            behaviour = .latency(stage)
        case .bandwidth(var stage):
            behaviour = .pass
            stage.advance(to: time, &out)
            behaviour = .bandwidth(stage)
        case .slowClose(var stage):
            stage.advance(to: time, &out)
            behaviour = .slowClose(stage)
        case .timeout(var stage):
            stage.advance(to: time, &out)
            behaviour = .timeout(stage)
        case .resetPeer(var stage):
            stage.advance(to: time, &out)
            behaviour = .resetPeer(stage)
        case .slicer(var stage):
            behaviour = .pass
            stage.advance(to: time, &out)
            behaviour = .slicer(stage)
        case .pass, .limitData: break
        }
    }

    /// Takes new settings of the same toxic.
    mutating func change(to toxic: Toxic, at time: Instant, _ out: inout [ToxicPassage]) {
        let wasHit = isHit
        self.toxic = toxic
        switch (wasHit, isHit) {
        case (false, false): break
        case (false, true): begin(at: time)
        case (true, false):
            release(at: time, &out)
            behaviour = .pass
        case (true, true): adapt(at: time, &out)
        }
    }

    /// Releases what waits, and does what removing the toxic does.
    mutating func remove(at time: Instant, _ out: inout [ToxicPassage]) {
        if case .timeout(var stage) = behaviour {
            stage.remove(at: time, &out)
        } else {
            release(at: time, &out)
        }
        behaviour = .pass
    }

    private mutating func begin(at time: Instant) {
        behaviour =
            switch toxic.action {
            case .noop: .pass
            case .latency(let delay, let jitter):
                .latency(LatencyStage(delay, jitter: jitter, draws: variations))
            case .bandwidth(let rate): .bandwidth(BandwidthStage(rate))
            case .slowClose(let delay): .slowClose(SlowCloseStage(delay))
            case .timeout(let limit):
                .timeout(TimeoutStage(limit, serial: toxic.serial, at: time))
            case .resetPeer(let delay): .resetPeer(ResetPeerStage(delay, serial: toxic.serial))
            case .slicer(let average, let variation, let delay):
                .slicer(
                    SlicerStage(
                        average: average,
                        variation: variation,
                        delayMicroseconds: delay,
                        draws: variations
                    )
                )
            case .limitData(let limit): .limitData(LimitDataStage(limit, serial: toxic.serial))
            }
    }

    private mutating func adapt(at time: Instant, _ out: inout [ToxicPassage]) {
        switch (behaviour, toxic.action) {
        case (.latency(var stage), .latency(let delay, let jitter)):
            stage.change(delay, jitter: jitter, at: time, &out)
            behaviour = .latency(stage)
        case (.bandwidth(var stage), .bandwidth(let rate)):
            stage.change(rate, at: time)
            behaviour = .bandwidth(stage)
        case (.slowClose(var stage), .slowClose(let delay)):
            stage.change(delay, at: time, &out)
            behaviour = .slowClose(stage)
        case (.timeout(var stage), .timeout(let limit)):
            stage.change(limit, at: time)
            behaviour = .timeout(stage)
        case (.resetPeer(var stage), .resetPeer(let delay)):
            stage.change(delay, at: time, &out)
            behaviour = .resetPeer(stage)
        case (.slicer(var stage), .slicer(let average, let variation, let delay)):
            stage.change(
                average: average,
                variation: variation,
                delayMicroseconds: delay,
                at: time
            )
            behaviour = .slicer(stage)
        case (.limitData(var stage), .limitData(let limit)):
            stage.change(limit)
            behaviour = .limitData(stage)
        case (.pass, .noop): break
        default: preconditionFailure("a toxic keeps its type")
        }
    }

    private mutating func release(at time: Instant, _ out: inout [ToxicPassage]) {
        switch behaviour {
        case .latency(var stage): stage.release(at: time, &out)
        case .bandwidth(var stage): stage.release(at: time, &out)
        case .slowClose(var stage): stage.release(at: time, &out)
        case .resetPeer(var stage): stage.release(at: time, &out)
        case .slicer(var stage): stage.release(at: time, &out)
        case .pass, .timeout, .limitData: break
        }
    }
}
