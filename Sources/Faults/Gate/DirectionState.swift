internal import Basics
internal import HTTPWire
internal import LinkEngine

/// One direction of a `FaultGate`: how far it has passed, and what holds or changes what comes.
///
/// A class, as are the parts of a stream: a look at one field of a large value copies all of it.
final class DirectionState {
    enum Phase: Hashable {
        case open
        /// A fault holds everything back for a time.
        case stalled
        case closed(by: String)
        case finished
    }

    /// Something that comes before further bytes.
    enum Step: Hashable {
        /// Bytes to the receiver; whether they count as bytes of the stream.
        case insert([UInt8], isOfStream: Bool)
        /// Content of the message that passes, in addition to the sender's.
        case copy([UInt8])
        case act(ArmedFault)
        case endPace
    }

    /// A range of the stream that does not pass as it is.
    struct Edit: Hashable {
        let range: Range<UInt64>
        /// What stands in its place, as far as it has not gone; nil for nothing.
        private(set) var insertion: ArraySlice<UInt8>?
        /// Whether that is content in the place of as much content.
        let isContent: Bool

        init(_ range: Range<UInt64>, insertion: [UInt8]?, isContent: Bool = false) {
            self.range = range
            self.isContent = isContent
            self.insertion = insertion.flatMap { $0.isEmpty ? nil : $0[...] }
        }

        /// Takes what is to go before the stream is at `place`, at most `limit` bytes of it.
        ///
        /// The receiver gets as many bytes as the sender has sent, but the last one only with the
        /// sender's last: what is cut within the range is cut within what stands in its place.
        mutating func takeInsertion(before place: UInt64, limit: UInt64) -> [UInt8] {
            guard let left = insertion else { return [] }
            let end =
                place >= range.upperBound
                ? left.endIndex
                : min(Int(place - range.lowerBound), max(left.endIndex, 1) - 1)
            let piece = left.prefix(upTo: max(left.startIndex, end)).prefix(Int(clamping: limit))
            insertion = piece.endIndex == left.endIndex ? nil : left[piece.endIndex...]
            return Array(piece)
        }

        /// Takes all that is to go.
        mutating func takeInsertion() -> [UInt8] { takeInsertion(before: .max, limit: .max) }
    }

    var phase = Phase.open
    /// Faults at bytes of the connection; counts what passes.
    var bytes: ByteFaults
    /// What of the messages has passed; bytes that never reach the receiver count, too.
    var progress: DeliveryProgress
    /// Whether its sender has ended, so that nothing else will be looked at.
    var hasEnded = false
    /// Not looked at yet: they belong to a request whose turn has not come.
    var events = GateQueue<TapEvent>()
    var steps: [Step] = []
    /// In order of their place.
    var edits = GateQueue<Edit>()
    /// Whether a `slow` lasts until the end of the message.
    var isPaced = false
    /// How much of what a `late` kept may still pass.
    var lateBytes: UInt64?

    init(_ direction: Direction, _ faults: [ArmedFault]) {
        bytes = ByteFaults(faults)
        progress = DeliveryProgress(direction)
    }

    /// Bytes passed or dropped, as messages count them.
    var passed: UInt64 { progress.passed }

    /// Whether bytes may pass: not stalled, not ended by a fault, not finished.
    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Ends a stall; without one it does nothing.
    func resume() {
        if phase == .stalled { phase = .open }
    }

    /// Lets nothing pass any more, because of this fault; does nothing once the stream has ended.
    func close(by fault: String) {
        switch phase {
        case .open, .stalled: phase = .closed(by: fault)
        case .closed, .finished: break
        }
    }

    /// The fault at a byte that acts now, which is then done.
    func nextByteFault(available: Int) -> ArmedFault? {
        guard isOpen, let fault = bytes.next(available: available) else { return nil }
        if fault.effect.endsStream {
            phase = .closed(by: fault.id)
        } else if fault.effect.isStall {
            phase = .stalled
        }
        return fault
    }

    /// What to do with waiting bytes where messages are not followed.
    func nextUnread(available: Int, ended: Bool) -> FaultGate.Answer {
        guard isOpen else { return .wait }
        if let fault = nextByteFault(available: available) { return .act(fault) }
        if available > 0 {
            let count = unobstructed(available)
            bytes.pass(count)
            return .pass(count, contentOf: nil)
        }
        guard ended else { return .wait }
        phase = .finished
        return .finish
    }

    /// Whether this many bytes may pass at once.
    func passes(_ count: Int) -> Bool { isOpen && unobstructed(count) == count }

    /// How many of these bytes may pass before the next fault at a byte acts.
    func unobstructed(_ count: Int) -> Int {
        Int(min(UInt64(count), bytes.unobstructed ?? .max))
    }

    /// The faults at bytes that have not acted, and why, if the connection ends now.
    var unfired: [UnfiredFault] {
        let reason: UnreachedReason =
            switch phase {
            case .open, .stalled: .connectionEnded
            case .closed(let id): .after(id)
            case .finished: .streamEnded(at: bytes.position)
            }
        return bytes.waiting.map { UnfiredFault(fault: $0, reason: reason) }
    }

    func edit(
        _ range: Range<UInt64>,
        insertion: [UInt8]? = nil,
        isContent: Bool = false
    ) {
        let edit = Edit(range, insertion: insertion, isContent: isContent)
        edits.insert(edit) { $0.range.lowerBound <= range.lowerBound }
    }

    /// Forgets edits whose bytes have passed.
    func dropPastEdits() {
        while let edit = edits.first, edit.range.upperBound <= passed, edit.insertion == nil {
            edits.removeFirst()
        }
    }
}
