internal import Basics
internal import Faults

/// The receiving end of one transfer, where faults stand between the link and the receiver.
final class Outlet {
    /// What becomes of the bytes that wait.
    enum Step: Hashable, Sendable {
        /// So many reach the receiver now.
        case pass(Int)
        /// A fault acts; it may end the transfer.
        case fault(ArmedFault)
        /// Nothing until more bytes come, or until `wakeAt`.
        case wait
    }

    /// Delivered by the link and not yet passed on.
    private(set) var held = 0
    /// When a stall ends, or the next bytes of a slowed stream are due.
    private(set) var wakeAt: Instant?
    private let direction: Direction
    private var gate: FaultGate
    private var pace: BitRate?

    /// - Parameters:
    ///   - direction: in which the transfer goes.
    ///   - faults: of its connection; nil for none.
    init(_ direction: Direction, faults: ConnectionFaults?) {
        self.direction = direction
        gate = FaultGate(faults: faults)
    }

    func add(_ count: Int) { held += count }

    /// Lets time pass: a stall or a pause that is due ends.
    func advance(to now: Instant) {
        guard let due = wakeAt, due <= now else { return }
        wakeAt = nil
        gate.resume(direction)
    }

    /// Passes nothing before `time`, unless a fault holds it back already.
    func sleep(until time: Instant) { wakeAt = wakeAt ?? time }

    /// Passes the end of the stream on, unless a fault holds it back.
    func finish() { _ = gate.next(direction, available: 0, ended: true) }

    /// Says that a fault of the other direction ended the connection.
    func close(by fault: String) { gate.close(direction, by: fault) }

    /// Whether a fault stands right behind what has passed, and waits only for a time.
    var mayAct: Bool { wakeAt != nil && gate.unobstructed(direction) == 0 }

    /// The faults that have not acted, if the connection ends now.
    var unfired: [UnfiredFault] { gate.unfired(direction) }

    /// The next thing that happens now; ask until it says `wait`.
    ///
    /// At most `limit` bytes pass.
    func next(at now: Instant, limit: Int) -> Step {
        guard wakeAt == nil else { return .wait }
        // A slowed stream trickles in pieces of one segment.
        let available = min(held, limit, pace == nil ? .max : 1_448)
        switch gate.next(direction, available: available) {
        case .pass(let count, _):
            held -= count
            if let pace { wakeAt = now + pace.serializationTime(bytes: count) }
            return .pass(count)
        case .act(let fault):
            take(fault.effect, at: now)
            return .fault(fault)
        case .finish, .wait, .drop, .insert, .endPace: return .wait
        }
    }

    private func take(_ effect: Effect, at now: Instant) {
        switch (effect, effect.hold) {
        case (_, .time(let time)?): wakeAt = now.later(by: time)
        // What it waits for comes from other traffic, which is not predicted.
        case (_, .until?): break
        case (.slow(let rate), _): pace = rate
        default:
            precondition(
                effect.endsConnection || effect.actsInPassing,
                "the prediction does not handle '\(effect.name)'"
            )
        }
    }
}
