import Basics
import Toxics

/// A chain in virtual time, with what it did and when.
struct Timeline {
    struct Entry: Hashable, CustomStringConvertible {
        var milliseconds: Double
        var event: ToxicEvent
        var description: String { "\(milliseconds): \(event)" }
    }

    var chain: ToxicChain
    private(set) var entries: [Entry] = []
    private(set) var now = Instant.start

    init(
        _ toxics: [Toxic],
        seed: UInt64 = 1,
        proxy: String = "p",
        connection: UInt64 = 1,
        direction: Direction = .down
    ) {
        let draws = ToxicDraws(
            seed: seed,
            proxy: proxy,
            connection: connection,
            direction: direction
        )
        chain = ToxicChain(draws: draws, toxics: toxics, at: .start)
    }

    init(_ actions: ToxicAction...) {
        self.init(actions.enumerated().map { .on(UInt64($0 + 1), $1) })
    }

    /// Goes on to a time, waking up at every deadline before it.
    mutating func advance(toMilliseconds milliseconds: Double) {
        advance(to: Instant(nanoseconds: Int64(milliseconds * 1_000_000)))
    }

    mutating func advance(to time: Instant) {
        while let deadline = chain.nextDeadline, deadline <= time {
            now = max(now, deadline)
            chain.advance(to: now)
            take()
        }
        now = max(now, time)
        chain.advance(to: now)
        take()
    }

    mutating func send(_ count: Int, atMilliseconds milliseconds: Double) {
        advance(toMilliseconds: milliseconds)
        chain.send(count, at: now)
        take()
    }

    mutating func finish(atMilliseconds milliseconds: Double) {
        advance(toMilliseconds: milliseconds)
        chain.finish(at: now)
        take()
    }

    mutating func apply(_ toxics: [Toxic], atMilliseconds milliseconds: Double) {
        advance(toMilliseconds: milliseconds)
        chain.apply(toxics, at: now)
        take()
    }

    private mutating func take() {
        while let event = chain.nextEvent() {
            entries.append(Entry(milliseconds: Double(now.nanoseconds) / 1_000_000, event: event))
        }
    }

    var delivered: Int {
        entries.reduce(0) { if case .deliver(let count) = $1.event { $0 + count } else { $0 } }
    }

    var dropped: Int {
        entries.reduce(0) { if case .drop(let count) = $1.event { $0 + count } else { $0 } }
    }

    var events: [ToxicEvent] { entries.map(\.event) }

    /// When the last event came.
    var lastMilliseconds: Double? { entries.last?.milliseconds }
}

extension Toxic {
    static func on(
        _ serial: UInt64,
        _ action: ToxicAction,
        chance: Probability = .one,
        name: String? = nil
    ) -> Toxic {
        Toxic(
            serial: serial,
            name: name ?? "toxic\(serial)",
            direction: .down,
            action: action,
            chance: chance
        )
    }
}
