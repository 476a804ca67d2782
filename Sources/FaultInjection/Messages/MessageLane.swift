internal import HTTPWire
internal import LinkEngine

/// One direction of a `MessageGate`.
struct MessageLane: Sendable {
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
        case act(RequestFault)
        case pace(BitRate?)
    }

    /// A range of the stream that does not pass as it is.
    struct Edit: Hashable {
        var range: Range<UInt64>
        /// What stands in its place.
        var insertion: [UInt8]?
    }

    var track: MessageTrack
    /// Whether its sender has ended, so that nothing else will be looked at.
    var hasEnded = false
    /// Not looked at yet: they belong to a request whose turn has not come.
    var events: [TapEvent] = []
    var phase = Phase.open
    var steps: [Step] = []
    /// In order of their place.
    var edits: [Edit] = []
    /// Whether a `slow` lasts until the end of the message.
    var isPaced = false
    /// How much of what a `late` kept may still pass.
    var lateBytes: UInt64?

    init(_ direction: Direction) { track = MessageTrack(direction) }

    var passed: UInt64 { track.passed }

    mutating func edit(_ range: Range<UInt64>, insertion: [UInt8]? = nil) {
        let place = edits.firstIndex { $0.range.lowerBound > range.lowerBound } ?? edits.count
        edits.insert(Edit(range: range, insertion: insertion), at: place)
    }

    /// The first edit that is not behind us.
    mutating func dropPastEdits() {
        while let edit = edits.first, edit.range.upperBound <= passed, edit.insertion == nil {
            edits.removeFirst()
        }
    }
}
