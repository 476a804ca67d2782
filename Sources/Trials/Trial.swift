package import Basics
package import Faults
package import LinkProfile
package import Origin
package import Proxy

/// One run of a client behind a bad network: what to start, over which link, with which faults, and
/// what its result is compared with.
package struct Trial {
    /// What answers behind the proxy.
    package enum Server: Sendable {
        /// An origin of this trial alone; where it listens and keeps its files is up to the trial.
        case embedded(OriginConfiguration)
        /// A server that is there already, which all trials share.
        case upstream(Endpoint)
        /// A program that each trial starts for itself, told where to listen by placeholders; `crash`
        /// runs between a crash and the next start, and changes what is stored.
        case command(TrialCommand, crash: TrialCommand? = nil)
    }

    /// Of this trial among those of its run, from 1.
    package var ordinal = 1
    /// All faults; its seed, if it has one, is the trial's.
    package var schedule: FaultSchedule
    /// The network to imitate.
    package var profile = Profile(name: "none")
    /// The network of a second path; nil for none.
    package var secondPath: Profile?
    package var server = Server.embedded(OriginConfiguration())
    /// Where the client connects; port 0 takes a free one.
    package var listen = Endpoint.tcp(host: "127.0.0.1", port: 0)
    package var allowsRemote = false
    /// What is forwarded to the server.
    package var transport = Transport.connections
    package var tls = TrialTLS()
    /// What the server is told instead of the host that clients name; nil for that.
    package var requestHost: String?
    /// How the client says where each connection goes, to a forward proxy; nil if all go to the server.
    package var forward: ForwardSettings?
    /// The proxy through which servers are reached, but for the trial's own; nil for none.
    package var via: NextProxy?
    /// What answers the client's name lookups; nil if that is none of ours.
    package var lookups: LookupSettings?
    /// The file of secrets may be in `{dir}`, for the client to write.
    package var datagrams = DatagramSettings()
    package var client: TrialClient
    /// What the result must be like.
    package var oracles: [Oracle] = []
    /// How long the client may run; nil for as long as it takes.
    package var deadlineMilliseconds: UInt64?
    /// An absolute path of a folder to use and leave; nil for a new one that goes with the trial.
    package var folder: String?
    /// An absolute path of a folder in which an embedded origin keeps its uploads, so that the next
    /// trial continues them; nil if they end with the trial.
    package var uploadFolder: String?
    /// Where the journal is written, if it is; the client is told.
    package var journalPath: String?
    /// The test of a list that the client is to run; nil if there is no list.
    package var test: String?
    /// What the journal's `start` calls the run.
    package var purpose = "run"
    /// Members to add to the `env` of the journal's `start`.
    package var notes: JSONObject = [:]

    package init(schedule: FaultSchedule, client: TrialClient) {
        self.schedule = schedule
        self.client = client
    }

    package var seed: UInt64 { schedule.seed ?? 0 }
}

/// Who connects.
package enum TrialClient {
    /// A program in a process group of its own.
    case command(TrialCommand)
    /// Code in this process, on the loop of the sandbox.
    case code(any ClientCode)
}

/// A client in this process.
package protocol ClientCode: AnyObject {
    /// Begins its work; nothing may wait.
    ///
    /// - Parameters:
    ///   - place: where to connect, and where its files go.
    ///   - done: to be called once, on the loop, with its exit code: 0 for success.
    func start(_ place: TrialPlace, done: @escaping (Int) -> Void)

    /// The deadline has come, or the run is interrupted: it must end soon and call `done`.
    func cancel()
}
