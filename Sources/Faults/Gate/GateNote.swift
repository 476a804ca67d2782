package import Basics
package import HTTPWire

/// What a `FaultGate` has seen or done, for the journal and for other connections.
package indirect enum GateNote: Hashable, Sendable {
    /// A request's head is complete.
    case request(UInt32, RequestHead, MessageFraming, headBytes: UInt64, isRacy: Bool)
    /// These fields were added to the request for the server, in this many bytes.
    case hinted(UInt32, [HeaderFields.Field], bytes: Int)
    /// An interim response has passed; `ordinal` counts those of its status.
    case interim(
        UInt32,
        ordinal: UInt32,
        ResponseHead,
        headBytes: UInt64,
        isByFault: Bool
    )
    /// The head of a final response has passed.
    case response(UInt32, ResponseHead, MessageFraming, headBytes: UInt64, isByFault: Bool)
    /// The content of a message is over, or cut off.
    case body(BodyNote)
    /// What was inside a direction is over, or cut off.
    case messages(MessagesNote)
    /// From here on nothing is known of a direction.
    case opaque(Direction, OpaqueReason)
    case draw(FaultDraw)
    /// A fault has acted that the gate itself carries out; others are given as an answer.
    case fired(ArmedFault)
    case unreached(ArmedFault, UnreachedReason)
    /// The client has answered a PING that went out with a GOAWAY of ours.
    case knowsGoAway
    /// The client has opened a stream after that.
    case lateStream
    /// A place that other faults wait for has been passed; its number in the plan.
    case happened(Int)
}

extension GateNote {
    /// What is said of content and messages in a direction in which a fault ended them.
    func cut(in direction: Direction) -> GateNote {
        switch self {
        case .body(var body) where body.direction == direction:
            body.isCutByFault = true
            return .body(body)
        case .messages(var messages) where messages.direction == direction:
            messages.isCutByFault = true
            return .messages(messages)
        default: return self
        }
    }
}

/// The messages inside a stream that have passed.
package struct MessagesNote: Hashable, Sendable {
    package let request: UInt32
    package let direction: Direction
    package let kind: MessageKind
    /// Those that the receiver has as a whole.
    package internal(set) var count: UInt32 = 0
    /// What it has of one more.
    package internal(set) var partialBytes: UInt64 = 0
    /// The code of the close frame that it has; nil for none, 1005 for one without a code
    /// (RFC 6455 §7.1.5).
    package internal(set) var closeCode: UInt16?
    /// What it was told for the case that the stream ends.
    package internal(set) var hint = ResumptionHint()
    /// How a gRPC call ended, if the client was told.
    package internal(set) var status: CallStatus?
    /// Whether the messages came to their own end.
    package internal(set) var isWhole = false
    /// Whether a fault ended them here, whatever else went on.
    package internal(set) var isCutByFault = false
    /// Whether the others that have passed could not be told apart.
    package internal(set) var isLost = false

    init(_ kind: MessageKind, _ request: UInt32, _ direction: Direction) {
        self.kind = kind
        self.request = request
        self.direction = direction
    }

    /// Adds copies of a message that the receiver has; stops at the largest count.
    mutating func add(_ copies: UInt32) {
        let (sum, isBeyond) = count.addingReportingOverflow(copies)
        count = isBeyond ? .max : sum
    }

    /// Takes the end of the content, which that of a WebSocket does not depend on.
    ///
    /// An answer to a gRPC call is whole with its trailers only.
    mutating func end(isComplete: Bool) {
        switch kind {
        case .webSocket: break
        case .event: isWhole = isComplete
        case .grpc: isWhole = isComplete && (direction == .up || status != nil)
        }
    }
}

/// The content of a message that has passed.
package struct BodyNote: Hashable, Sendable {
    package let request: UInt32
    package let direction: Direction
    /// Content bytes that passed.
    package internal(set) var bytes: UInt64 = 0
    /// Whether the message came to its own end.
    package internal(set) var isComplete = false
    /// Whether a fault ended it here, whatever else went on.
    package internal(set) var isCutByFault = false
    /// Content offsets of the ends of chunks, the first ones.
    package internal(set) var chunkEdges: [UInt64] = []

    /// So many ends of chunks are kept.
    static let maximumEdges = 64

    init(request: UInt32, direction: Direction) {
        self.request = request
        self.direction = direction
    }
}
