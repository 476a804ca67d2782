internal import Arguments
internal import SystemIO

/// The job of GitHub Actions in which linkcond may run.
enum GitHubJob {
    /// Whether this is one; annotations and summary then come by themselves.
    static var isHere: Bool { CurrentProcess.environment("GITHUB_ACTIONS") == "true" }

    /// Adds lines to the summary of the step, if it has one.
    ///
    /// - Throws: `cannotCreate`.
    static func appendToSummary(_ lines: [String]) throws(Failure) {
        guard let path = CurrentProcess.environment("GITHUB_STEP_SUMMARY"), !path.isEmpty else {
            return
        }
        do throws(SystemError) {
            let file = try File(path, for: .writing, creation: .ifMissing)
            try file.write(Console.bytes(lines), at: try file.size())
        } catch {
            throw Failure(.cannotCreate, "cannot write the step summary '\(path)': \(error)")
        }
    }
}
