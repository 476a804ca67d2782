package import Basics

/// What a chain does with the bytes it received, in their order.
package enum ToxicEvent: Hashable, Sendable {
    /// This many further bytes pass.
    case deliver(Int)
    /// This many further bytes are dropped.
    case drop(Int)
    /// The end of the stream passes; no byte follows.
    case finished
    /// The toxic with this serial ends both sides of the connection after what passed. Nothing
    /// follows.
    case close(by: UInt64)
    /// Both sides are to be reset now; what has not been written is lost. Nothing follows.
    case reset(by: UInt64)
}

/// What was decided for a connection when it met a toxic.
package struct ToxicDecision: Hashable, Sendable {
    package let toxic: Toxic
    /// Of 53 bits, compared with the chance.
    package let draw: UInt64
    package let isHit: Bool
}

extension ToxicStage {
    fileprivate var decision: ToxicDecision {
        ToxicDecision(toxic: toxic, draw: draw, isHit: isHit)
    }
}

/// The toxics of one direction of one connection, in the order of their creation.
///
/// A value without clock or bytes: the caller keeps the bytes in a queue, reports how many came, and
/// learns how many of the oldest pass or are dropped. Time is always an argument and never
/// goes back. Calling `advance` early, late or in small steps changes no event and not their order.
package struct ToxicChain: Sendable {
    private let draws: ToxicDraws
    private var stages: [ToxicStage] = []
    private var events = PieceQueue<ToxicEvent>()
    private var now: Instant
    /// Bytes that no event has covered yet.
    package private(set) var waitingBytes = 0
    /// Whether nothing can follow: the end has gone on, or the connection is closed or reset.
    private var isOver = false
    /// Whose `close` or `reset` came, also if it is gone by then.
    package private(set) var endedBy: Toxic?
    /// What was decided and not yet asked for.
    private var decisions: [ToxicDecision] = []

    /// A toxic treats a longer piece as several.
    package static let pieceBytes = 32_768
    /// So many pieces at most should wait; `isFull` says when to stop.
    private static let pieceLimit = 1_024

    /// Makes a chain for a stream that begins now.
    ///
    /// - Parameters:
    ///   - draws: of this direction of this connection.
    ///   - toxics: of the proxy; those of the other direction must be left out.
    ///   - time: on the clock that all further times are of.
    package init(draws: ToxicDraws, toxics: [Toxic], at time: Instant) {
        self.draws = draws
        now = time
        apply(toxics, at: time)
    }

    /// Whether all bytes go on at once and none waits, so that the chain need not be asked.
    package var isTransparent: Bool {
        waitingBytes == 0 && events.isEmpty && stages.allSatisfy(\.isTransparent)
    }

    /// Whether no toxic is left and nothing waits, so that the chain can go.
    package var isEmpty: Bool { stages.isEmpty && waitingBytes == 0 && events.isEmpty }

    /// Whether no more bytes should come for now.
    package var isFull: Bool { stages.reduce(0) { $0 + $1.count } >= Self.pieceLimit }

    /// Whether no byte passes as long as the toxics stay as they are.
    package var dropsEverything: Bool { stages.contains(where: \.dropsEverything) }

    /// When `advance` should be called again if nothing else happens; nil for never.
    package var nextDeadline: Instant? {
        isOver ? nil : stages.reduce(nil) { Self.earlier($0, $1.nextTime) }
    }

    /// Whether the toxic with this serial acts on this connection.
    package func isHit(serial: UInt64) -> Bool {
        stages.contains { $0.toxic.serial == serial && $0.isHit }
    }

    /// Changes the toxics to these; effective at once for bytes that wait, too.
    ///
    /// A toxic with the serial of an earlier one is the same with other settings.
    package mutating func apply(_ toxics: [Toxic], at time: Instant) {
        advance(to: time)
        let old = stages
        stages = []
        var passages: [ToxicPassage] = []
        for var stage in old {
            var out: [ToxicPassage] = []
            for passage in passages { stage.receive(passage, &out) }
            if let toxic = toxics.first(where: { $0.serial == stage.toxic.serial }) {
                let wasHit = stage.isHit
                if toxic != stage.toxic { stage.change(to: toxic, at: now, &out) }
                if stage.isHit != wasHit { decisions.append(stage.decision) }
                stages.append(stage)
            } else {
                stage.remove(at: now, &out)
            }
            passages = out
        }
        for toxic in toxics where !old.contains(where: { $0.toxic.serial == toxic.serial }) {
            var stage = ToxicStage(toxic, draws: draws, at: now)
            decisions.append(stage.decision)
            var out: [ToxicPassage] = []
            for passage in passages { stage.receive(passage, &out) }
            passages = out
            stages.append(stage)
        }
        leave(passages, old + stages)
    }

    /// What was decided since it was last asked.
    package mutating func takeDecisions() -> [ToxicDecision] {
        defer { decisions = [] }
        return decisions
    }

    /// Reports that this many further bytes of the stream came.
    package mutating func send(_ count: Int, at time: Instant) {
        advance(to: time)
        guard !isOver else { return }
        waitingBytes += count
        var pieces: [ToxicPassage] = []
        var left = count
        while left > 0 {
            let size = min(left, Self.pieceBytes)
            pieces.append(ToxicPassage(content: .bytes(size), stamp: now, at: now))
            left -= size
        }
        run(pieces)
    }

    /// Reports that the stream has ended after the last byte.
    package mutating func finish(at time: Instant) {
        advance(to: time)
        run([ToxicPassage(content: .end, stamp: now, at: now)])
    }

    /// Brings the chain up to a time.
    package mutating func advance(to time: Instant) {
        now = max(now, time)
        guard let deadline = nextDeadline, deadline <= now else { return }
        run([])
    }

    /// Takes the next event; nil if there is none by now.
    package mutating func nextEvent() -> ToxicEvent? {
        guard !events.isEmpty else { return nil }
        let event = events.removeFirst()
        switch event {
        case .deliver(let count), .drop(let count): waitingBytes -= count
        case .finished, .close, .reset: break
        }
        return event
    }

    /// Lets pieces and what is due through all stages.
    private mutating func run(_ pieces: [ToxicPassage]) {
        guard !isOver else { return }
        var passages = pieces
        for index in stages.indices {
            var out: [ToxicPassage] = []
            for passage in passages { stages[index].receive(passage, &out) }
            stages[index].advance(to: now, &out)
            passages = out
        }
        leave(passages, stages)
    }

    private mutating func leave(_ passages: [ToxicPassage], _ stages: [ToxicStage]) {
        for passage in passages where !isOver {
            switch passage.content {
            case .bytes(let count): events.append(.deliver(count))
            case .dropped(let count): events.append(.drop(count))
            case .end:
                events.append(.finished)
                isOver = true
            case .close(let serial):
                events.append(.close(by: serial))
                isOver = true
                endedBy = stages.first { $0.toxic.serial == serial }?.toxic
            case .reset(let serial):
                events.append(.reset(by: serial))
                isOver = true
                endedBy = stages.first { $0.toxic.serial == serial }?.toxic
            }
        }
    }

    private static func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }
}
