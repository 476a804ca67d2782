internal import Arguments
internal import Basics
internal import HTTPWire
internal import ResumableClient
internal import Transfers

/// How a transfer ended, in a line for people or an object for programs.
struct TransferSummary {
    var description: TransferDescription
    var statistics: TransferStatistics
    var ending: TransferEnding
    var elapsed: Duration
    /// Where resume data are.
    var resumeFile: String?

    var line: String {
        switch ending {
        case .finished(let result): finished(result)
        case .failed(let failure): failed(failure)
        case .paused(let outcome): paused(outcome)
        }
    }

    private var fileName: String {
        guard description.file == "-" else { return description.file }
        return description.isUpload ? "standard input" : "standard output"
    }

    private func finished(_ result: TransferResult) -> String {
        let subject =
            description.isUpload
            ? "sent \(fileName) to \(description.address.text)"
            : "saved \(fileName)"
        var parts = ["\(Figures.grouped(result.size)) bytes"]
        parts.append("in \(Figures.time(elapsed))")
        parts.append(Figures.count(statistics.attempts, "attempt"))
        if statistics.repeated > 0 {
            let verb = description.isUpload ? "sent" : "received"
            parts.append("\(Figures.grouped(statistics.repeated)) bytes \(verb) again")
        }
        if result.isDigestVerified { parts.append("digest verified") }
        if !result.isLengthProven { parts.append("length not proven: the server closed") }
        if result.restarts > 0 { parts.append(Figures.count(result.restarts, "restart")) }
        return "\(subject): \(parts.joined(separator: ", "))"
    }

    private func failed(_ failure: TransferFailure) -> String {
        let hint = if case .coded = failure.reason { "; --keep-coding stores it so" } else { "" }
        return "\(fileName): \(failure)\(hint)\(outlook(failure.resume))"
    }

    private func paused(_ outcome: ResumeOutcome) -> String {
        "\(fileName): stopped\(outlook(outcome))"
    }

    /// What can be done next.
    private func outlook(_ outcome: ResumeOutcome) -> String {
        switch outcome {
        case .data:
            guard let resumeFile else { return "; resumable, but no resume data were kept" }
            let verb = description.isUpload ? "upload" : "download"
            return "; resume with: linkcond \(verb) --resume \(ShellText.line([resumeFile]))"
        case .none(let reason): return "; not resumable (\(Self.words(reason)))"
        }
    }

    private static func words(_ reason: NotResumable) -> String {
        switch reason {
        case .method: "plain upload"
        case .ranges: "the server does not support ranges"
        case .validator: "the server sends no strong validator"
        case .partialFile: "nothing stored"
        case .uploadURL: "the server has not sent an upload URL"
        case .final: "retrying would not help"
        }
    }

    /// For `--json`.
    var json: JSONObject {
        let end = RecordText.json(
            .ended(ending),
            isUpload: description.isUpload,
            milliseconds: UInt64(elapsed.wholeMilliseconds)
        )
        var object: JSONObject = [
            "v": 1,
            "file": .string(description.file),
            "source": .string(description.address.text),
            "seed": .number(description.seed),
            "requests": .number(statistics.requests),
            "attempts": .number(statistics.attempts),
            "retries": .number(statistics.retries),
            "bytesMoved": .number(statistics.moved),
            "bytesTwice": .number(statistics.repeated),
            "resumeFile": resumeFile.map { .string($0) } ?? .null,
        ]
        for member in end.members where object[member.key] == nil {
            object.append(member.key, member.value)
        }
        return object
    }

    /// Of a failure that left nothing to resume.
    private static func exitCode(of failure: TransferFailure) -> ExitCode {
        guard case .storage(_, let problem) = failure.reason else {
            return failure.isUnavailable ? .unavailable : .findings
        }
        return switch problem {
        case .cannotCreate: .cannotCreate
        case .cannotWrite: .writeError
        case .cannotRead: .inputMissing
        case .cannotRestart: .findings
        }
    }

    var exitCode: ExitCode {
        switch ending {
        case .finished: .success
        case .failed(let failure) where failure.resume.data != nil: .resumable
        case .failed(let failure): Self.exitCode(of: failure)
        case .paused(let outcome): outcome.data == nil ? .findings : .resumable
        }
    }
}
