internal import Faults
internal import Proxy
internal import SystemIO

/// Makes a server that a trial has started crash for its proxy.
///
/// What it has then is what its own storage holds.
final class ServerCrashes: OriginFaults {
    private let server: TrialServer
    private let onFailure: (String) -> Void

    /// - Parameters:
    ///   - server: of the trial.
    ///   - onFailure: told in words when it does not come back.
    init(_ server: TrialServer, onFailure: @escaping (String) -> Void) {
        self.server = server
        self.onFailure = onFailure
    }

    func objection(to fault: Fault) -> String? {
        guard case .crash(let loss) = fault.effect else {
            return "is of the embedded origin; leave the fault or --origin-cmd out"
        }
        return loss == .none || server.losesState
            ? nil
            : "says what a crash loses, which linkcond cannot take from your own server; write"
                + " 'crash' alone, or give --origin-crash-cmd that does so"
    }

    var isComingBack: Bool { server.isComingBack }

    func hasRead(from peer: SocketAddress?) -> Bool {
        peer?.port.map { server.hasRead(fromPort: Int($0)) } ?? true
    }

    /// A program may say more at any time.
    func hasDealtWithAll(from peer: SocketAddress?) -> Bool? { nil }

    func crash(
        losing loss: Effect.CrashLoss,
        done: @escaping (_ isBack: Bool) -> Void
    ) {
        server.crash(losing: loss) { [onFailure] problem in
            if let problem { onFailure("the server did not come back from its crash: \(problem)") }
            done(problem == nil)
        }
    }
}
