internal import Analysis
internal import Arguments
internal import Basics
internal import Exploration
internal import Faults
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import Trials

/// The options of `run` and `replay`, understood and checked as far as that goes without a socket.
struct RunOptions {
    var settings: [ProfileSetting]
    /// Of `--fault` alone; the profile's come on top.
    var faults: [Fault]
    var seed: UInt64?
    var server: ServerOptions
    var listen: Endpoint
    /// The name server beside the proxy; nil for none.
    var lookups: LookupSettings?
    var allowsRemote: Bool
    var oracles: [Oracle]
    /// Nil: the exit code is the command's.
    var demands: RunDemands?
    var deadlineMilliseconds: UInt64?
    /// Absolute; nil for a folder that goes with the run.
    var folder: String?
    /// Absolute; nil if uploads go with the run.
    var uploadFolder: String?
    var readyFile: String?
    var readyDescriptor: Int32?
    /// Bytes that may wait in all connections together; nil for the default.
    var maximumMemoryBytes: UInt64?
    /// Where the journal is written.
    var journalPath: String?
    /// Nil for a journal in one file.
    var journalParts: JournalParts?
    var datagrams: DatagramSettings
    var output: RunOutput
    var isJSON: Bool
    var isQuiet: Bool
    /// How a check of the server is repeated; nil if it is not checked.
    var reviewsServer: (@Sendable (String, ServerReview.Target) -> String)?
    /// The program and its arguments; none for a client that somebody else starts.
    var program: [String]

    init(_ invocation: Invocation, currentDirectory: String) throws(Failure) {
        settings = try invocation.profileSettings()
        faults = try invocation.faults()
        seed = try invocation.seed()
        server = try ServerOptions(invocation)
        listen = try invocation.endpoint("listen") ?? .tcp(host: "127.0.0.1", port: 0)
        allowsRemote = invocation.has("allow-remote")
        oracles = try OracleOptions.oracles(invocation)
        demands = try RunDemands(invocation, hasOracles: !oracles.isEmpty)
        deadlineMilliseconds = try invocation.milliseconds("deadline")
        demands?.evidence.deadline = deadlineMilliseconds.map {
            .milliseconds(clamping: $0)
        }
        folder = invocation.value("dir").map { Self.absolute($0, in: currentDirectory) }
        uploadFolder = invocation.value("keep-uploads").map {
            Self.absolute($0, in: currentDirectory)
        }
        readyFile = invocation.value("ready-file")
        readyDescriptor = try invocation.readyDescriptor()
        maximumMemoryBytes = try invocation.maximumMemoryBytes()
        journalPath = invocation.value("journal")
        journalParts = try JournalParts(invocation)
        datagrams = try DatagramOptions.settings(invocation, isRecorded: true)
        output = try RunOutput(invocation)
        isJSON = invocation.has("json")
        isQuiet = invocation.has("quiet")
        program = invocation.program
        lookups = try LookupOptions.settings(invocation, program: program)
        lookups?.proxied = [server.upstream?.serverName].compactMap(\.self)
        if invocation.has("probe-server") {
            reviewsServer = ServerReview.repetition(invocation)
        }
        try check(invocation)
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }

    private func check(_ invocation: Invocation) throws(Failure) {
        if program.first?.isEmpty == true {
            throw Failure(.usage, "the command after -- is empty; name a program")
        }
        if journalPath == "-" {
            throw Failure(
                .usage,
                "standard output belongs to the command; give the journal a file"
            )
        }
        let journal = ("--journal", journalPath)
        try OutputPlace.requireDistinct(
            journal,
            ("--from-journal", invocation.value("from-journal"))
        )
        if server.command != nil, program.isEmpty {
            throw Failure(.usage, "--origin-cmd needs a command to run: -- CMD {url}")
        }
        if let upstream = server.upstream, upstream == listen {
            throw Failure(
                .usage,
                "--upstream \(upstream) is the address to listen on; name the server's own address"
            )
        }
    }
}

extension Invocation {
    /// An option that is one address.
    func endpoint(_ name: String) throws(Failure) -> Endpoint? {
        guard let option = options(name).last else { return nil }
        do throws(ProxyError) {
            return try Endpoint(parsing: option.value)
        } catch {
            throw option.origin.failure(name, error.description)
        }
    }
}
