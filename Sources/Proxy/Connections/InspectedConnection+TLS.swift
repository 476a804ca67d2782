internal import Basics
internal import Faults
internal import LinkEngine
internal import SystemIO

// What the two sides say under TLS, made plain for the gate and sealed again after it.
extension InspectedConnection {
    /// The first byte of a client's first message under TLS: a handshake record (RFC 8446 §5.1).
    private static let handshakeByte: UInt8 = 0x16

    // MARK: From the client

    /// Takes bytes of the client in the common buffer to the link, or opens them at once.
    func receiveFromClient(_ count: Int, _ tls: TLSStage) {
        guard let link else { return open(count, tls) }
        tls.fromClient.append(tools.buffer, from: 0, count: count)
        link.send(count, on: identity.stream(.up))
    }

    /// Opens bytes of the client that have crossed the link.
    func openArrived(_ count: Int, _ tls: TLSStage) {
        var left = count
        while left > 0, !isOver {
            let taken = tls.fromClient.read(into: tools.buffer, limit: left)
            guard taken > 0 else { return }
            left -= taken
            open(taken, tls)
        }
    }

    /// Opens bytes of the client in the common buffer.
    private func open(_ count: Int, _ tls: TLSStage) {
        guard !tls.hasFailed else { return }
        if case .undecided = tls.opening { decide(tls) }
        if case .plain = tls.opening {
            take(count, .up)
            return beginUpstream(tls)
        }
        guard let leg = peers[.client].secure else { return }
        leg.session.feed(tools.buffer, count: count)
        advanceClient(leg, tls)
    }

    /// Decides by the first byte whether the client speaks TLS.
    private func decide(_ tls: TLSStage) {
        let isTLS = tools.buffer.withBytes(0..<1) { $0[0] } == Self.handshakeByte
        switch (isTLS, tls.terminator.endsClients) {
        case (true, true): beginClient(tls)
        case (true, false):
            fail(
                .client,
                "the client speaks TLS, and linkcond speaks TLS with the upstream already; use an"
                    + " http URL, or let linkcond open the client's with '--tls terminate'"
            )
        case (false, _) where tls.terminator.takesPlain:
            tls.openPlainly()
            if tls.isEndHeld { releaseUpstream(tls) }
            giveUpTLSFaults(tls.faults.takeWaiting(), .notSealed)
        case (false, _):
            fail(
                .client,
                "the client does not speak TLS; use an https URL, or let linkcond take both with"
                    + " '--tls auto'"
            )
        }
    }

    private func beginClient(_ tls: TLSStage) {
        tls.opening = .sealed
        do throws(TLSError) {
            guard let session = try tls.terminator.client() else { return }
            peers[.client].secure = SecureLeg(session, pool: tools.chunks)
            limitHandshake(.client)
        } catch {
            fail(.client, error.description)
        }
    }

    /// Does what the client's side allows now.
    func advanceClient(_ leg: SecureLeg, _ tls: TLSStage) {
        do throws(TLSError) {
            guard try shakeHands(leg, tls) || leg.session.exchangesEarly, !tls.hasFailed,
                !tls.isSuspended
            else { return }
            try read(leg, .up)
        } catch {
            fail(.client, "TLS with the client failed: \(error)")
        }
    }

    /// Goes on with the client's handshake; true once it is done.
    private func shakeHands(_ leg: SecureLeg, _ tls: TLSStage) throws(TLSError) -> Bool {
        if leg.session.isEstablished { return true }
        guard !tls.isSuspended, !tls.hasFailed else { return false }
        let isDone = try leg.session.handshake()
        let words = leg.takeWords(using: tools.buffer)
        if tls.hasAnswered || words.isEmpty {
            say(words, leg, tls)
        } else {
            tls.hasAnswered = true
            sayFirst(words, leg, tls)
        }
        if isDone {
            handshakeEnded(leg, tls)
            releaseUpstream(tls)
        }
        guard leg.session.awaitsAnswer else { return isDone }
        guard actAtHello(leg, tls) else { return false }
        guard tls.upstreamHost == nil || peers[.upstream].secure?.session.isEstablished == true
        else {
            beginUpstream(tls)
            return false
        }
        guard try answer(leg, tls) else { return false }
        return try shakeHands(leg, tls)
    }

    /// Whether the upstream is read: not while the client's handshake is missing.
    ///
    /// A server of TLS says nothing of its content before that. What a server without TLS says first
    /// would otherwise reach a client whose first message is late in the clear.
    var hearsUpstream: Bool {
        guard let tls, tls.upstreamHost == nil, tls.terminator.endsClients else { return true }
        switch tls.opening {
        case .undecided: return tls.terminator.takesPlain
        case .plain: return true
        case .sealed:
            guard let session = peers[.client].secure?.session else { return true }
            return session.isEstablished || session.exchangesEarly
        }
    }

