extension UploadResource {
    // MARK: Time

    /// Ends an upload whose time has come; while a request owns it, nothing happens.
    package mutating func expire(at now: Int) -> [UploadAction] {
        guard case .idle = phase, let endsAt = record.endsAt, now >= endsAt else { return [] }
        switch record.state {
        case .active: record.state = .expired
        case .complete: record.state = .gone
        case .finalising where nextForwarding != nil: record.state = .expired
        case .finalising, .cancelled, .expired, .invalid, .gone: return []
        }
        return [.persist(record), .deleteContent]
    }

    // MARK: Restart

    /// Takes up an upload from its record after a restart.
    ///
    /// The file has to be cut to `record.offset` before anything is written to it. An upload whose
    /// file is shorter is invalid: a smaller offset would be a lie. One that was finalising is
    /// finalised again, since nobody knows whether its target had finished; see `takeUpForwarded` for
    /// one whose target is another server.
    package static func restored(
        _ record: UploadRecord,
        fileSize: UInt64,
        settings: UploadSettings,
        at now: Int
    ) -> (resource: UploadResource, actions: [UploadAction]) {
        var resource = UploadResource(record: record, settings: settings)
        resource.now = now
        let actions = resource.takeUp(fileSize)
        return (resource, actions)
    }

    private mutating func takeUp(_ fileSize: UInt64) -> [UploadAction] {
        switch record.state {
        case .active, .finalising:
            guard fileSize >= record.offset else { return fail(nil, .storeFailed, .invalid) }
            guard record.state == .finalising else { return expire(at: now) }
            return record.isForwarded ? takeUpForwarded() : takeUpFinalising()
        case .complete: return expire(at: now)
        case .cancelled, .expired, .invalid, .gone: return []
        }
    }

    // MARK: Misbehaviour

    /// Lets the upload forget bytes, which no sound server does; while a request brings some, as soon
    /// as that has ended, and not if it completes the upload.
    package mutating func lose(_ loss: UploadLoss) -> [UploadAction] {
        guard record.state == .active else { return [] }
        switch phase {
        case .idle:
            record.offset = loss.offset(after: record.offset)
            return [.persist(record)]
        case .receiving:
            pendingLoss = loss
            return []
        default: return []
        }
    }
}

/// What an upload forgets.
package enum UploadLoss: Hashable, Sendable {
    /// So many bytes at its end.
    case last(UInt64)
    /// Everything from an offset on.
    case from(UInt64)

    func offset(after offset: UInt64) -> UInt64 {
        switch self {
        case .last(let count): offset - min(count, offset)
        case .from(let begin): min(begin, offset)
        }
    }
}
