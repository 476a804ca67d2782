internal import Arguments
internal import Faults
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import Trials

/// `linkcond run` and `linkcond replay`: from options to a run.
struct RunCommand {
    let console: Console
    let catalog: ProfileCatalog

    /// - Returns: the exit code of the program.
    func run(_ invocation: Invocation) throws(Failure) -> Int32 {
        var options = try RunOptions(
            invocation,
            currentDirectory: FileSystem.currentDirectory
        )
        // A short number is easy to type again.
        let seed = options.seed ?? UInt64.random(in: 1...999_999)
        options.server.forward?.networks = try invocation.hostNetworks(from: catalog)
        options.server.secondPath = try invocation.secondPath(from: catalog)
        let schedule = FaultSchedule(seed: seed, faults: options.faults)
        let plan = RunPlan(
            options,
            profile: try invocation.profile(from: catalog),
            schedule: schedule,
            environment: CurrentProcess.wholeEnvironment,
            reproduction: RunReproduction.line(schedule, invocation)
        )
        return try start(plan)
    }

    func replay(_ invocation: Invocation) throws(Failure) -> Int32 {
        let source = try ReplaySource(invocation)
        var invocation = invocation
        source.complete(&invocation)
        var options = try RunOptions(
            invocation,
            currentDirectory: FileSystem.currentDirectory
        )
        options.server.forward?.networks = try invocation.hostNetworks(from: catalog)
        options.server.secondPath = try invocation.secondPath(from: catalog)
        var schedule = source.schedule
        schedule.faults += options.faults
        schedule.seed = options.seed ?? UInt64.random(in: 1...999_999)
        let profile = try invocation.profile(from: catalog)
        var plan = RunPlan(
            options,
            profile: profile,
            schedule: schedule,
            environment: CurrentProcess.wholeEnvironment,
            reproduction: RunReproduction.line(schedule, invocation)
        )
        plan.trial.purpose = source.purpose
        plan.recorded = source.journal
        plan.notes += source.notes(profile, program: options.program)
        return try start(plan)
    }

    private func start(_ plan: RunPlan) throws(Failure) -> Int32 {
        let temporaryFolder = OriginCommand.temporaryFolder
        return try ClientRun(plan, console: console, temporaryFolder: temporaryFolder).runToEnd()
    }
}