    /// Whether a handshake with the client is under way, or may still begin.
    func mayShakeHands(_ tls: TLSStage) -> Bool {
        if let leg = peers[.client].secure { return !leg.session.isEstablished }
        return tls.opening == .undecided && tls.terminator.endsClients
    }

    /// Lets what the upstream has said, and its end, follow the handshake.
    private func releaseUpstream(_ tls: TLSStage) {
        if tls.isEndHeld { link?.finish(identity.stream(.down)) }
        tls.isEndHeld = false
        continueLater()
    }

    /// Sends words of a handshake over the link.
    func say(_ words: [UInt8], _ leg: SecureLeg, _ tls: TLSStage) {
        guard let link else { return append(words, to: leg, tls) }
        let size = tls.toClient.append(words)
        if size > 0 { link.send(size, on: identity.stream(.down)) }
    }

    /// Lets words wait for the client's socket, after a record that is held.
    private func append(_ words: [UInt8], to leg: SecureLeg, _ tls: TLSStage) {
        guard !tls.isRecordHeld else { return tls.heldWords += words }
        leg.append(words)
        flush(.client)
    }

    /// Notes that bytes for the client have crossed the link.
    func arrivedForClient(_ count: Int, _ tls: TLSStage) {
        for piece in tls.toClient.arrived(count) {
            switch piece {
            case .bytes(let bytes):
                if let leg = peers[.client].secure { append(bytes, to: leg, tls) }
            case .content(let count): flows[.down].arrived(count)
            }
        }
        if let fault = tls.ending, tls.toClient.isEmpty { end(by: fault, tls) }
    }

    /// Notes that the client's FIN has crossed the link.
    func endArrived(_ tls: TLSStage) {
        guard flows[.up].end < .arrived else { return }
        if let leg = peers[.client].secure, !leg.session.isEstablished {
            return fail(.client, "the client has ended in the middle of the TLS handshake")
        }
        gate.end(.up)
        flows[.up].end = .arrived
    }

    // MARK: From the upstream

    /// Begins TLS with the upstream, if it speaks that.
    func beginUpstream(_ tls: TLSStage) {
        guard let host = tls.upstreamHost, !tls.hasBegunUpstream else { return }
        tls.hasBegunUpstream = true
        do throws(TLSError) {
            let client = peers[.client].secure?.session
            guard
                let session = try tls.terminator.upstream(
                    host,
                    for: client,
                    taking: tls.faults.takenProtocol
                )
            else { return }
            let leg = SecureLeg(session, pool: tools.chunks)
            peers[.upstream].secure = leg
            limitHandshake(.upstream)
            advanceUpstream(leg, tls)
        } catch {
            failUpstream(error)
        }
    }

    /// Takes bytes of the upstream in the common buffer.
    func receiveFromUpstream(_ count: Int, _ tls: TLSStage) {
        guard let leg = peers[.upstream].secure else { return take(count, .down) }
        leg.session.feed(tools.buffer, count: count)
        advanceUpstream(leg, tls)
    }

    private func advanceUpstream(_ leg: SecureLeg, _ tls: TLSStage) {
        do throws(TLSError) {
            if !leg.session.isEstablished {
                let isDone = try leg.session.handshake()
                leg.collect(using: tools.buffer)
                flush(.upstream)
                guard isDone else { return }
                if let client = peers[.client].secure, client.session.awaitsAnswer {
                    advanceClient(client, tls)
                }
                continueLater()
            }
            try read(leg, .down)
        } catch {
            failUpstream(error)
        }
    }

    // MARK: Both

    /// Reads what a session has opened.
    private func read(_ leg: SecureLeg, _ direction: Direction) throws(TLSError) {
        let sender = Side(receiverOf: direction).opposite
        reading: while !isOver {
            switch try leg.session.read(into: tools.buffer, limit: tools.buffer.capacity) {
            case .bytes(let count): take(count, direction)
            case .needsInput: break reading
            case .closed:
                if !leg.hasPeerClosed { closed(leg, by: sender) }
                break reading
            }
        }
        if direction == .down || tls?.isRecordHeld != true { leg.collect(using: tools.buffer) }
    }

