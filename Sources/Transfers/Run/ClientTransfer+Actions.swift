internal import Basics
internal import HTTPWire
internal import ResumableClient
internal import SystemIO

// What the machine wants, done in order.

extension ClientTransfer {
    func perform(_ wanted: [TransferAction]) {
        actions += wanted
        guard !isPerforming, !isSuspended else { return }
        isPerforming = true
        defer { isPerforming = false }
        while !actions.isEmpty, !isSuspended, !isEnded {
            perform(actions.removeFirst())
        }
    }

    /// Goes on after work in the background.
    func goOn() {
        isSuspended = false
        perform([])
    }

    private func perform(_ action: TransferAction) {
        switch action {
        case .send(let request): send(request)
        case .closeConnection: closeExchange()
        case .discard:
            exchange?.discard()
            exchange = nil
        case .wait(let time): timer?.start(afterMilliseconds: time.milliseconds)
        case .waitForPath: timer?.stop()
        case .truncate(let size): truncate(to: size)
        case .store(let from, let limit): store(from: from, limit: limit)
        case .verify(let checks): verify(checks)
        case .rename: rename()
        case .report(let event): record(.event(event))
        case .finished(let result): end(.finished(result))
        case .failed(let failure): end(.failed(failure))
        case .paused(let outcome): end(.paused(outcome))
        }
    }

    // MARK: Downloads

    private func truncate(to size: UInt64) {
        do throws(StorageError) {
            // First the resume data: they must never be of other bytes than those in the file.
            if size == 0 { keeper?.discard() }
            try partial?.truncate(to: size)
            try output?.truncate(to: size)
        } catch {
            storageFailed(error)
        }
    }

    private func store(from offset: UInt64, limit: UInt64?) {
        body = DownloadBody(from: offset, limit: limit)
        do throws(StorageError) {
            if let limit { try partial?.reserve(from: offset, to: offset &+ limit) }
        } catch {
            storageFailed(error)
        }
    }

    private func verify(_ checks: [DigestCheck]) {
        if let output {
            let isRight = output.isRight(checks)
            change { $0.verified(isRight, at: now) }
            return
        }
        verify(checks[...])
    }

    /// Computes one digest after the other.
    private func verify(_ checks: ArraySlice<DigestCheck>) {
        guard let partial, let check = checks.first else {
            change { $0.verified(true, at: now) }
            return
        }
        computation = DigestComputation(
            check.algorithm == .sha256 ? .sha256 : .sha512,
            of: check.range,
            on: context.loop,
            reading: { partial.read(into: $0, limit: $1, at: $2) }
        ) { [weak self] digest in
            guard let self else { return }
            computation = nil
            if digest == check.expected { return verify(checks.dropFirst()) }
            change { $0.verified(false, at: self.now) }
        }
    }

    private func rename() {
        guard hasPartial(), let partial else { return }
        isSuspended = true
        partial.commit(on: context.loop) { [weak self] error in
            guard let self else { return }
            if let error {
                actions.removeAll()
                let resume = machine?.resumeOutcome ?? .none(.final)
                actions = [.failed(TransferFailure(reason: error.reason, resume: resume))]
            }
            goOn()
        }
    }

    // MARK: The end

    /// Ends the transfer: what it leaves is on the disk before the last record.
    func end(_ ending: TransferEnding) {
        guard !isEnded else { return }
        setEnding(ending)
        actions.removeAll()
        keeper?.stop()
        closeExchange()
        timer?.close()
        deadline?.close()
        computation?.cancel()
        computation = nil
        guard ending.isResumable else { return finish(ending) }
        guard let partial else { return save(ending) }
        partial.synchronize(on: context.loop) { [self] isDone in
            isDone ? save(ending) : save(notOnDisk(ending, partial))
        }
    }

    /// What was written last may be lost: only what was on the disk before can be gone on from.
    private func notOnDisk(_ ending: TransferEnding, _ partial: PartialFile) -> TransferEnding {
        let resume = keeper?.saved.map { ResumeOutcome.data($0) } ?? .none(.partialFile)
        let reason = "'\(partial.place.path)' cannot be brought to the disk"
        return .failed(TransferFailure(reason: .storage(reason, .cannotWrite), resume: resume))
    }

    private func save(_ ending: TransferEnding) {
        leave(ending.resume?.data)
        if let keeper, let data = ending.resume?.data {
            do throws(StorageError) {
                try keeper.save(data, durably: true)
                record(.saved(keeper.store.place.path))
            } catch {
                record(.event(.explanation(error.description)))
            }
        }
        releasePartial()
        record(.ended(ending))
    }

    /// Whoever hears of the end can begin another transfer to the same file at once.
    private func releasePartial() {
        partial?.release()
        partial = nil
    }

    private func finish(_ ending: TransferEnding) {
        keeper?.discard()
        if case .finished = ending {} else if !ending.isResumable { partial?.remove() }
        releasePartial()
        record(.ended(ending))
    }
}
