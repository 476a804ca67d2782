/// Processes that were started with a mark in their environment.
package enum MarkedProcesses {
    /// A command of the shell that prints their numbers; the mark is `$0`.
    package static let shellSearch = #"grep -ls -- "$0" /proc/[0-9]*/environ | tr -dc '0-9\n'"#
}
