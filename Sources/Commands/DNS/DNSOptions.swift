internal import Arguments
internal import DNS
internal import Faults
internal import NameService
internal import SystemIO

/// The options of `dns`, parsed and checked; nothing is opened yet.
struct DNSOptions {
    var settings: Resolver.Settings
    /// Empty for what goes best.
    var listens: [SocketAddress] = []
    var upstream: SocketAddress?
    var takesConnections: Bool
    var durationMilliseconds: UInt64?
    var readyFile: String?
    var readyDescriptor: Int32?
    var journalPath: String?
    /// Nil for a journal in one file.
    var journalParts: JournalParts?
    var isJSON: Bool
    var isQuiet: Bool
    /// A command to start whose resolver this is; empty for none.
    var program: [String]

    init(_ invocation: Invocation) throws(Failure) {
        settings = Resolver.Settings(seed: try invocation.seed() ?? .random(in: 1...999_999))
        takesConnections = !invocation.has("no-tcp")
        durationMilliseconds = try invocation.milliseconds("duration")
        readyFile = invocation.value("ready-file")
        readyDescriptor = try invocation.readyDescriptor()
        journalPath = invocation.value("journal")
        journalParts = try JournalParts(invocation)
        isJSON = invocation.has("json")
        isQuiet = invocation.has("quiet")
        program = invocation.program
        if journalPath == "-", !program.isEmpty {
            throw Failure(
                .usage,
                "--journal -: standard output is the command's; name a file for the journal"
            )
        }
        if journalPath == "-", isJSON {
            throw Failure(
                .usage,
                "--journal - and --json both want standard output; name a file for the journal"
            )
        }
        try readAnswers(invocation)
        try readAddresses(invocation)
        if let path = journalPath, path != "-" {
            try OutputPlace.requireDistinct(("--journal", path), ("--ready-file", readyFile))
        }
    }

    private mutating func readAnswers(_ invocation: Invocation) throws(Failure) {
        settings.names = try invocation.namedAddresses()
        settings.faults = try invocation.read("fault") { text throws(ScheduleError) in
            try QueryFault(parsing: text)
        }
        if let seconds = try invocation.count("ttl", in: 0...Int(QueryFaultLimits.lifetime)) {
            settings.lifetime = UInt32(seconds)
        }
    }

    private mutating func readAddresses(_ invocation: Invocation) throws(Failure) {
        listens = try invocation.nameListeners("listen")
        if !program.isEmpty, let first = listens.first, first.port != PrivateResolver.port {
            throw invocation.failure(
                "listen",
                "'\(first)': the resolver of a command is asked on port 53 only; name that port"
                    + " first, or leave --listen out"
            )
        }
        upstream = try invocation.nameServer("upstream")
    }
}
