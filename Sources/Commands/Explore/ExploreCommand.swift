internal import Basics
internal import Arguments
internal import LinkProfile
internal import SystemIO

/// `linkcond explore`: from options to an exploration.
struct ExploreCommand {
    let console: Console
    let catalog: ProfileCatalog

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        if invocation.has("self-test") {
            return try SelfTestCommand(console: console).run(invocation)
        }
        let options = try ExploreOptions(
            invocation,
            currentDirectory: FileSystem.currentDirectory,
            environment: CurrentProcess.environment
        )
        let run = try ExploreRun(
            options,
            profile: try invocation.profile(from: catalog),
            replay: Self.replayLine(invocation),
            console: console,
            temporaryFolder: OriginCommand.temporaryFolder
        )
        return try run.runToEnd()
    }

    /// Options that bear on what a run is.
    private static let repeated =
        ["profile", "set"] + OptionSpecification.upstreamNames + [
            "serve", "misbehave", "framing", "origin-cmd", "transport", "origin-crash-cmd", "same",
            "sha256", "result", "fetch-check", "server-check",
        ]

    /// The command line that repeats a point, with `{}` where its schedule belongs.
    private static func replayLine(_ invocation: Invocation) -> String {
        var words = [CommandSet.program, "replay", "SCHEDULE"]
        for option in Self.repeated {
            for value in invocation.values(option) { words += ["--\(option)", value] }
        }
        if invocation.has("https") { words.append("--https") }
        words += ["--"] + invocation.program
        let line = ShellText.line(words)
        guard let mark = line.firstRange(of: "SCHEDULE") else { return line }
        return "\(line[..<mark.lowerBound]){}\(line[mark.upperBound...])"
    }
}