    /// Notes that one side has said that no more comes.
    private func closed(_ leg: SecureLeg, by side: Side) {
        leg.hasPeerClosed = true
        peers[side].hasEnded = true
        if firstToEnd == nil { firstToEnd = side }
        if side == .upstream {
            forwardEnd(.down)
        } else {
            gate.end(.up)
            flows[.up].end = .arrived
        }
    }

    /// Takes plain bytes in the common buffer to the gate; those for the client over the link.
    private func take(_ count: Int, _ direction: Direction) {
        show(count, direction)
        let isOnLink = direction == .down && link != nil
        flows[direction].append(tools.buffer, count: count, isOnLink: isOnLink)
        guard isOnLink, let link, let tls else { return }
        let isSealed = peers[.client].secure != nil
        link.send(
            tls.toClient.append(content: count, isSealed: isSealed),
            on: identity.stream(.down)
        )
    }

    /// Whether content may go to a side.
    ///
    /// Its handshake must be over, and the side must know that. A client that sends early data gets
    /// content earlier, but not the end of the stream.
    func isSecured(_ side: Side) -> Bool {
        guard let leg = peers[side].secure else { return true }
        guard leg.session.isEstablished || leg.session.exchangesEarly && waits(.down)
        else { return false }
        return side == .upstream || tls?.toClient.hasWords == false
    }

    /// Whether content of a direction waits for its receiver.
    private func waits(_ direction: Direction) -> Bool {
        flows[direction].hasApproved || flows[direction].unapproved > 0
    }

    /// Seals approved bytes for a side, as far as it takes them.
    func seal(_ direction: Direction, for target: Side, _ leg: SecureLeg) -> Step {
        guard leg.outgoing.isEmpty, tls?.isRecordHeld != true else { return .blocked }
        let fault = direction == .down ? tls?.nextRecord : nil
        let most = fault == nil ? tools.buffer.capacity : RecordsOnLink.contentLimit
        let limit = min(paced(direction), most, leftToWrite(direction))
        guard limit > 0 else { return .blocked }
        let count = flows[direction].take(into: tools.buffer, limit: limit)
        do throws(TLSError) {
            if let fault, let tls {
                try seal(count, in: leg, tls, fault)
            } else {
                try leg.seal(tools.buffer, count: count)
            }
        } catch {
            fail(target, "TLS failed: \(error)")
            return .blocked
        }
        lastDelivery = direction
        flows[direction].pace?.spend(count)
        flush(target)
        return .moved
    }

    /// Says to a side that no more comes, if the other one has said so or knows no way to.
    func sayClosed(to target: Side) {
        guard let leg = peers[target].secure, leg.session.isEstablished,
            peers[target.opposite].secure?.hasPeerClosed ?? true
        else { return }
        leg.session.close()
        leg.collect(using: tools.buffer)
        flush(target)
    }

    /// Writes ciphertext that waits.
    func flushSecured() {
        guard tls != nil else { return }
        flush(.client)
        flush(.upstream)
    }

    func flushClient() { flush(.client) }

    private func flush(_ side: Side) {
        guard held == nil else { return }
        peers[side].flush()
    }

    // MARK: Failing

    /// Ends a connection whose handshake does not come to its end.
    private func limitHandshake(_ side: Side) {
        let span = Duration.milliseconds(clamping: context.limits.connectTimeoutMilliseconds)
        setAlarm(at: context.loop.now + span) { session in
            guard session.peers[side].secure?.session.isEstablished == false else { return }
            // A fault takes the time that it takes.
            if session.tls?.isSuspended == true { return session.limitHandshake(side) }
            let name = side == .client ? "client" : "upstream"
            session.fail(side, "the \(name) does not go on with the TLS handshake")
        }
    }

    private func failUpstream(_ error: TLSError) {
        // A server may complain of a client that has closed without a word; there is nothing left to fail.
        if flows[.up].end == .passed, let leg = peers[.upstream].secure, leg.session.isEstablished {
            return leg.hasPeerClosed ? () : closed(leg, by: .upstream)
        }
        if let client = peers[.client].secure, client.session.awaitsAnswer {
            client.session.refuse()
            _ = try? client.session.handshake()
        }
        fail(.upstream, "TLS with the upstream failed: \(error)")
    }

    /// Reports what is wrong with the TLS of a side, tells it so, and ends the connection.
    func fail(_ side: Side, _ words: String) {
        guard let tls, !tls.hasFailed, !isOver, isMoving else { return }
        tls.hasFailed = true
        context.reporter.tlsFailed(identity.id, words)
        for side in [Side.client, .upstream] {
            peers[side].secure?.collect(using: tools.buffer)
            peers[side].flush()
        }
        finish(by: side.party)
    }
}
