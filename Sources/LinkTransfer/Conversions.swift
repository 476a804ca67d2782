internal import HTTPWire
internal import ResumableUpload
internal import Transfer

// From the values of this library to those inside, and back.

extension TransferOptions {
    func apply(to description: inout TransferDescription) throws(TransferError) {
        for field in fields {
            let known = HeaderFields.Field(field.name, field.value)
            guard MessageWriter.canWrite(known) else {
                throw TransferError(.input, "'\(field.name)' is no field, or its value is none")
            }
            description.fields.add(field.name, field.value)
        }
        if let sha256, sha256.count != 32 {
            throw TransferError(.input, "a SHA-256 has 32 bytes")
        }
        description.sha256 = sha256
        description.retry = retry.policy
        description.path = path.policy
        description.connection.authorities = authorities
        description.connection.isUnverified = allowsAnyCertificate
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
        return choices
    }
}

extension RetryOptions {
    var policy: RetryPolicy {
        var policy = RetryPolicy.foreground
        policy.base = base
        policy.cap = cap
        policy.failuresWithoutProgress = failuresWithoutProgress
        policy.attempts = attempts
        policy.deadline = deadline
        policy.longestRetryAfter = longestRetryAfter
        policy.resumesByItself = resumesByItself
        policy.restartsFromZero = restartsFromZero
        policy.connectTimeout = connectTimeout
        policy.idleTimeout = idleTimeout
        return policy
    }
}

extension PathOptions {
    var policy: PathPolicy {
        var policy = PathPolicy()
        policy.allowsConstrained = allowsConstrained
        policy.allowsExpensive = allowsExpensive
        policy.waitsForConnectivity = waitsForConnectivity
        policy.isUserInitiated = isUserInitiated
        policy.isDiscretionary = isDiscretionary
        return policy
    }
}

extension TransferEvent {
    init(_ event: ResumableUpload.TransferEvent) {
        self =
            switch event {
            case .progress(let progress): .progress(TransferProgress(progress))
            case .interim(let status, let fields):
                .interim(
                    status: status,
                    fields: fields.fields.map { TransferOptions.Field($0.name, $0.value) }
                )
            case .waiting(let wait): .waiting(reason: wait.rawValue)
            case .resumed: .resumed
            case .retrying(let delay, let failure):
                .retrying(after: delay, reason: failure.description)
            case .restarted(let reason): .restarted(reason: reason.rawValue)
            case .explanation(let text): .explanation(text)
            }
    }
}

extension TransferProgress {
    init(_ progress: ResumableUpload.TransferProgress) {
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
