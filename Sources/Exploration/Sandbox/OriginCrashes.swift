package import FaultInjection
package import Libuv
internal import Proxy
package import Transfer

/// Makes the embedded origin crash for a proxy.
package final class OriginCrashes: OriginFaults {
    private weak var origin: OriginServer?

    package init(_ origin: OriginServer) { self.origin = origin }

    package func objection(to fault: Fault) -> String? { nil }

    /// It never stops listening.
    package var isComingBack: Bool { false }

    /// It has its turn on the same loop while the proxy waits.
    package func hasRead(from peer: SocketAddress?) -> Bool { true }

    package func crash(
        losing loss: Effect.CrashLoss,
        done: @escaping (_ isBack: Bool) -> Void
    ) {
        let lost: OriginLoss =
            switch loss {
            case .none: .none
            case .tail(let bytes): .tail(bytes)
            case .uncommitted: .uncommitted
            case .meta: .metadata
            case .all: .all
            }
        origin?.crash(losing: lost)
        done(origin != nil)
    }
}

extension OriginFault {
    /// The faults of a run that act at the embedded origin, with the identities of the plan.
    package static func all(in plan: FaultPlan) -> [OriginFault] {
        plan.faults.compactMap { id, fault in
            guard case .object(let path, let selector) = fault.address.target,
                let rule = fault.effect.originRule
            else { return nil }
            let times = fault.options.times
            return OriginFault(
                id: id,
                rule: rule,
                matches: { path.matches(target: $0) },
                names: { selector.names($0, times: times) }
            )
        }
    }
}

extension Effect {
    /// The origin's own word for this.
    fileprivate var originRule: String? {
        switch self {
        case .mutate(let mutation): "mutate=\(mutation.rawValue)"
        case .expire: "forget"
        case .limit(.maximumAppendSize, let bytes): "max-append-size=\(bytes)"
        case .limit(.maximumSize, let bytes): "max-size=\(bytes)"
        case .range(let misbehaviour):
            switch misbehaviour {
            case .ignore: "ignore-range"
            case .shift(let distance): "shift-range=\(distance)"
            case .short(let bytes): "short=\(bytes)"
            case .noContentRange: "no-content-range"
            case .wrongTotal: "wrong-total"
            case .partialAs200: "200-partial"
            case .notModified: "304"
            case .unsatisfiable: "416"
            case .multipart: "multipart"
            case .gzip: "gzip"
            }
        default: nil
        }
    }
}
