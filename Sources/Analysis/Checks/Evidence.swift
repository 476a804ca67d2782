package import Basics

/// What a journal alone does not say, and the limits that somebody chose.
package struct Evidence: Hashable, Sendable {
    /// What became of the result of the command.
    package enum Oracle: Hashable, Sendable {
        /// Nobody looked.
        case unknown
        /// It is byte for byte one whole version of the object.
        case matches
        /// It is not; in words, such as where it differs first.
        case differs(String)
        /// It is a beginning of it, or empty; in words.
        case beginning(String)
        /// There is none.
        case missing
    }

    /// Says whether the server has it; the answer of `--server-check`.
    package enum ServerCheck: Hashable, Sendable {
        case notRun, pass, fail, unknown
    }

    package var oracle = Oracle.unknown
    package var serverCheck = ServerCheck.notRun
    /// Exit code of the command; 128 and the number of a signal.
    ///
    /// Nil: as the journal says. So with `isTimedOut`.
    package var exitCode: Int?
    /// What ended the command, if a signal did; nil: as the journal says.
    package var signal: Int?
    /// Whether the command was ended because its deadline came.
    package var isTimedOut: Bool?
    /// Whether the command had to succeed: all faults were transient.
    package var mustSucceed = false
    /// Whether the origin is part of the run, so that it would tell of every upload.
    ///
    /// Nil: if it told of one.
    package var hasOwnOrigin: Bool?
    /// Connections that the origin of the run got from somewhere else than the proxy.
    package var foreignConnections = 0
    /// Whether a file that looks complete was left behind by a command that failed.
    package var leftCompleteFile = false
    /// Whether an object was changed or an origin lost data on purpose, as by `obj(…)=mutate`.
    package var tampersWithObjects = false
    /// Whether the command was offered news of the path, so that it need not poll.
    package var offersPathSource = false
    /// Whether the client could have connected, besides sending datagrams.
    package var takesConnections = false
    /// For downloads: how many bytes may be sent again for each cut.
    package var maximumResentBytes: UInt64 = 65_536
    /// Tries in a row that bring a transfer no byte forward.
    package var maximumTries = 20
    /// Content bytes of requests that begin while the path is expensive or constrained; nil: any.
    package var maximumMeteredBytes: UInt64?
    package var deadline: Duration?
    /// The longest distance between retries that the client declares.
    package var cap: Duration?

    package init() {}
}
