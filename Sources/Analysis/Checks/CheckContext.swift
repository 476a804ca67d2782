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

/// Numbers for people, without a locale.
enum Words {
    /// `1 try`, `2 tries`.
    static func count(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String
    {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }

    /// `1 byte`, `65,536 bytes`.
    static func bytes(_ number: UInt64) -> String {
        var digits = String(number)
        for place in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
        }
        return "\(digits) \(number == 1 ? "byte" : "bytes")"
    }

    /// Milliseconds below ten seconds, seconds with one decimal below two minutes, else minutes.
    static func time(_ nanoseconds: UInt64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        if milliseconds < 10_000 { return "\(milliseconds) ms" }
        if milliseconds >= 120_000 { return "\(milliseconds / 60_000) min" }
        return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }

    /// `3 ms, 5 ms, 9 ms`, the middle left out of a long list.
    static func times(_ list: [UInt64]) -> String {
        guard list.count > 8 else { return list.map(time).joined(separator: ", ") }
        let left = list.prefix(4).map(time).joined(separator: ", ")
        return "\(left), … \(list.suffix(3).map(time).joined(separator: ", "))"
    }
}

extension Words {
    /// With two decimals.
    static func decimal(_ value: Double) -> String {
        let hundredths = Int((min(value, 1e15) * 100).rounded())
        let rest = abs(hundredths % 100)
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
