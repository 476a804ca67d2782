internal import Arguments
internal import SystemIO

/// `linkcond top`: from options to a run.
struct TopCommand {
    let console: Console

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let options = try TopOptions(invocation)
        let isTerminal = console.output.isTerminal && CurrentProcess.environment("TERM") != "dumb"
        let form: TopRun.Form =
            switch (options.isJSON, options.isOnce) {
            case (true, _): .json
            case (false, true): .text
            case (false, false): isTerminal ? .screen : .lines
            }
        return try TopRun(options, form: form, console: console).runToEnd()
    }
}
