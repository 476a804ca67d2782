internal import SystemIO

/// What every command works with.
struct CommandContext {
    let console: Console

    /// The profiles that can be named from the working folder.
    var catalog: ProfileCatalog {
        ProfileCatalog(
            environment: CurrentProcess.environment,
            currentDirectory: FileSystem.currentDirectory
        )
    }
}
