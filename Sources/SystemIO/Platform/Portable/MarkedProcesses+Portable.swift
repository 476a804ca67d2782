/// Processes that were started with a mark in their environment.
package enum MarkedProcesses {
    /// A command of the shell that prints their numbers: none, since POSIX shows no environment of others.
    package static let shellSearch = "true"
}
