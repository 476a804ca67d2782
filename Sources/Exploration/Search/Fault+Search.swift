internal import Basics
package import Faults
internal import HTTPWire
internal import LinkEngine

// What the search asks of a fault.
extension Fault {
    /// Effect and arguments: what tells two faults at one place apart.
    package var deed: String { effect.canonicalText + options.canonicalText }

    /// Whether it acts on every try, so that a client cannot outlast it.
    package var isPermanent: Bool { options.times == nil && address.target.isEvery }

    /// Whether a client that keeps retrying gets past it: it is temporary, does not look final, and no
    /// server refuses for good or sends content that does not fit, either of which is a reason to stop.
    var passes: Bool {
        !isPermanent && !effect.kind.declaration.traits.contains(.excusesFailure)
            && !effect.kind.family.isOfServer && !isRefusal && !asksForEver && !looksFinal
    }

    /// Whether an answer to a lookup looks as if another one would be the same.
    private var looksFinal: Bool {
        if case .query(let effect) = effect { effect.looksFinal } else { false }
    }

    /// Whether it tells a client to wait for longer than anybody does.
    var asksForEver: Bool { effect == .unavailable(retryAfter: Self.secondsForEver) }

    /// Over three million years, in seconds.
    static let secondsForEver = "99999999999999"

    /// Whether it makes for an answer that another attempt need not change.
    ///
    /// The others are those that clients with retries repeat by themselves. After 408 they may
    /// (RFC 9110 §15.5.9), and many do not. An upload that is gone stays so; a client may begin another
    /// one.
    private var isRefusal: Bool {
        switch effect {
        case .status(let message), .early(let message):
            !Self.passingStatuses.contains(message.status)
        case .expire, .crash(.all): true
        default: false
        }
    }

    /// Whether it sends the client elsewhere.
    var redirects: Bool {
        if case .status(let message) = effect { 300..<400 ~= message.status } else { false }
    }

    private static let passingStatuses: Set<Int> = [429, 500, 502, 503, 504]

    func moved(to address: FaultAddress) -> Fault { Fault(address, effect, options) }
}

extension FaultTarget {
    /// Whether it names all connections, or all requests of a pattern or an object.
    fileprivate var isEvery: Bool {
        switch self {
        case .connections(let selector), .requests(on: let selector, _), .matching(_, let selector),
            .object(_, let selector), .flows(let selector, _), .queries(_, _, let selector):
            selector == .every
        }
    }
}

extension FaultAddress {
    /// Target and part without the offset: what a finding names as its place.
    package var message: String {
        anchor == .whole
            ? whose : "\(whose):\(anchor.message)"
    }
}

extension Anchor {
    /// The part that people mean; an interim response is one whatever its ordinal.
    var message: String {
        switch self {
        case .byte(.up, _): "up"
        case .byte(.down, _): "down"
        // Which of the chunks it is makes no other place.
        case .message(let direction, .size, _):
            direction == .up ? "req.size" : "resp.size"
        case .message(let direction, let part, _):
            Anchor.message(direction, part, .end).canonicalText
        case .interim(let status, _, _):
            Anchor.interim(status: status, ordinal: 1, .end).canonicalText
        // Which of the messages it is makes no other place.
        case .inside(let message, _): message.name
        case .datagrams(.up, _): "up"
        case .datagrams(.down, _): "down"
        case .connect, .idle, .whole, .silence, .tls: canonicalText
        }
    }
}
