internal import Arguments
internal import CLibrary
internal import SystemIO

/// The program: its arguments in, its exit code out.
package enum CommandLineTool {
    package static func main() -> Never {
        FirstProcess.stepAside()
        CurrentProcess.prepare()
        exit(run(CommandTable.words(of: CommandLine.arguments)))
    }

    private static func run(_ arguments: [String]) -> Int32 {
        let console = Console(refusesColour: arguments.contains("--no-color"))
        do throws(Failure) {
            let invocation = try Configuration.complete(
                ArgumentParser.parse(arguments, environment: CurrentProcess.environment),
                of: CommandTable.set,
                environment: CurrentProcess.environment,
                currentDirectory: FileSystem.currentDirectory
            )
            return try Dispatcher(console: console).run(invocation)
        } catch {
            console.report(error)
            return CommandTable.passesCodeOn(arguments)
                ? ExitCode.ownFailure.rawValue : error.code.rawValue
        }
    }
}
