package import Faults
package import Origin
internal import Proxy
package import SystemIO

/// Makes the embedded origin crash for a proxy.
package final class OriginCrashes: OriginFaults {
    private weak var origin: OriginServer?

    package init(_ origin: OriginServer) { self.origin = origin }

    package func objection(to fault: Fault) -> String? { nil }

    /// It never stops listening.
    package var isComingBack: Bool { false }

    /// It has its turn on the same loop while the proxy waits.
    package func hasRead(from peer: SocketAddress?) -> Bool { true }

    package func hasDealtWithAll(from peer: SocketAddress?) -> Bool? {
        peer.map { origin?.hasDealtWithAll(from: $0) ?? true }
    }

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
