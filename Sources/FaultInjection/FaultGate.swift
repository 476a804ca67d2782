/// The point in one direction of one connection that no byte passes behind a fault's back.
///
/// The gate counts bytes and never sees them. It stands at the delivery end: whoever holds bytes
/// that could be written to the receiver now asks `next` again and again until it says `wait`, and
/// does what each answer says. The sequence of answers depends on the bytes only, not on how they
/// were cut into slices or how often the gate was asked.
///
/// A fault acts as soon as its offset was passed, without waiting for a further byte: at offset 0
/// with the first call, at the last byte before the stream's end is passed on. Only `corrupt` waits
/// for the byte that it flips.
package struct FaultGate: Hashable, Sendable {
    /// What to do next.
    package enum Answer: Hashable, Sendable {
        /// Forward exactly so many of the waiting bytes, at least one. They count as passed.
        case pass(Int)
        /// Let this fault act, once, and ask again.
        ///
        /// - `slow`: pace everything from here on at its rate; a later one replaces it.
        /// - `corrupt`: XOR the first waiting byte with `flippedBits`. It is passed later.
        /// - `stall`: forward nothing for its time, then call `resume`. Until then `next` says
        ///   `wait`.
        /// - `hole`: forward nothing more, in this direction or in both. With a time: then reset
        ///   both legs. `next` says `wait` for ever.
        /// - `finish`, `reset`: end the near leg, once everything passed before is delivered.
        ///   `next` says `wait` for ever.
        indirect case act(ArmedFault)
        /// Pass the end of the stream on. Said once; `wait` follows.
        case finish
        /// Nothing to do until there are more bytes, the end, or `resume`.
        case wait
    }

    private enum Phase: Hashable {
        case open
        case stalled
        indirect case closed(by: String)
        case finished
    }

    /// Bytes passed so far.
    package private(set) var position: UInt64 = 0
    private var faults: [ArmedFault] { didSet { noteNext() } }
    private var nextFault = 0 { didSet { noteNext() } }
    /// Where the next fault acts; asked for at every byte that comes.
    private var nextOffset: UInt64?
    private var phase = Phase.open

    /// - Parameter faults: of this direction, as `ConnectionFaults` gives them.
    package init(faults: [ArmedFault]) {
        precondition(zip(faults, faults.dropFirst()).allSatisfy { $0.offset <= $1.offset })
        self.faults = faults
        nextOffset = faults.first?.offset
    }

    /// Begins behind bytes that have passed without a gate; no fault is armed.
    package mutating func begin(at position: UInt64) {
        precondition(faults.isEmpty && self.position == 0, "a gate that is not in use")
        self.position = position
    }

    /// Arms one more fault.
    ///
    /// - Returns: false if its place is passed, or if no byte passes any more.
    package mutating func arm(_ fault: ArmedFault) -> Bool {
        guard fault.offset >= position, phase == .open || phase == .stalled else { return false }
        let place =
            faults[nextFault...].firstIndex { ArmedFault.actsBefore(fault, $0) } ?? faults.endIndex
        faults.insert(fault, at: place)
        return true
    }

    /// Takes back a fault that has not acted; false if there is none.
    package mutating func disarm(_ id: String) -> Bool {
        guard let place = faults[nextFault...].firstIndex(where: { $0.id == id }) else {
            return false
        }
        faults.remove(at: place)
        return true
    }

    /// What to do with the waiting bytes.
    ///
    /// - Parameters:
    ///   - available: bytes that could be forwarded now; offering fewer than wait is fine.
    ///   - ended: whether the stream's end (FIN) follows right behind these bytes. Its end is
    ///     passed on when it is said with nothing available.
    /// - Returns: the next step; `pass` and `act` are to be taken before asking again.
    package mutating func next(available: Int, ended: Bool = false) -> Answer {
        precondition(available >= 0, "a count of bytes")
        guard phase == .open else { return .wait }
        if nextOffset == position, available > 0 || faults[nextFault].effect != .corrupt {
            return act(faults[nextFault])
        }
        if available > 0 {
            let count = Int(min(UInt64(available), unobstructed ?? .max))
            position += UInt64(count)
            return .pass(count)
        }
        guard ended else { return .wait }
        phase = .finished
        return .finish
    }

    /// Ends a stall; without one it does nothing.
    package mutating func resume() {
        if phase == .stalled { phase = .open }
    }

    /// Says that a fault of the other direction, or of this one at `connect`, ended the
    /// connection.
    ///
    /// `next` says `wait` from now on. Does nothing once the stream has ended.
    package mutating func close(by fault: String) {
        if phase == .open || phase == .stalled { phase = .closed(by: fault) }
    }

    /// How many bytes may pass before the next fault acts; nil if none is left.
    ///
    /// Nil, and `isOpen`: the bytes need not pass the gate any more, as long as nobody asks for
    /// `position`.
    package var unobstructed: UInt64? { nextOffset.map { $0 - position } }

    /// Whether bytes may pass: not stalled, not ended by a fault, not finished.
    package var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Whether so many bytes may pass at once: no fault acts before the last of them has passed.
    package func passes(_ count: Int) -> Bool {
        isOpen && (unobstructed.map { $0 >= UInt64(count) } ?? true)
    }

    /// Passes bytes that `passes` speaks of, as `next` would.
    package mutating func pass(_ count: Int) {
        precondition(passes(count), "bytes were passed before a fault")
        position += UInt64(count)
    }

    /// The faults that have not acted so far, with the reason if the connection ends now.
    package var unfired: [UnfiredFault] {
        let reason: UnreachedReason =
            switch phase {
            case .open, .stalled: .connectionEnded
            case .closed(let id): .after(id)
            case .finished: .streamEnded(at: position)
            }
        return faults[nextFault...].map { UnfiredFault(fault: $0, reason: reason) }
    }

    private mutating func noteNext() {
        nextOffset = nextFault < faults.count ? faults[nextFault].offset : nil
    }

    private mutating func act(_ fault: ArmedFault) -> Answer {
        nextFault += 1
        if fault.effect.endsStream {
            phase = .closed(by: fault.id)
        } else if case .stall = fault.effect {
            phase = .stalled
        }
        return .act(fault)
    }
}
