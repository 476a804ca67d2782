internal import Journal
internal import LinkEngine
package import Toxics

// Toxics, which act on each connection by itself.
extension ProxyServer {
    /// Changes the toxics to these, for open connections too; effective when it returns.
    ///
    /// In the order in which bytes meet them. One with the serial of an earlier one is the same with
    /// other settings, and keeps what it has drawn and counted.
    package func apply(_ toxics: [Toxic]) {
        guard toxics != self.toxics else { return }
        self.toxics = toxics
        for connection in inOrder {
            switch connection {
            case let session as DirectSession:
                if !toxics.isEmpty { gate(session).apply(toxics) }
            case let session as GatedSession: session.apply(toxics)
            default: break
            }
        }
    }

    // Reports.

    func toxicDecided(_ decision: ToxicDecision, on id: ConnectionID, atByte offset: UInt64) {
        guard reporter.isObserved else { return }
        let toxic = decision.toxic
        report(
            .draw(
                id,
                stream: "toxicity of \(toxic.name) \(toxic.direction.word)",
                index: 0,
                value: decision.draw
            )
        )
        let reason = "its toxicity leaves this connection alone"
        report(toxic, decision.isHit ? .fired : .unreached(reason: reason), on: id, offset)
    }

    /// Notes that a toxic ended a connection.
    func toxicActed(_ toxic: Toxic, on id: ConnectionID, atByte offset: UInt64) {
        guard reporter.isObserved else { return }
        report(toxic, .fired, on: id, offset, suffix: " end")
    }

    private func report(
        _ toxic: Toxic,
        _ state: FaultReport.State,
        on id: ConnectionID,
        _ offset: UInt64,
        suffix: String = ""
    ) {
        let report = FaultReport(
            connection: id,
            id: "toxic \(toxic.name)\(suffix)",
            address: "\(toxic.direction.word)+\(offset)",
            effect: toxic.action.description,
            state: state,
            offset: offset,
            isRacy: true
        )
        self.report(.fault(report))
    }
}

extension Direction {
    fileprivate var word: String { self == .up ? "up" : "down" }
}
