internal import HTTPWire
internal import ResumableClient
internal import SystemIO

// Requests and what comes back.

extension ClientTransfer {
    /// Sends a request, after the digest that it carries was computed.
    func send(_ request: TransferRequest) {
        closeExchange()
        guard let digest = request.bodyDigest, let range = request.body, let source else {
            open(request)
            return
        }
        isSuspended = true
        computation = DigestComputation(
            .sha256,
            of: range,
            on: context.loop,
            reading: { source.read(into: $0, from: 0, limit: $1, at: $2) }
        ) { [weak self] value in
            guard let self else { return }
            computation = nil
            isSuspended = false
            guard let value else {
                return storageFailed(StorageError("cannot read '\(source.path)'", .cannotRead))
            }
            var complete = request
            let field = digest.field(value)
            complete.fields[field.name] = field.value
            open(complete)
            goOn()
        }
    }

    private func open(_ request: TransferRequest) {
        if let change = source?.change() { return storageFailed(change) }
        guard hasPartial() else { return }
        record(.request(RequestNote(request)))
        reply = nil
        body = nil
        let new = TransferExchange(
            request,
            source: request.body == nil ? nil : source,
            settings: description.connection,
            limits: description.retry,
            in: context
        ) { [weak self] exchange, event in
            guard let self, self.exchange === exchange else { return }
            take(event)
        }
        exchange = new
        new.start()
    }

    /// Makes the partial file anew if others have removed it.
    ///
    /// - Returns: false if something was lost with it, which the machine then knows.
    func hasPartial() -> Bool {
        guard let old = partial, !old.isInPlace else { return true }
        old.release()
        do throws(StorageError) {
            partial = try PartialFile(of: old.final)
        } catch {
            storageFailed(error)
            return false
        }
        guard let machine, machine.resumeOutcome != .none(.partialFile) else { return true }
        actions.removeAll()
        change { $0.partialFileGone(at: now) }
        return false
    }

    func closeExchange() {
        exchange?.close()
        exchange = nil
    }

    private func take(_ event: ExchangeEvent) {
        switch event {
        case .interim(let head):
            change { $0.interim(head, at: now) }
            keepUpload()
        case .sent(let count): sent(count)
        case .head(let head): answered(head)
        case .body(let buffer, let range): received(buffer, range)
        case .ended(let trailers): ended(trailers)
        case .failed(let failure, let didSend, let text):
            closeExchange()
            if failure.leavesOpenWhy { record(.event(.explanation(text))) }
            change { $0.requestFailed(failure, didSend: didSend, at: now) }
        case .sourceFailed(let error): storageFailed(error)
        }
    }

    private func sent(_ count: UInt64) {
        change { $0.bodySent(count, at: now) }
        keepUpload()
    }

    private func answered(_ head: ResponseHead) {
        record(.answer(head))
        if description.isUpload {
            reply = ReceivedResponse(head)
        } else {
            change { $0.head(head, at: now) }
        }
    }

    private func received(_ buffer: TransferBuffer, _ range: Range<Int>) {
        if reply != nil {
            reply?.append(buffer.bytes(range))
            return
        }
        guard var current = body else { return }
        let offset = current.offset
        let count = current.take(range.count)
        body = current
        do throws(StorageError) {
            let stored = range.lowerBound..<range.lowerBound + count
            try partial?.write(buffer, stored, at: offset)
            try output?.write(buffer, stored, at: offset)
        } catch {
            return storageFailed(error)
        }
        change { $0.bodyStored(current.count, at: now) }
        keepDownload()
    }

    private func ended(_ trailers: HeaderFields) {
        if let answer = reply {
            reply = nil
            // The server may have some bytes from before a change and some from after it.
            if let change = source?.change() { return storageFailed(change) }
            change { $0.final(answer.head, body: answer.body, at: now) }
            keepUpload()
        } else {
            change { $0.bodyEnded(trailers, at: now) }
        }
    }

    private func keepDownload() {
        guard let keeper, let partial, let data = machine?.resumeOutcome.data else { return }
        keeper.note(data, on: context.loop) { [loop = context.loop] done in
            partial.synchronize(on: loop, done: done)
        }
    }

    /// Keeps the URL of an upload as soon as it is known, and what the server confirmed.
    func keepUpload() {
        guard !isEnded, let keeper, let data = machine?.resumeOutcome.data else { return }
        keeper.note(data, on: context.loop)
    }
}

extension TransportFailure {
    /// Whether the transport has more to say of it than its name.
    fileprivate var leavesOpenWhy: Bool {
        switch self {
        case .refused, .connectTimeout, .idleTimeout: false
        case .unknownHost, .notConnected, .connectionLost, .truncated, .malformed, .untrusted: true
        }
    }
}
