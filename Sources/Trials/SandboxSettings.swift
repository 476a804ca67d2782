/// What all trials of a sandbox have in common.
package struct SandboxSettings: Hashable, Sendable {
    /// Program and version, for journals.
    package var tool: String
    /// An absolute path of the folder below which trials get folders of their own.
    package var temporaryFolder: String
    /// How long a client may take to end once it was told to; then it is killed.
    package var graceMilliseconds: UInt64 = 2_000
    /// How long connections may go on once the client has ended, for bytes that are still on the
    /// link.
    package var drainMilliseconds: UInt64 = 5_000
    /// How long an oracle may take that asks a server or a command.
    package var oracleMilliseconds: UInt64 = 60_000
    /// How long a trial's own server may take until it listens.
    package var serverMilliseconds: UInt64 = 10_000
    /// Open connections of one trial at most; nil: as many as the proxy finds right.
    package var connectionsPerTrial: Int?
    /// Records of one trial that are kept in memory.
    package var recordLimit = 100_000
    /// Bytes of each of the client's outputs that are given back: the last ones.
    package var outputLimit = 16_384

    package init(tool: String, temporaryFolder: String) {
        self.tool = tool
        self.temporaryFolder = temporaryFolder
    }
}

/// Why a trial could not begin, in one line that says what to do.
package struct SandboxError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// What was asked for is not allowed as it was asked.
        case refused
        /// The address to listen on, or the server, is not available.
        case unavailable
        /// A folder cannot be made or used.
        case folder
        case `internal`
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
