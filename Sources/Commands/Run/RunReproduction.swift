internal import Arguments
internal import Faults

/// The command line that repeats a run.
enum RunReproduction {
    static func line(_ schedule: FaultSchedule, _ invocation: Invocation) -> String {
        var words = [CommandSet.program, "replay", schedule.canonicalText]
        words += invocation.wordsBearingOnResult()
        if !invocation.program.isEmpty { words += ["--"] + invocation.program }
        return ShellText.line(words)
    }
}
