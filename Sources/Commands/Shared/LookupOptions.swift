internal import Arguments
internal import Basics
internal import DNS
internal import DNSWire
internal import Faults
internal import NameService
internal import Proxy
internal import SystemIO
internal import Trials

/// The options of the name server beside a proxy.
enum LookupOptions {
    /// Those with a value that bear on the result.
    static let names = ["name", "dns-upstream", "dns-listen"]
    static let flag = "dns"

    /// What they come to; nil without `--dns`.
    ///
    /// - Parameters:
    ///   - invocation: of a command with these options.
    ///   - program: that the command starts; empty for none.
    /// - Returns: settings without the names of servers, and whether the program asks nobody else.
    /// - Throws: `usage` for what makes no sense, or not together.
    static func settings(
        _ invocation: Invocation,
        program: [String] = []
    ) throws(Failure) -> LookupSettings? {
        guard invocation.has(flag) else {
            for option in names where invocation.isGiven(option) {
                throw invocation.failure(option, "is for the name server; give --dns, too")
            }
            return nil
        }
        var settings = LookupSettings()
        settings.names = try invocation.namedAddresses()
        settings.upstream = try invocation.nameServer("dns-upstream")
        settings.listen = try invocation.nameListeners("dns-listen").last
        settings.isPrivate =
            !program.isEmpty
            && settings.listen?.port ?? PrivateResolver.port == PrivateResolver.port
            && !isTold(program)
        return settings
    }

    /// Whether a program is told where the name server is.
    static func isTold(_ program: [String]) -> Bool {
        program.contains { $0.firstRange(of: "{dns}") != nil }
    }

    /// What a person should know of a program that has its own way to the name server; nil for nothing.
    static func note(_ settings: LookupSettings?, program: [String]) -> String? {
        guard let settings, let listen = settings.listen, !settings.isPrivate, !program.isEmpty,
            !isTold(program)
        else { return nil }
        return
            "resolv.conf names no port: the command finds the name server at port \(listen.port ?? 0)"
            + " only if it reads LINKCOND_DNS; leave --dns-listen out to have it asked"
    }
}

/// The host of a server that clients name; nil for a socket of the file system.
extension Endpoint {
    var serverName: String? {
        if case .tcp(let host, _) = self { host } else { nil }
    }
}

extension Invocation {
    /// Reads each value of a repeatable option.
    func read<Value>(
        _ option: String,
        _ parse: (String) throws(ScheduleError) -> Value
    ) throws(Failure) -> [Value] {
        try options(option).map { option throws(Failure) in
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
    }

    /// The `--name` options.
    func namedAddresses() throws(Failure) -> [NamedAddresses] {
        try read("name") { text throws(ScheduleError) in try NamedAddresses(parsing: text) }
    }

    /// An option that is a name server to ask.
    func nameServer(_ option: String) throws(Failure) -> SocketAddress? {
        guard let text = value(option) else { return nil }
        guard let address = Self.address(text, port: PrivateResolver.port), address.port != 0 else {
            throw failure(
                option,
                "'\(text)': give the address of a name server, as 9.9.9.9 or 127.0.0.1:5353"
            )
        }
        return address
    }

    /// An option that is where queries are taken.
    func nameListeners(_ option: String) throws(Failure) -> [SocketAddress] {
        try options(option).map { given throws(Failure) in
            guard let address = Self.address(given.value, port: nil) else {
                throw given.origin.failure(
                    option,
                    "'\(given.value)': give an address of this machine, as 127.0.0.1:5353 or"
                        + " [::1]:5353"
                )
            }
            guard address.isLoopback || has("allow-remote") else {
                throw given.origin.failure(
                    option,
                    "\(address) can be reached by other machines; give --allow-remote if you mean"
                        + " it"
                )
            }
            return address
        }
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

extension OptionSpecification {
    /// Where names lead; of the name server.
    static let name = OptionSpecification(
        long: "name",
        value: ValueSpecification(name: "NAME=ADDRESS,..."),
        help: """
            Answer queries for a name with these addresses; * stands for any characters. If \
            several match, the first one applies.
            """,
        group: .answers,
        isRepeatable: true
    )

    /// Of commands that can have a name server beside their proxy.
    static let lookups = besideProxy.bearingOnResult

    private static let besideProxy: [OptionSpecification] = [
        OptionSpecification(
            long: LookupOptions.flag,
            help: """
                Also answer name lookups, as `linkcond dns` does, with faults such as \
                'A(api.test)#1=servfail'. The host of --upstream resolves to this proxy. A private \
                resolv.conf makes a command ask only this server, unless its arguments contain \
                {dns}, which stands for the server's address and port.
                """,
            group: .answers,
            // A section of a file has this name: that of `linkcond dns`.
            isConfigurable: false
        ),
        name,
        OptionSpecification(
            long: "dns-upstream",
            value: ValueSpecification(name: "ADDRESS[:PORT]"),
            help: "Forward other queries to this name server. Default: refuse them.",
            group: .answers
        ),
        OptionSpecification(
            long: "dns-listen",
            value: ValueSpecification(name: "ADDRESS"),
            help: """
                Address for queries, over UDP and TCP: 127.0.0.1:5353 or [::1]:5353. Default: a \
                free port on 127.0.0.1, or, for a command, port 53 on a free address.
                """,
            group: .answers
        ),
    ]
}
