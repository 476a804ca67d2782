internal import HTTPWire

extension UploadResource {
    // MARK: Digests of one request

    /// Goes on with a body that is there in full: staged bytes are looked at first.
    mutating func check(
        _ reception: BodyReception,
        _ trailers: HeaderFields
    ) -> [UploadAction] {
        var reception = reception
        guard var check = reception.check else { return finish(reception) }
        do throws(UploadRefusal) {
            try check.read(trailers: trailers, for: record.dialect)
        } catch {
            return [.discardStaged] + finish(reception, error)
        }
        reception.check = check
        phase = .checking(reception)
        guard !check.expected.isEmpty else { return storeStaged(reception) }
        let algorithms = check.expected.map(\.algorithm)
        return [.computeDigests(algorithms, of: .staged(bytes: reception.written))]
    }

    private mutating func storeStaged(_ reception: BodyReception) -> [UploadAction] {
        phase = .moving(reception)
        return [.storeStaged(count: reception.written, at: reception.begin)]
    }

    /// Takes note that the staged bytes are part of the upload's file.
    package mutating func stagedStored() -> [UploadAction] {
        guard case .moving(let reception) = phase else { return [] }
        record.offset = reception.begin + reception.written
        return [.discardStaged] + finish(reception)
    }

    /// Takes the digests that `computeDigests` asked for.
    package mutating func digests(_ computed: [ExpectedDigest]) -> [UploadAction] {
        switch phase {
        case .checking(let reception):
            let isRight = (reception.check?.expected ?? []).allSatisfy(computed.contains)
            return isRight
                ? storeStaged(reception)
                : [.discardStaged] + finish(reception, .digestMismatch)
        case .verifying(let owner):
            guard record.origin.digests.allSatisfy(computed.contains) else {
                return fail(owner, .digestMismatch, .invalid)
            }
            provenDigest = computed.first { $0.algorithm == record.origin.wantedDigest }
            return finalise(owner)
        default: return []
        }
    }

    // MARK: The end of a body

    /// Goes on when a request's body is part of the upload.
    private mutating func finish(_ reception: BodyReception) -> [UploadAction] {
        let owner = Owner(
            exchange: reception.exchange,
            isCreation: reception.kind == .creation,
            hadContent: !reception.body.isEmpty
        )
        if !reception.isStaged && reception.kind != .replay {
            record.offset = reception.begin + reception.written
        }
        if case .complete(let stored) = record.state {
            phase = .idle
            return [.answer(answer(to: owner, stored), to: owner.exchange)] + succeed()
        }
        if let refusal = refusal(atEndOf: reception) { return finish(reception, refusal) }
        let isComplete =
            record.dialect.isTus ? record.offset == record.length : reception.isLast
        return isComplete ? complete(owner) : partial(owner)
    }

    /// What is wrong with a body now that its size is known.
    private func refusal(atEndOf reception: BodyReception) -> UploadRefusal? {
        guard let rules else { return nil }
        if reception.isLast {
            if let length = record.length, length != record.offset { return .inconsistentLength }
            return settings.limits.minSize.map { record.offset < $0 } == true ? .tooSmall : nil
        }
        let binds = reception.kind == .append ? rules.limitsAppends : rules.limitsCreationAsAppend
        guard binds, let least = settings.limits.minAppendSize, reception.body == .unknown else {
            return nil
        }
        let isEmptyCreation = reception.kind == .creation && reception.written == 0
        return reception.written < least && !isEmptyCreation ? .tooSmall : nil
    }

    private mutating func partial(_ owner: Owner) -> [UploadAction] {
        phase = .idle
        let answer =
            owner.isCreation
            ? table.created(record, hadContent: owner.hadContent, at: now)
            : table.appended(record)
        return [.persist(record), .answer(answer, to: owner.exchange)] + succeed()
    }

    // MARK: Completion

    /// Takes note that all parts are joined in this upload's file.
    package mutating func concatenated() -> [UploadAction] {
        guard case .concatenating(let owner) = phase, let length = record.length else { return [] }
        record.offset = length
        return complete(owner)
    }

    /// Enters completion, once in the life of an upload.
    mutating func complete(_ owner: Owner?) -> [UploadAction] {
        record.length = record.offset
        record.state = .finalising
        return [.persist(record)] + takeUpFinalising(owner)
    }

    /// Checks the whole, if there is something to check it by, and hands it on.
    mutating func takeUpFinalising(_ owner: Owner? = nil) -> [UploadAction] {
        let algorithms = digestsOfWhole
        guard algorithms.isEmpty else {
            phase = .verifying(owner)
            return [.computeDigests(algorithms, of: .whole(bytes: record.offset))] + succeed()
        }
        // A part is not for the target: what is joined from it will be.
        guard record.origin.concatenation != .partial else {
            phase = .finalising(owner)
            return finalised(StoredAnswer(204))
        }
        return finalise(owner)
    }

    private var digestsOfWhole: [DigestAlgorithm] {
        let wanted = record.origin.wantedDigest
        let given = record.origin.digests.map(\.algorithm)
        return given + (wanted.map { given.contains($0) ? [] : [$0] } ?? [])
    }

    private mutating func finalise(_ owner: Owner?) -> [UploadAction] {
        phase = .finalising(owner)
        // Who asks meanwhile is told what the target says.
        return [.finalise] + (settings.forwards ? [] : succeed())
    }

    /// Takes the answer of the target; it is stored and, if somebody waits, sent.
    package mutating func finalised(_ stored: StoredAnswer) -> [UploadAction] {
        guard case .finalising(let owner) = phase else { return [] }
        var stored = stored
        if let field = provenDigest?.field { stored.fields["Repr-Digest"] = field }
        record.state = .complete(stored)
        record.origin.fields = [:]
        record.endsAt = now + settings.keepComplete
        phase = .idle
        let answers: [UploadAction] =
            owner.map { [.answer(answer(to: $0, stored), to: $0.exchange)] } ?? []
        return [.persist(record)] + answers + succeed()
    }

    private func answer(to owner: Owner, _ stored: StoredAnswer) -> UploadAnswer {
        var answer =
            owner.isCreation
            ? table.createdWhole(record, stored, hadContent: owner.hadContent, at: now)
            : table.completed(record, stored)
        answer.needsDrain = owner.isUnread
        return answer
    }

    /// Ends an upload that cannot be completed.
    mutating func fail(
        _ owner: Owner?,
        _ refusal: UploadRefusal,
        _ state: UploadState
    ) -> [UploadAction] {
        record.state = state
        phase = .idle
        let answers: [UploadAction] =
            owner.map {
                [.answer(table.refusal(refusal, of: record, at: now), to: $0.exchange)]
            } ?? []
        return [.persist(record), .deleteContent] + answers + succeed()
    }
}
