internal import Journal

/// What a check looks at.
struct CheckContext {
    let transcript: Transcript
    let transfers: [Transfer]
    let evidence: Evidence
    /// Exchanges by their identity.
    private let exchanges: [ExchangeID: Exchange]

    init(_ transcript: Transcript, _ transfers: [Transfer], _ evidence: Evidence) {
        self.transcript = transcript
        self.transfers = transfers
        self.evidence = evidence
        exchanges = Dictionary(transcript.exchanges.map { ($0.id, $0) }) { first, _ in first }
    }

    func exchange(_ attempt: Attempt) -> Exchange? {
        attempt.exchange.flatMap { exchanges[$0] }
    }

    var uploads: [Transfer] {
        transfers.filter { $0.kind == .resumableUpload || $0.kind == .plainUpload }
    }

    var resumableUploads: [Transfer] { transfers.filter { $0.kind == .resumableUpload } }

    var downloads: [Transfer] { transfers.filter { $0.kind == .download } }

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
