internal import Arguments
internal import Basics
internal import DNS
internal import DNSWire
internal import Faults
internal import Proxy
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
    var isJSON: Bool
    var isQuiet: Bool
    /// A command to start whose resolver this is; empty for none.
    var program: [String]

    private static let port: UInt16 = 53

    init(_ invocation: Invocation) throws(Failure) {
        settings = Resolver.Settings(seed: try invocation.seed() ?? .random(in: 1...999_999))
        takesConnections = !invocation.has("no-tcp")
        durationMilliseconds = try invocation.milliseconds("duration")
        readyFile = invocation.value("ready-file")
        readyDescriptor = try invocation.readyDescriptor()
        journalPath = invocation.value("journal")
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
        for option in invocation.options("name") {
            settings.names.append(
                try Self.read(option) { text throws(ScheduleError) in
                    try NamedAddresses(parsing: text)
                }
            )
        }
        for option in invocation.options("fault") {
            settings.faults.append(
                try Self.read(option) { text throws(ScheduleError) in
                    try QueryFault(parsing: text)
                }
            )
        }
        if let seconds = try invocation.count("ttl", in: 0...Int(QueryFaultLimits.lifetime)) {
            settings.lifetime = UInt32(seconds)
        }
    }

    private static func read<Value>(
        _ option: Invocation.Option,
        _ parse: (String) throws(ScheduleError) -> Value
    ) throws(Failure) -> Value {
        do throws(ScheduleError) {
            return try parse(option.value)
        } catch {
            throw option.origin.failure(
                option.long,
                "'\(option.value)', column \(error.column): \(error.description)"
                    + " (see: linkcond dns --help)"
            )
        }
    }

    private mutating func readAddresses(_ invocation: Invocation) throws(Failure) {
        listens = try invocation.options("listen").map { option throws(Failure) in
            guard let address = Self.address(option.value, port: nil) else {
                throw option.origin.failure(
                    "listen",
                    "'\(option.value)': give an address of this machine, as 127.0.0.1:5353 or"
                        + " [::1]:5353"
                )
            }
            guard address.isLoopback || invocation.has("allow-remote") else {
                throw option.origin.failure(
                    "listen",
                    "\(address) can be reached by other machines; give --allow-remote if you mean"
                        + " it"
                )
            }
            return address
        }
        if !program.isEmpty, let first = listens.first, first.port != PrivateResolver.port {
            throw invocation.failure(
                "listen",
                "'\(first)': the resolver of a command is asked on port 53 only; name that port"
                    + " first, or leave --listen out"
            )
        }
        guard let text = invocation.value("upstream") else { return }
        guard let address = Self.address(text, port: Self.port), address.port != 0 else {
            throw invocation.failure(
                "upstream",
                "'\(text)': give the address of a name server, as 9.9.9.9 or 127.0.0.1:5353"
            )
        }
        upstream = address
    }

    /// A numeric address with a port, which may be missing where there is one to be meant.
    private static func address(_ text: String, port: UInt16?) -> SocketAddress? {
        if let port, NetworkAddress(text) != nil {
            return SocketAddress(numericHost: text, port: port)
        }
        guard let endpoint = try? Endpoint(parsing: text) else { return nil }
        if case .tcp("localhost", let port) = endpoint { return .loopback(port: port) }
        let address = endpoint.numericAddress
        return address?.isUnix == true ? nil : address
    }
}
