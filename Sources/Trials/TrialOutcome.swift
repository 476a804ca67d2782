package import Basics
package import Faults
package import Journal
package import Origin
package import Proxy

/// How a client ended.
package enum ClientEnding: Hashable, Sendable {
    case exited(Int)
    case killed(signal: Int)
    /// There is no such program.
    case notFound(String)
    /// It could not be started, and why.
    case notStarted(String)
    /// Code of this process that did not end when it was told to.
    case stuck

    /// As a shell has it: 128 + the signal, 126 for what cannot be started, 127 for what is not there.
    package var exitCode: Int {
        switch self {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        case .notFound: 127
        case .notStarted: 126
        case .stuck: 125
        }
    }

    package var isSuccess: Bool { self == .exited(0) }
}

/// A record of a trial's journal and when it was made.
package struct TrialRecord: Hashable, Sendable {
    package var record: JournalRecord
    /// On a clock that starts when the trial does.
    package var at: Instant

    package init(_ record: JournalRecord, at: Instant) {
        self.record = record
        self.at = at
    }
}

/// Traffic that went around the proxy, so that the trial proves nothing.
package enum Escape: Hashable, Sendable {
    /// Requests that reached the embedded origin on connections that are not the proxy's.
    case foreignRequests(count: Int, first: String)
}

/// What came of a trial.
package struct TrialOutcome: Sendable {
    package var place: TrialPlace
    package var ending: ClientEnding
    /// Whether the client was ended because its deadline had come.
    package var isTimedOut = false
    /// Whether it was ended before its deadline, because nothing had happened for long.
    package var isSilent = false
    /// Whether it was ended because the whole run was.
    package var isInterrupted = false
    /// Whether processes that the client had left behind were ended.
    package var leftProcesses = false
    package var elapsed = Duration.zero
    /// The journal, `start` first and without `end`.
    package var records: [TrialRecord] = []
    /// What became of each fault, in the order of the schedule.
    package var faults: [FaultLedger.Row] = []
    /// Connections that the proxy took, and payload bytes that it handed on.
    package var connections: UInt64 = 0
    /// What became of datagrams; nil if none were forwarded.
    package var flows: ProxySnapshot.Flows?
    /// Name lookups that were answered, or left without an answer, here.
    package var queries: UInt64 = 0
    package var upBytes: UInt64 = 0
    package var downBytes: UInt64 = 0
    /// How often the machine was too busy to let packets leave in time.
    package var lateness = ProxySnapshot.Lateness()
    /// In the order of the trial's oracles.
    package var oracles: [OracleResult] = []
    package var escapes: [Escape] = []
    /// Trouble of our own, in words; a trial with any proves nothing.
    package var troubles: [String] = []
    /// What the machine did to the run's times, in words; a trial with any proves nothing of times.
    package var disturbances: [String] = []
    /// What the embedded origin received and gave; nil for another server.
    package var origin: OriginState?
    /// How a server of the trial's own ended before it was told to, in words.
    package var serverEnding: String?
    /// The last bytes of what the client wrote, if that was kept.
    package var output: [UInt8] = []
    package var errorOutput: [UInt8] = []

    package init(place: TrialPlace, ending: ClientEnding) {
        self.place = place
        self.ending = ending
    }

    /// Faults of the schedule that never acted, or acted without proof of the bytes before them.
    package var silentFaults: [FaultLedger.Row] { faults.filter { $0.fired == 0 } }

    /// Whether nothing at all came through the proxy, or to the name server beside it.
    package var hasNoTraffic: Bool {
        connections == 0 && flows?.total ?? 0 == 0 && queries == 0
    }
}
