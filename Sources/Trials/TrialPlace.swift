internal import Basics
package import DNS
package import Proxy
package import SystemIO

/// Where a trial happens, as its client is told.
package struct TrialPlace: Hashable, Sendable {
    /// Where the client connects.
    package var listen: Endpoint
    /// The URL of the server that the client is to ask the proxy for; nil if `listen` stands for it.
    package var server: String?
    /// Where the embedded origin can be asked directly, as `http://127.0.0.1:40123`; nil for a
    /// server of somebody else.
    package var origin: String?
    /// Absolute path of the trial's own folder.
    package var folder: String
    package var ordinal: Int
    package var seed: UInt64
    /// Canonical text of the faults.
    package var schedule: String
    package var journalPath: String?
    /// Whom clients have to trust; nil for plain connections.
    package var trust: Trust?
    /// The test of a list that the client is to run; nil if there is no list.
    package var test: String?
    /// What is forwarded.
    package var transport = Transport.connections
    /// Where name lookups are answered; nil if they are not.
    package var nameServer: SocketAddress?
    /// Where names lead there.
    package var names: [NamedAddresses] = []
    /// Where the client writes the secrets of its connections; nil if it is not asked to.
    package var secretsPath: String?

    /// Files with authorities, in PEM.
    package struct Trust: Hashable, Sendable {
        /// The one that vouches for the proxy.
        package var certificate: String
        /// It and the system's.
        package var bundle: String
        /// Start-up file of wget and wget2, which have no variable for authorities; names `bundle`.
        package var wgetSettings: String
        /// `bundle` as Java reads it.
        package var javaStore: String

        fileprivate var environment: [(name: String, value: String)] {
            TrustEnvironment.variables(certificate: certificate, bundle: bundle) + [
                ("WGETRC", wgetSettings), ("SYSTEM_WGET2RC", wgetSettings),
            ]
        }
    }

    package init(
        listen: Endpoint,
        origin: String? = nil,
        folder: String,
        ordinal: Int = 1,
        seed: UInt64,
        schedule: String,
        journalPath: String? = nil
    ) {
        self.listen = listen
        self.origin = origin
        self.folder = folder
        self.ordinal = ordinal
        self.seed = seed
        self.schedule = schedule
        self.journalPath = journalPath
    }

    /// The address that replaces the server's.
    package var url: String {
        if let server { return server }
        return switch listen {
        case .tcp where transport == .datagrams: "udp://\(listen)"
        case .tcp: "\(trust == nil ? "http" : "https")://\(listen)"
        case .unix: "\(listen)"
        }
    }

    /// The file that `{out}` names, which the client is to make.
    package var out: String { "\(folder)/out" }

    /// The embedded origin's own resources; empty for a server of somebody else.
    package var control: String { origin.map { "\($0)/.linkcond" } ?? "" }

    /// What each placeholder stands for, in the order of the help.
    package var values: [(name: String, value: String)] {
        let (host, port): (String, String) =
            switch listen {
            case .tcp(let host, let port): (host, String(port))
            case .unix(let path): (path, "")
            }
        return [
            ("url", url), ("host", host), ("port", port), ("control", control), ("dir", folder),
            ("out", out), ("ca", trust?.certificate ?? ""), ("run", String(ordinal)),
            ("seed", String(seed)), ("proxy", server == nil ? "" : "http://\(listen)"),
            ("socks", server == nil ? "" : "socks5h://\(listen)"),
            ("dns", nameServer?.description ?? ""),
        ] + (test.map { [("test", $0)] } ?? [])
    }

    private static let javaVariable = "JAVA_TOOL_OPTIONS"

    /// What tells a client its trial's folder, `{dir}`.
    package static let folderVariable = "LINKCOND_DIR"

    /// The same as environment variables, and what no word of a command needs to say.
    package var environment: [(name: String, value: String)] {
        values.map { ("LINKCOND_" + $0.name.uppercased(), $0.value) } + [
            ("LINKCOND_SCHEDULE", schedule), ("LINKCOND_JOURNAL", journalPath ?? ""),
        ] + (trust?.environment ?? []) + proxyVariables + javaOptions
            + (secretsPath.map { [("SSLKEYLOGFILE", $0)] } ?? [])
    }

    /// Java reads no variables but this one.
    private var javaOptions: [(name: String, value: String)] {
        var options: [String] = []
        if server != nil, case .tcp(let host, let port) = listen {
            options += ProxyEnvironment.java(host, port)
        }
        if let trust {
            options.append("-Djavax.net.ssl.trustStore=\(trust.javaStore)")
            options.append("-Djavax.net.ssl.trustStoreType=JKS")
        }
        guard !options.isEmpty else { return [] }
        return [(Self.javaVariable, options.joined(separator: " "))]
    }

    private var proxyVariables: [(name: String, value: String)] {
        guard server != nil, case .tcp(let host, let port) = listen else { return [] }
        return ProxyEnvironment.variables(host: host, port: port)
    }

    /// A text with its placeholders replaced; braces around anything else stay as they are.
    package func expand(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        let values = values
        var expanded = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            expanded += rest[..<open]
            let tail = rest[open...]
            guard let value = values.first(where: { tail.hasPrefix("{\($0.name)}") }) else {
                expanded += "{"
                rest = tail.dropFirst()
                continue
            }
            expanded += value.value
            rest = tail.dropFirst(value.name.count + 2)
        }
        return expanded + rest
    }

    /// A text with placeholders instead of what differs from trial to trial: the address to connect to
    /// and the folder.
    package func abbreviate(_ text: String) -> String {
        var text = folder.isEmpty ? text : text.replacing(folder, with: "{dir}")
        switch listen {
        case .tcp:
            text = text.replacing(url, with: "{url}").replacing("\(listen)", with: "{host}:{port}")
        case .unix(let path): text = text.replacing(path, with: "{host}")
        }
        if let nameServer { text = text.replacing(nameServer.description, with: "{dns}") }
        return text
    }

    /// An environment with the trial's variables instead of any of the same names; options for Java follow
    /// those that are there, so that they count.
    package func environment(over inherited: [String]) -> [String] {
        let own = environment
        let names = Set(own.map { $0.name[...] })
        let kept = inherited.filter { entry in !names.contains(entry.prefix { $0 != "=" }) }
        let java = "\(Self.javaVariable)="
        let given = inherited.first { $0.hasPrefix(java) }.map { $0.dropFirst(java.count) + " " }
        return kept
            + own.map { name, value in
                "\(name)=\(name == Self.javaVariable ? given ?? "" : "")\(value)"
            }
    }
}
