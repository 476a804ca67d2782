internal import FaultInjection
internal import LinkEngine

/// A fault that acts on a connection: at a byte of it, or in a request or response.
indirect enum ActingFault {
    case bytes(ArmedFault)
    case message(RequestFault)
    /// The same as at a byte, but done by somebody at this moment.
    case byHand(ArmedFault)

    var id: String {
        switch self {
        case .bytes(let fault), .byHand(let fault): fault.id
        case .message(let fault): fault.id
        }
    }

    var effect: Effect {
        switch self {
        case .bytes(let fault), .byHand(let fault): fault.effect
        case .message(let fault): fault.effect
        }
    }

    var far: FarEnding {
        switch self {
        case .bytes(let fault), .byHand(let fault): fault.far
        case .message(let fault): fault.far
        }
    }

    /// The direction whose receiver is at the near leg.
    var direction: Direction {
        switch self {
        case .bytes(let fault), .byHand(let fault): fault.direction
        case .message(let fault): fault.direction
        }
    }

    /// How long what comes is read after our end; nil for the default.
    var drain: LinkEngine.Duration? {
        switch self {
        case .bytes, .byHand: nil
        case .message(let fault): fault.options.drain
        }
    }
}

/// What the gates of a direction say to do next.
enum GateAnswer {
    /// So many bytes were approved.
    case pass(Int)
    case drop(Int)
    case insert([UInt8])
    case act(ActingFault)
    case pace(BitRate?)
    case corrupt(UInt8)
    case finish
    case wait

    init(_ answer: FaultGate.Answer) {
        self =
            switch answer {
            case .pass(let count): .pass(count)
            case .act(let fault): .act(.bytes(fault))
            case .finish: .finish
            case .wait: .wait
            }
    }
}
