package import Basics
package import DNSWire

/// What goes wrong with answers to queries, written as `A(api.example.com)#1=nxdomain`.
package struct QueryFault: Hashable, Sendable {
    /// Nil for all types, `*(api.example.com)#1`.
    package var type: RecordType?
    /// Whose queries; `*` stands for any characters, dots too.
    package var names: HostPattern
    /// Which ones of these queries, counted from 1 in the order in which they come.
    package var ordinals: OrdinalSelector
    package var effect: QueryEffect

    package init(
        _ type: RecordType?,
        _ names: HostPattern,
        _ ordinals: OrdinalSelector,
        _ effect: QueryEffect
    ) {
        self.type = type
        self.names = names
        self.ordinals = ordinals
        self.effect = effect
    }

    /// Whether a question is among those that are counted for it.
    package func concerns(_ question: DNSMessage.Question) -> Bool {
        (type == nil || type == question.type)
            && names.matches(host: question.name.text, port: nil)
    }

    /// A fault that acts on answers; nil for any other one.
    package init?(_ fault: Fault) {
        guard case .queries(let type, let names, let ordinals) = fault.address.target,
            case .query(let effect) = fault.effect
        else { return nil }
        self.init(type, names, ordinals, effect)
    }

    /// Where it acts, as in `A(api.example.com)#1`.
    package var place: String { FaultTarget.queries(type, names, ordinals).canonicalText }

    /// The one way to write it.
    package var canonicalText: String { "\(place)=\(effect.canonicalText)" }
}

/// What a fault does to an answer.
package enum QueryEffect: Hashable, Sendable {
    /// `nxdomain`, `servfail`, `refused`: this response code and no record.
    case code(ResponseCode)
    /// `nodata`: the name exists, without a record of this type (RFC 2308 §2.2).
    case noData
    /// `timeout`: no answer.
    case timeout
    /// `truncate`: asks for TCP, where the same query then ends so.
    case truncate(StreamEnding)
    /// `cname-loop`: two names, each of which is another one for the other.
    case cnameLoop
    /// `delay`: the answer comes later.
    case delay(Duration)
    /// `wrong`: these addresses instead, or one of those for documentation (RFC 5737, RFC 3849).
    case wrong([NetworkAddress])
    /// `rotate`: one address in each answer, in turn, of these or else of the answer's own.
    case rotate([NetworkAddress])
    /// `dead-first`: this address before all others, or one of those for documentation.
    case deadFirst(NetworkAddress?)
    /// `ttl`: how many seconds the answer may be kept.
    case lifetime(UInt32)

    /// What becomes of the query over TCP.
    package enum StreamEnding: String, Hashable, Sendable, CaseIterable {
        /// It is answered.
        case answer
        /// Nothing comes, and the connection stays open.
        case hole
        /// The connection ends.
        case fin
        /// The connection is reset.
        case rst
    }

    /// The names of all effects, in the order of help.
    package static let names = [
        "nxdomain", "nodata", "servfail", "refused", "timeout", "delay", "truncate", "wrong",
        "rotate", "dead-first", "ttl", "cname-loop",
    ]

    package var name: String {
        switch self {
        case .code(.nameError): "nxdomain"
        case .code(.refused): "refused"
        case .code: "servfail"
        case .noData: "nodata"
        case .timeout: "timeout"
        case .truncate: "truncate"
        case .cnameLoop: "cname-loop"
        case .delay: "delay"
        case .wrong: "wrong"
        case .rotate: "rotate"
        case .deadFirst: "dead-first"
        case .lifetime: "ttl"
        }
    }

    package var canonicalText: String {
        let values: [String] =
            switch self {
            case .code, .noData, .timeout, .cnameLoop, .truncate(.answer): []
            case .truncate(let ending): [ending.rawValue]
            case .delay(let time): [Quantity.text(time)]
            case .wrong(let addresses), .rotate(let addresses): addresses.map(\.text)
            case .deadFirst(let address): address.map { [$0.text] } ?? []
            case .lifetime(let seconds): [String(seconds)]
            }
        return values.isEmpty ? name : "\(name)(\(values.joined(separator: ",")))"
    }

    /// Whether it makes an answer of its own, whatever the addresses are.
    package var replaces: Bool {
        switch self {
        case .code, .noData, .timeout, .truncate, .cnameLoop: true
        case .delay, .wrong, .rotate, .deadFirst, .lifetime: false
        }
    }
}
