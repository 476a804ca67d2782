internal import Journal

/// What a check looks at.
struct CheckContext {
    let transcript: Transcript
    let transfers: [Transfer]
    let evidence: Evidence
    // Picked once: in a long run few transfers are of interest to most checks.

    let uploads: [Transfer]
    let resumableUploads: [Transfer]
    /// Downloads in which some request began behind bytes that were there.
    let continuedDownloads: [Transfer]
    /// Those in which something failed, but for opaque ones.
    let interrupted: [Transfer]
    /// Those that got an answer of the 4xx or 5xx.
    let refused: [Transfer]
    let stretches: [Stretch]

    init(_ transcript: Transcript, _ transfers: [Transfer], _ evidence: Evidence) {
        self.transcript = transcript
        self.transfers = transfers
        self.evidence = evidence
        uploads = transfers.filter { $0.kind == .resumableUpload || $0.kind == .plainUpload }
        resumableUploads = uploads.filter { $0.kind == .resumableUpload }
        continuedDownloads = transfers.filter { transfer in
            transfer.kind == .download && transfer.attempts.contains { $0.confirmedBefore > 0 }
        }
        interrupted = transfers.filter { $0.kind != .opaque && $0.wasInterrupted }
        refused = transfers.filter { transfer in
            transfer.attempts.contains { $0.status ?? 0 >= 400 }
        }
        stretches = interrupted.flatMap { transfer in
            transfer.stretches.map { Stretch(transfer: transfer, gaps: $0) }
        }
    }

    func exchange(_ attempt: Attempt) -> Exchange? {
        place(of: attempt).map { transcript.exchanges[$0] }
    }

    /// Where the exchange of an attempt is in the transcript.
    func place(of attempt: Attempt) -> Int? {
        attempt.exchange.flatMap { transcript.place(of: $0) }
    }

    /// Exit code of the command, 128 and its number for a signal; nil if it is not known.
    var exitCode: Int? {
        if let code = evidence.exitCode { return code }
        guard let command = transcript.command?.value else { return nil }
        if let signal = command.signal { return 128 + Int(signal) }
        return command.exitCode.map { Int($0) }
    }

    /// What ended the command, if a signal did.
    var signal: Int? { evidence.signal ?? transcript.command?.value.signal.map { Int($0) } }

    var isTimedOut: Bool { evidence.isTimedOut ?? transcript.command?.value.isTimedOut ?? false }

    /// Whether the command reported success; nil if unknown.
    var claimsSuccess: Bool? { exitCode.map { $0 == 0 && !isTimedOut } }

    var hasOwnOrigin: Bool { evidence.hasOwnOrigin ?? !transcript.originEvents.isEmpty }

    /// Whether an origin lost or changed something on purpose.
    var wasTamperedWith: Bool {
        evidence.tampersWithObjects
            || transcript.faults.contains { $0.value.isTampering }
    }

    /// Nil for a check that does not apply.
    func skipped(_ check: Check, _ reason: String, limit: String = "") -> CheckResult {
        CheckResult(check, .skipped, observed: "", limit: limit, reason: reason)
    }
}
