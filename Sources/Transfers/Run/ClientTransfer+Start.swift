internal import Basics
internal import HTTPWire
internal import ResumableClient
internal import SystemIO

// From what is on the disk to a machine.

extension ClientTransfer {
    /// Opens the files and decides what of an earlier run can be used.
    func prepare(_ resume: ResumeFile?) throws(StorageError) -> TransferStart {
        if description.isUpload { return prepareUpload(resume) }
        if description.isToStandardOutput {
            output = StandardOutputTarget(context.standardOutput)
            return TransferStart(description)
        }
        return try prepareDownload(resume)
    }

    private func prepareDownload(_ resume: ResumeFile?) throws(StorageError) -> TransferStart {
        guard let place = FilePlace(description.file) else {
            throw StorageError("'\(description.file)' is no name of a file", .cannotCreate)
        }
        let file = try PartialFile(of: place)
        partial = file
        let size = try file.size()
        guard let resume, case .download(var state) = resume.data else {
            return try beginAnew(file, size)
        }
        guard state.address == description.address else {
            return try startOver(file, "the resume data are of \(state.address.text)")
        }
        let (stored, obstacle) = resume.usableBytes(
            of: state,
            in: try file.information(),
            named: file.place.path,
            tail: file.tail(before: state.stored),
            boot: context.boot
        )
        if let obstacle { return try startOver(file, obstacle) }
        state.stored = stored
        state.file = file.place.path
        keeper?.resume()
        return TransferStart(description, resuming: .download(state))
    }

    /// Begins at zero, first of all on the disk: old resume data must never meet new bytes.
    private func startOver(
        _ file: PartialFile,
        _ reason: String? = nil
    ) throws(StorageError) -> TransferStart {
        keeper?.discard()
        try file.truncate(to: 0)
        return TransferStart(description, startsOver: reason)
    }

    /// Begins at zero; what lies there is not thrown away without a word.
    private func beginAnew(
        _ file: PartialFile,
        _ size: UInt64
    ) throws(StorageError) -> TransferStart {
        guard size > 0 else { return try startOver(file) }
        let reason = "'\(file.place.path)' has no resume data, so it cannot be continued"
        guard overwritesPartial || description.retry.restartsFromZero else {
            throw StorageError("\(reason); remove it, or start over with --fresh", .cannotCreate)
        }
        return try startOver(file, reason)
    }

    private func prepareUpload(_ resume: ResumeFile?) -> TransferStart {
        guard let source, let resume, case .upload(let state) = resume.data else {
            return TransferStart(description)
        }
        guard state.target == description.address else {
            let reason = "the resume data are of \(state.target.text)"
            return TransferStart(description, startsOver: reason)
        }
        guard source.identity.isSame(as: state.source) else {
            return TransferStart(description, startsOver: "'\(source.path)' was changed since")
        }
        return TransferStart(description, resuming: .upload(state))
    }

    /// Makes the machine and starts it.
    func begin(_ resume: ResumeData?) throws(StorageError) {
        switch description.kind {
        case .download:
            try beginDownload(resume)
        case .upload(let settings):
            if settings.choice == .asked, resume == nil, mayAsk {
                askForProtocol(settings)
            } else {
                beginUpload(settings, dialect(settings.choice), resume)
            }
        }
    }

    private func beginDownload(_ resume: ResumeData?) throws(StorageError) {
        var plan = DownloadPlan(from: description.address, into: partial?.place.path ?? "-")
        plan.fields = description.fields
        plan.sha256 = description.sha256
        plan.wantsDigest = true
        plan.keepsCoding = description.keepsCoding
        plan.retry = description.retry
        plan.path = pathPolicy
        if case .download(let state)? = resume {
            machine = ClientMachine(
                DownloadMachine(
                    plan,
                    resuming: state,
                    fileSize: try partial?.size(),
                    path: path,
                    draws: context.draws(seed: description.seed, transfer: ordinal),
                    tokens: context.tokens
                )
            )
        } else {
            machine = ClientMachine(
                DownloadMachine(
                    plan,
                    path: path,
                    draws: context.draws(seed: description.seed, transfer: ordinal),
                    tokens: context.tokens
                )
            )
        }
        change { $0.start(at: now) }
    }

    func beginUpload(
        _ settings: UploadChoices,
        _ dialect: UploadPlan.Dialect,
        _ resume: ResumeData?
    ) {
        guard let source else { return }
        var plan = UploadPlan(to: description.address, source: source.identity)
        plan.file = source.path
        plan.method = settings.method
        plan.fields = description.fields
        if let type = source.contentType { plan.fields["Content-Type"] = type }
        plan.dialect = dialect
        plan.creation = settings.creation
        plan.appendSize = settings.appendSize
        plan.digestsAppends = settings.digestsAppends
        plan.metadata = settings.metadata
        plan.wantsResponse = settings.wantsResponse
        plan.sha256 = description.sha256
        plan.retry = description.retry
        plan.path = pathPolicy
        var resumption: UploadResumption?
        if case .upload(let state)? = resume { resumption = state }
        machine = ClientMachine(
            UploadMachine(
                plan,
                resuming: resumption,
                path: path,
                draws: context.draws(seed: description.seed, transfer: ordinal),
                tokens: context.tokens
            )
        )
        change { $0.start(at: now) }
    }

    /// The policy with the earliest begin on the machine's clock.
    var pathPolicy: PathPolicy {
        var policy = description.path
        policy.earliestBegin = description.notBefore.map { time in
            let wall = WallClock.secondsSince1970
            return now + .seconds(min(max(time, wall) - wall, Duration.century.wholeSeconds))
        }
        return policy
    }

    private func dialect(_ choice: UploadChoices.ProtocolChoice) -> UploadPlan.Dialect {
        if case .known(let dialect) = choice { return dialect }
        return .ietf(.v6)
    }
}
