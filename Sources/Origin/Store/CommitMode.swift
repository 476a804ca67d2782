/// When bytes of an upload count as stored.
package enum CommitMode: String, CaseIterable, Hashable, Sendable {
    /// Once the system has them: they survive the end of the program, not the loss of power.
    case write
    /// Once they are on the disk: they survive the loss of power, too.
    case fsync
}
