internal import Basics
internal import HTTPWire
internal import ResumableClient
internal import Transfers

// From the values of this library to those inside, and back.

extension TransferOptions {
    func apply(to description: inout TransferDescription) throws(TransferError) {
        for field in fields {
            let known = HeaderFields.Field(field.name, field.value)
            guard MessageWriter.canWrite(known) else {
                throw TransferError(.input, "invalid header field '\(field.name)'")
            }
            description.fields.add(field.name, field.value)
        }
        if let sha256, sha256.count != 32 {
            throw TransferError(.input, "a SHA-256 has 32 bytes")
        }
        description.sha256 = sha256
        description.retry = retry.policy
        description.path = path.policy
        description.notBefore = path.earliestBegin
        description.connection.authorities = authorities
        description.connection.isUnverified = allowsAnyCertificate
        description.connection.isHTTP1Only = !offersHTTP2
        description.connection.unixSocket = unixSocket
        description.seed = seed ?? UInt64.random(in: 0 ... .max)
    }
}

extension UploadOptions {
    func choices() throws(TransferError) -> UploadChoices {
        var choices = UploadChoices()
        choices.method = method
        choices.appendSize = appendSize
        choices.creation = isCareful ? .careful : .optimistic
        switch uploadProtocol {
        case .ietf(let number):
            guard let version = InteropVersion(rawValue: number) else {
                throw TransferError(.input, "the interop version \(number) is not 3, 5, 6 or 8")
            }
            choices.choice = .known(.ietf(version))
        case .tus:
            choices.choice = .known(.tus)
            // The URL of an upload that is created with its content is known only at the end.
            choices.creation = .careful
        case .plain: choices.choice = .known(.plain)
        case .automatic: choices.choice = .asked
        }
        choices.form = try form.map { form throws(TransferError) in try choice(form) }
        return choices
    }

    private func choice(_ form: UploadForm) throws(TransferError) -> FormChoice {
        switch uploadProtocol {
        case .ietf, .plain: break
        case .tus, .automatic:
            throw TransferError(.input, "tus has no place for a form; use ietf or plain")
        }
        guard !form.fileField.isEmpty, form.fields.allSatisfy({ !$0.name.isEmpty }) else {
            throw TransferError(.input, "a field of the form has no name")
        }
        var choice = FormChoice(form.fileField)
        choice.fields = form.fields.map { HeaderFields.Field($0.name, $0.value) }
        return choice
    }
}

extension RetryOptions {
    var policy: RetryPolicy {
        var policy = RetryPolicy.foreground
        policy.base = Basics.Duration(base)
        policy.cap = Basics.Duration(cap)
        policy.failuresWithoutProgress = failuresWithoutProgress
        policy.attempts = attempts
        policy.deadline = deadline.map { Basics.Duration($0) }
        policy.longestRetryAfter = Basics.Duration(longestRetryAfter)
        policy.resumesByItself = resumesByItself
        policy.restartsFromZero = restartsFromZero
        policy.connectTimeout = Basics.Duration(connectTimeout)
        policy.idleTimeout = Basics.Duration(idleTimeout)
        return policy
    }
}

extension PathOptions {
    var policy: PathPolicy {
        var policy = PathPolicy()
        policy.allowsConstrained = allowsConstrained
        policy.allowsExpensive = allowsExpensive
        policy.movesToBetterPath = movesToBetterPath
        policy.waitsForConnectivity = waitsForConnectivity
        policy.isUserInitiated = isUserInitiated
        policy.isDiscretionary = isDiscretionary
        policy.expectedBytesToSend = expectedBytesToSend
        policy.expectedBytesToReceive = expectedBytesToReceive
        return policy
    }
}

extension TransferEvent {
    init(_ event: ResumableClient.TransferEvent) {
        self =
            switch event {
            case .progress(let progress): .progress(TransferProgress(progress))
            case .interim(let status, let fields):
                .interim(
                    status: status,
                    fields: fields.fields.map { TransferOptions.Field($0.name, $0.value) }
                )
            case .waiting(let wait): .waiting(WaitReason(wait))
            case .resumed: .resumed
            case .retrying(let delay, let failure):
                .retrying(after: .nanoseconds(delay.nanoseconds), reason: failure.description)
            case .restarted(let reason): .restarted(reason: reason.rawValue)
            case .explanation(let text): .explanation(text)
            }
    }
}

extension WaitReason {
    init(_ wait: PathWait) {
        self =
            switch wait {
            case .unsatisfied: .unsatisfied
            case .constrained: .constrained
            case .expensive: .expensive
            case .discretionary: .discretionary
            case .turn: .turn
            case .earliestBegin: .earliestBegin
            }
    }
}

extension TransferProgress {
    init(_ progress: ResumableClient.TransferProgress) {
        step = progress.step
        position = progress.position
        acknowledged = progress.acknowledged
        expected = progress.expected
    }
}

extension TransferOutcome {
    init(_ result: TransferResult, _ statistics: TransferStatistics) {
        status = result.status
        size = result.size
        url = result.address.text
        body = result.body
        isLengthProven = result.isLengthProven
        isDigestVerified = result.isDigestVerified
        restarts = result.restarts
        attempts = statistics.attempts
        repeatedBytes = statistics.repeated
    }
}

extension Basics.Duration {
    /// Whole nanoseconds, between none and a century.
    init(_ duration: Swift.Duration) {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { self = .zero; return }
        guard seconds < 3_153_600_000 else { self = .century; return }
        self.init(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
