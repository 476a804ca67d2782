internal import Basics
internal import HTTPWire
internal import Journal
internal import LinkEngine
internal import Toxics

// What sessions report besides faults.
extension ProxyReporter {
    /// A request was given hints: from there on the server's offsets are not the client's.
    func hinted(
        _ fields: [HeaderFields.Field],
        _ bytes: Int,
        of request: UInt32,
        on id: ConnectionID
    ) {
        let list = fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        report(.note(id, text: "r\(request): hints of \(bytes) bytes for the server: \(list)"))
    }

    /// It was drawn whether a toxic acts on a connection.
    func toxicDecided(_ decision: ToxicDecision, on id: ConnectionID, atByte offset: UInt64) {
        guard isObserved else { return }
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

    /// A toxic ended a connection.
    func toxicActed(_ toxic: Toxic, on id: ConnectionID, atByte offset: UInt64) {
        guard isObserved else { return }
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
