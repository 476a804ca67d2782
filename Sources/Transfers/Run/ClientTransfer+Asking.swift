internal import HTTPWire
internal import ResumableClient
internal import SystemIO

// `OPTIONS` before an upload whose protocol is not known.

extension ClientTransfer {
    /// Whether a request may be sent now; if not, the protocol is taken to be the default one.
    ///
    /// The question is too small to take a turn for.
    var mayAsk: Bool {
        var path = path
        path?.hasTurn = true
        return pathPolicy.start(path, at: now, isFirst: true) == .mayStart
    }

    /// Asks the target which protocol it speaks, then begins.
    func askForProtocol(_ settings: UploadChoices) {
        let request = TransferRequest(
            ordinal: 0,
            address: description.address,
            method: "OPTIONS",
            fields: [
                "Host": description.address.hostField,
                "Tus-Resumable": "1.0.0",
                "Upload-Draft-Interop-Version": "6",
            ]
        )
        record(.request(RequestNote(request)))
        let new = TransferExchange(
            request,
            source: nil,
            settings: description.connection,
            limits: description.retry,
            in: context
        ) { [weak self] exchange, event in
            guard let self, self.exchange === exchange else { return }
            switch event {
            case .head(let head):
                record(.answer(head))
                chose(head.fields.contains("Tus-Version") ? .tus : .ietf(.v6), settings)
            case .failed(_, _, let text): chose(.ietf(.v6), settings, because: text)
            default: break
            }
        }
        exchange = new
        new.start()
    }

    private func chose(
        _ dialect: UploadPlan.Dialect,
        _ settings: UploadChoices,
        because reason: String? = nil
    ) {
        closeExchange()
        let text = "the protocol is \(ProtocolName.text(dialect))"
        record(.event(.explanation(reason.map { "\(text): \($0)" } ?? text)))
        beginUpload(settings, dialect, nil)
    }
}
