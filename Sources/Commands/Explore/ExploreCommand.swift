internal import Basics
internal import Arguments
internal import LinkProfile
internal import Proxy
internal import SystemIO

/// `linkcond explore`: from options to an exploration.
struct ExploreCommand {
    let console: Console
    let catalog: ProfileCatalog

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        if invocation.has("self-test") {
            return try SelfTestCommand(console: console).run(invocation)
        }
        var options = try ExploreOptions(
            invocation,
            currentDirectory: FileSystem.currentDirectory,
            environment: CurrentProcess.environment
        )
        options.server.forward?.networks = try invocation.hostNetworks(from: catalog)
        options.server.secondPath = try invocation.secondPath(from: catalog)
        let profile = try invocation.profile(from: catalog)
        if let setup = options.setup,
            let code = try ShellStep(option: "--setup", text: setup).run()
        {
            return code
        }
        var tests: [String?] = [nil]
        if let source = options.tests {
            switch try Self.list(source) {
            case .output(let bytes): tests = try source.names(in: bytes)
            case .ended(let code): return code
            }
        }
        let run = try ExploreRun(
            options,
            tests: tests,
            profile: profile,
            replay: { Self.replayLine(invocation, $0) },
            console: console,
            temporaryFolder: OriginCommand.temporaryFolder
        )
        return try run.runToEnd()
    }

    private static func list(_ source: TestSource) throws(Failure) -> ShellStep.Result {
        guard case .file(let path) = source else {
            let step = ShellStep(option: source.option, text: source.command ?? "")
            return try step.read(in: OriginCommand.temporaryFolder)
        }
        do throws(SystemError) {
            return .output(try FileSystem.read(path, limit: TestSource.sizeLimit))
        } catch {
            throw Failure(.inputMissing, "cannot read the list '\(path)': \(error)")
        }
    }

    /// The command line that repeats a point, with `{}` where its schedule belongs.
    private static func replayLine(_ invocation: Invocation, _ program: [String]) -> String {
        var words = [CommandSet.program, "replay", "SCHEDULE"]
        words += invocation.wordsBearingOnResult()
        words += ["--"] + program
        let line = ShellText.line(words)
        guard let mark = line.firstRange(of: "SCHEDULE") else { return line }
        return "\(line[..<mark.lowerBound]){}\(line[mark.upperBound...])"
    }
}
