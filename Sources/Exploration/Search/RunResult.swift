internal import Analysis

/// What a run made: its result file, and what an embedded origin got.
///
/// If nothing else says what is right, what the runs without faults made is what the others are
/// compared with.
package struct RunResult: Hashable, Sendable {
    package struct Content: Hashable, Sendable {
        package var bytes: UInt64
        /// SHA-256 in hexadecimal; nil if it cannot be read.
        package var digest: String?

        package init(bytes: UInt64, digest: String?) {
            self.bytes = bytes
            self.digest = digest
        }
    }

    /// The file that `{out}` names, if there is one.
    package var file: Content?
    /// Complete uploads, in order of their digests.
    package var uploads: [Content] = []
    /// What the file is beside what the server gives now, which may be another version than at first;
    /// nil if that was not compared.
    package var current: PointOutcome.Content?
    /// The one object that the embedded origin was asked for; nil if it was none or several.
    package var object: String?
    /// Bytes of uploads that are not complete.
    package var pendingBytes: UInt64 = 0

    package init() {}

    /// Whether there is anything to compare.
    var isEmpty: Bool { file == nil && uploads.isEmpty }

    /// What has to be the same in every run without faults.
    var essence: RunResult {
        var essence = RunResult()
        essence.file = file
        essence.uploads = uploads
        return essence
    }
}

/// A result beside what it should be.
struct ResultComparison {
    var content = PointOutcome.Content.unknown
    var isOriginSide = false
    /// Of one whole upload too many.
    var duplicate: PointOutcome.FailedCheck?

    /// What the failed check of one whole upload too many is called.
    static let check = "uploads"

    /// - Parameters:
    ///   - result: of a run.
    ///   - expected: of the runs without faults.
    ///   - isSuccess: whether the run ended so; one that failed may leave a part of either version.
    init(_ result: RunResult, expected: RunResult, isSuccess: Bool) {
        if let file = expected.file {
            let old = Self.compare(result.file, with: file)
            let isRight = old == .right || result.current == .right
            content = isRight ? .right : isSuccess ? result.current ?? old : old
        }
        guard !expected.uploads.isEmpty else { return }
        var extra = result.uploads
        for upload in expected.uploads {
            guard let index = extra.firstIndex(of: upload) else {
                // What the client's file says matters less than what the origin has.
                content = result.pendingBytes > 0 || !extra.isEmpty ? .partial : .missing
                isOriginSide = true
                return
            }
            extra.remove(at: index)
        }
        if content == .unknown { content = .right }
        if !extra.isEmpty {
            duplicate = .init(
                name: Self.check,
                kind: .duplicate,
                reason: "\(result.uploads.count) complete uploads instead of"
                    + " \(expected.uploads.count)"
            )
        }
    }

    private static func compare(
        _ found: RunResult.Content?,
        with right: RunResult.Content
    ) -> PointOutcome.Content {
        guard let found else { return .missing }
        if found == right { return .right }
        return found.bytes < right.bytes ? .partial : .wrong
    }
}

extension PointOutcome {
    /// Compares what was made with what the baselines made, if no oracle has said anything.
    mutating func compare(with expected: RunResult) {
        guard content == .unknown, let result else { return }
        let comparison = ResultComparison(
            result,
            expected: expected,
            isSuccess: ending.isSuccess
        )
        content = comparison.content
        isOriginSide = comparison.isOriginSide
        if let duplicate = comparison.duplicate { failedChecks.append(duplicate) }
        if let later = recovery, let recovered = later.result, later.content == .unknown {
            recovery?.content =
                ResultComparison(
                    recovered,
                    expected: expected,
                    isSuccess: later.ending.isSuccess
                ).content
        }
    }
}
