internal import Arguments
internal import Basics
internal import Proxy
internal import SystemIO

/// The options of a proxy whose clients say where each connection goes.
enum ForwardOptions {
    /// What they come to; nil if connections go to an upstream.
    ///
    /// - Throws: `usage` for what makes no sense, or not together.
    static func settings(_ invocation: Invocation) throws(Failure) -> ForwardSettings? {
        let isWanted = invocation.has("forward") || invocation.has("socks")
        guard isWanted else {
            for option in ["allow", "allow-all-hosts", "login", "route"]
            where invocation.has(option) {
                throw Failure(.usage, "--\(option) is for a forward proxy; give --forward, too")
            }
            return nil
        }
        var settings = ForwardSettings()
        settings.takesHTTP = invocation.has("forward")
        settings.takesSOCKS = invocation.has("socks")
        settings.rules = try rules(invocation)
        settings.credentials = try credentials(invocation)
        return settings
    }

    private static func rules(_ invocation: Invocation) throws(Failure) -> DestinationRules {
        var rules = DestinationRules()
        for option in invocation.options("allow") {
            guard let pattern = DestinationRules.Pattern(option.value) else {
                throw option.origin.failure(
                    "allow",
                    "'\(option.value)': write HOST, HOST:PORT or [IPv6]:PORT; * stands for any"
                        + " characters"
                )
            }
            guard !pattern.isEverything || invocation.has("allow-all-hosts") else {
                throw option.origin.failure(
                    "allow",
                    "'\(option.value)' lets whoever reaches this port use your network; add"
                        + " --allow-all-hosts if that is what you want"
                )
            }
            rules.patterns.append(pattern)
        }
        return rules
    }

    /// The words before and after the first colon of a file's first line.
    private static func credentials(
        _ invocation: Invocation
    ) throws(Failure) -> ForwardSettings.Credentials? {
        guard let path = invocation.value("login") else { return nil }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.read(path, limit: 4_096)
        } catch {
            throw Failure(.inputMissing, "--login '\(path)': \(error)")
        }
        let line = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
        let words = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, words.allSatisfy({ (1...255).contains($0.utf8.count) }) else {
            throw Failure(.usage, "--login '\(path)': the first line has to be USER:PASSWORD")
        }
        return .init(user: String(words[0]), password: String(words[1]))
    }
}

extension OptionSpecification {
    /// Of commands that can be a forward proxy.
    static let forward: [OptionSpecification] =
        [
            OptionSpecification(
                long: "forward",
                help: """
                    Act as an HTTP proxy: clients name the server of each request (CONNECT, or a \
                    URL as target). With --socks, the first byte of a connection shows which \
                    protocol it uses.
                    """,
                group: .addresses,
                isConfigurable: false,
                bearsOnResult: true
            ),
            OptionSpecification(
                long: "socks",
                help: "Act as a SOCKS5 proxy: clients name the server of each connection.",
                group: .addresses,
                isConfigurable: false,
                bearsOnResult: true
            ),
        ] + forwardLimits + [
            OptionSpecification(
                long: "login",
                value: ValueSpecification(name: "FILE", completion: .file),
                help: "Require a login for --forward and --socks: USER:PASSWORD in a file.",
                group: .addresses,
                bearsOnResult: true
            )
        ]

    /// Where connections through a forward proxy may go.
    static let forwardLimits = destinations.bearingOnResult

    private static let destinations: [OptionSpecification] = [
        OptionSpecification(
            long: "allow",
            value: ValueSpecification(name: "HOST[:PORT]"),
            help: """
                Let clients of a forward proxy connect to this host; * stands for any characters, \
                as in '*.example.com'. Servers on this machine (localhost, 127.0.0.1, [::1]) are \
                always allowed; by default, no others are.
                """,
            group: .addresses,
            isRepeatable: true
        ),
        OptionSpecification(
            long: "allow-all-hosts",
            help: """
                Accept --allow '*', which is refused without this. Link-local addresses and cloud \
                metadata services must still be named.
                """,
            group: .addresses,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "route",
            value: ValueSpecification(name: "HOST[:PORT]=PROFILE", assignsProfile: true),
            help: """
                Imitate another network for a forward proxy's connections to a host, as in \
                '*.cdn.example=lte'; all hosts that match share it. If several options match, the \
                first one applies; if none does, --profile applies.
                """,
            group: .link,
            isRepeatable: true
        ),
    ]
}
