internal import Basics
internal import Faults
internal import SystemIO

// What effects do at places in the TLS with the client.
extension InspectedConnection {
    // MARK: While it begins

    /// Lets faults act that are due once the client's first message is there.
    ///
    /// - Returns: whether the handshake continues now.
    func actAtHello(_ leg: SecureLeg, _ tls: TLSStage) -> Bool {
        while let fault = tls.faults.next(at: .hello) {
            switch fault.effect {
            case .certificate: tls.faults.certificate = fault
            case .refuseTicket:
                leg.session.refusesTicket = true
                tls.faults.ticket = fault
            case .rejectEarlyData:
                leg.session.rejectsEarlyData = true
                tls.faults.earlyData = fault
            case .alpn(let taken):
                tls.faults.taken = fault
                guard taken != .none, !leg.session.offeredProtocols.contains(taken.rawValue) else {
                    continue
                }
                refuse(fault, .noApplicationProtocol, tls, leg)
                return false
            case .alert(let alert):
                refuse(fault, alert, tls, leg)
                return false
            default:
                guard let span = fault.effect.hold else {
                    end(by: fault, tls)
                    return false
                }
                suspend(by: fault, span, tls) { $0.advanceClient(leg, tls) }
                return false
            }
        }
        return true
    }

    /// Shows a client that waits what it is to get, after its upstream has answered.
    func answer(_ leg: SecureLeg, _ tls: TLSStage) throws(TLSError) -> Bool {
        let upstream = peers[.upstream].secure?.session
        if let fault = tls.faults.taken, case .alpn(.http2) = fault.effect,
            upstream?.chosenProtocol != Effect.TakenProtocol.http2.rawValue
        {
            refuse(fault, .noApplicationProtocol, tls, leg)
            return false
        }
        try tls.terminator.answer(leg.session, upstream: upstream, tls.faults)
        for fault in [tls.faults.certificate, tls.faults.taken].compactMap(\.self) {
            context.faults.fired(fault, on: identity.id)
        }
        return true
    }

    /// Sends the first words of the answer to a client, up to the fault that acts in them.
    func sayFirst(_ words: [UInt8], _ leg: SecureLeg, _ tls: TLSStage) {
        guard let fault = tls.faults.next(at: .handshake) else { return say(words, leg, tls) }
        let headerLength = 5
        let first = min(words.count, headerLength + (Int(words[3]) << 8 | Int(words[4])))
        say(Array(words[..<first]), leg, tls)
        let rest = Array(words[first...])
        guard let span = fault.effect.hold else { return endOnceSaid(fault, tls) }
        suspend(by: fault, span, tls) { session in
            session.say(rest, leg, tls)
            session.advanceClient(leg, tls)
        }
    }

    /// Notes that the handshake is over, and what has become of a ticket and of early data.
    ///
    /// To be called, too, when the connection ends before that.
    func handshakeEnded(_ leg: SecureLeg, _ tls: TLSStage) {
        let (ticket, earlyData) = (tls.faults.ticket, tls.faults.earlyData)
        (tls.faults.ticket, tls.faults.earlyData) = (nil, nil)
        if let ticket { note(ticket, leg.session.hasRefusedTicket, else: .noTicket) }
        if let earlyData { note(earlyData, leg.session.hasRejectedEarlyData, else: .noEarlyData) }
    }

    private func note(_ fault: ArmedFault, _ hasActed: Bool, else reason: UnreachedReason) {
        if hasActed {
            context.faults.fired(fault, on: identity.id)
        } else {
            context.reporter.unreached(fault, reason, on: identity.id)
        }
    }

    /// Reports the faults in TLS that can act no more, since there is none or it has come to its end.
    func giveUpTLSFaults(_ handshake: [ArmedFault], _ reason: UnreachedReason) {
        for fault in handshake { context.reporter.unreached(fault, reason, on: identity.id) }
        guard reason == .notSealed else { return }
        for fault in gate.unfired(.down).map(\.fault) where fault.tlsPlace != nil {
            _ = gate.disarm(fault.id)
            context.reporter.unreached(fault, reason, on: identity.id)
        }
    }

    private func suspend(
        by fault: ArmedFault,
        _ span: Effect.Hold,
        _ tls: TLSStage,
        _ resume: @escaping (InspectedConnection) -> Void
    ) {
        tls.isSuspended = true
        context.faults.fired(fault, on: identity.id)
        hold(span) { session in
            tls.isSuspended = false
            resume(session)
            session.makeProgress()
        }
    }

    private func refuse(
        _ fault: ArmedFault,
        _ alert: TLSAlert,
        _ tls: TLSStage,
        _ leg: SecureLeg
    ) {
        say(alert.record, leg, tls)
        endOnceSaid(fault, tls)
    }

    /// Lets a fault end the connection once the client can have all that was said.
    private func endOnceSaid(_ fault: ArmedFault, _ tls: TLSStage) {
        tls.hasFailed = true
        guard tls.toClient.isEmpty else {
            tls.ending = fault
            return
        }
        end(by: fault, tls)
    }

    /// Lets a fault end a connection whose TLS has not begun: nothing can pass in either direction.
    func end(by fault: ArmedFault, _ tls: TLSStage) {
        tls.hasFailed = true
        tls.ending = nil
        if case .hole(_, let duration) = fault.effect {
            openHole(fault, both: true, for: duration)
        } else {
            begin(fault)
        }
    }

    // MARK: In a record

    /// Lets a fault act in the middle of the record that comes next.
    func actInRecord(_ fault: ArmedFault) -> Step {
        guard let leg = peers[.client].secure, let tls else { return .fault(fault) }
        switch fault.effect {
        case let effect where effect.isStall:
            // The bytes of the record pass the gate; half of it waits behind that.
            gate.resume(fault)
            tls.nextRecord = fault
            return .moved
        case .corrupt:
            tls.nextRecord = fault
            return .moved
        default:
            precondition(
                fault.effect.endsConnection,
                "'\(fault.effect.name)' cannot act in a record"
            )
        }
        let count = min(flows[.down].unapproved, Int(Anchor.TLSPlace.recordLength))
        var content: [UInt8] = []
        flows[.down].forEachPiece(ofNext: count) { piece in
            for index in piece.indices { content.append(piece[index]) }
        }
        tools.buffer.store(content, at: 0)
        do throws(TLSError) {
            let record = try leg.sealed(tools.buffer, count: count)
            leg.append(Array(record[..<(record.count / 2)]))
        } catch {
            fail(.client, "TLS failed: \(error)")
            return .blocked
        }
        flushClient()
        return .fault(fault)
    }

    /// Seals content as a record in which a fault acts that the connection survives.
    func seal(_ count: Int, in leg: SecureLeg, _ tls: TLSStage, _ fault: ArmedFault)
        throws(TLSError)
    {
        tls.nextRecord = nil
        var record = try leg.sealed(tools.buffer, count: count)
        let middle = record.count / 2
        context.faults.fired(fault, on: identity.id)
        guard let span = fault.effect.hold else {
            record[middle] ^= fault.flippedBits
            return leg.append(record)
        }
        leg.append(Array(record[..<middle]))
        tls.isRecordHeld = true
        hold(span) { session in
            tls.isRecordHeld = false
            leg.append(Array(record[middle...]) + tls.heldWords)
            tls.heldWords = []
            leg.collect(using: session.tools.buffer)
            session.makeProgress()
        }
    }
}

extension TLSAlert {
    /// RFC 7301 §3.2.
    fileprivate static let noApplicationProtocol = TLSAlert(120)
}
