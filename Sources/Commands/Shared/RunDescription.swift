internal import Basics
internal import DNS
internal import DNSWire
internal import Faults
internal import LinkEngine
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import Trials

/// What a run of the proxy is: all that is said of it at its start and to repeat it.
struct RunDescription {
    var profile: Profile
    /// What was changed in the profile, as in `delay=100ms`.
    var changes: [String] = []
    /// Whether clients are told to speak TLS.
    var isSecure = false
    /// The network of a second path; nil for none.
    var secondPath: Profile?
    /// The networks of some hosts, which a forward proxy knows.
    var networks: [HostNetwork] = []
    /// The proxy through which servers are reached; nil for none.
    var via: NextProxy?
    var seed: UInt64
    /// Of the command line and of the profile.
    var faults: [Fault]
    /// Where clients connect and what answers them.
    var routes: [Route]
    /// To repeat the run.
    var reproduction: String
    /// The Unix socket at which the path's status is told.
    var pathSocket: String?
    /// Where the run can be controlled: the embedded origin's own resources, or the control API.
    var control: String?
    /// What the control API asks for.
    var controlToken: String?
    /// Where a browser finds the dashboard, with its token.
    var page: String?
    /// The name server beside the proxy; nil for none.
    var lookups: Lookups?
    /// The proxies beside the run's own, as the control API describes them.
    var further: [JSONObject] = []

    struct Lookups: Hashable, Sendable {
        /// Where queries are taken; nil as long as that is not known.
        var address: SocketAddress?
        var names: [NamedAddresses]
        var upstream: SocketAddress?

        init(_ settings: LookupSettings) {
            address = settings.listen
            names = settings.names
            upstream = settings.upstream
        }

        /// As in `127.0.0.1:53, api.test=127.0.0.1`.
        var text: String {
            let address = address.map(\.description) ?? "where it is free"
            return ([address] + names.map(\.canonicalText)).joined(separator: ", ")
                + (upstream.map { ", others from \($0)" } ?? "")
        }

        var json: JSONValue {
            [
                "listen": .optional(address?.description), "host": .optional(address?.host),
                "port": address?.port.map { .number($0) } ?? .null,
                "names": .array(names.map { .string($0.canonicalText) }),
                "upstream": .optional(upstream?.description),
            ]
        }
    }

    struct Route: Hashable, Sendable {
        var listen: Endpoint
        /// Nil for the embedded origin.
        var upstream: Endpoint?
        /// Whom the upstream's certificate must be for; nil for one that speaks plainly.
        var upstreamName: String?
        /// How clients say where each connection goes; nil if all go to `upstream`.
        var forward: ForwardSettings?
        /// Whether it carries datagrams.
        var carriesDatagrams = false
        /// Whether it takes datagrams at the port at which the route before it listens.
        var sharesPort = false

        init(listen: Endpoint, upstream: Endpoint?, upstreamName: String? = nil) {
            self.listen = listen
            self.upstream = upstream
            self.upstreamName = upstreamName
        }

        init(listen: Endpoint, forward: ForwardSettings) {
            self.listen = listen
            upstream = .anywhere
            self.forward = forward
        }

        /// One route, or one for connections and one for datagrams.
        static func routes(listen: Endpoint, to upstream: UpstreamOption) -> [Route] {
            let connections = Route(
                listen: listen,
                upstream: upstream.endpoint,
                upstreamName: upstream.name
            )
            var datagrams = connections
            datagrams.carriesDatagrams = true
            switch upstream.transport {
            case .connections: return [connections]
            case .datagrams: return [datagrams]
            case .both:
                datagrams.sharesPort = true
                return [connections, datagrams]
            }
        }

        /// The proxy as clients are told it, in the protocol that most of them speak.
        var proxyURL: String? {
            forward.map { "\($0.takesHTTP ? "http" : "socks5h")://\(listen)" }
        }

        var upstreamText: String {
            guard let upstream else { return "embedded" }
            if carriesDatagrams { return "udp://\(upstream)" }
            return upstreamName == nil ? upstream.description : "https://\(upstream)"
        }
    }

    /// The server behind a listener (from 1) that is reached by TCP without TLS; nil for another one.
    func plainUpstream(ofListener listener: UInt32) -> Endpoint? {
        guard (1...routes.count).contains(Int(listener)) else { return nil }
        let route = routes[Int(listener) - 1]
        guard case .tcp? = route.upstream, route.upstreamName == nil, route.forward == nil,
            !route.carriesDatagrams
        else { return nil }
        return route.upstream
    }

    /// Lines for the proxies beside the run's own.
    var furtherLines: [String] {
        further.flatMap { proxy in
            proxy.objects("listeners").map { route in
                "proxy \(proxy.text("name") ?? "") listening \(route.text("listen") ?? "")"
                    + " upstream \(route.text("upstream") ?? "")"
                    + " profile \(proxy.text("profile") ?? "")"
            }
        }
    }

    /// The names of all networks, as in `lte, *.cdn.example=3g`.
    var networkText: String {
        ([profile.name] + (secondPath.map { ["second path \($0.name)"] } ?? [])
            + networks.map(\.text)).joined(separator: ", ")
    }

    /// Of all networks together.
    var profileDigest: String {
        SHA256.hexadecimal(
            Array(networks.canonicalText(with: profile, second: secondPath).utf8)
        )
    }

    var scheduleText: String {
        FaultSchedule(seed: seed, faults: faults).canonicalText
    }

    /// The first lines of standard output, one for each listener.
    var listeningLines: [String] {
        routes.map {
            "listening \($0.listen) upstream \($0.upstreamText)"
                + " profile \(profile.name) seed \(seed)"
        }
    }

    /// The line for the name server.
    var lookupLines: [String] { lookups.map { ["dns \($0.text)"] } ?? [] }

    /// The lines behind them, if the run can be controlled.
    var controlLines: [String] {
        guard let control else { return [] }
        return ["control \(control)" + (controlToken.map { " token \($0)" } ?? "")]
            + (page.map { ["ui \($0)"] } ?? [])
    }

    /// The same for programs: the first line with `--json`, `--ready-file` and `--ready-fd`.
    var json: JSONValue {
        let first = routes[0].listen
        var object: JSONObject = ["v": 1, "event": "listening"]
        switch first {
        case .tcp(let host, let port):
            let scheme = isSecure ? "https" : "http"
            let url = "\(routes[0].carriesDatagrams ? "udp" : scheme)://\(first)"
            object.append("url", .string(url))
            object.append("host", .string(host))
            object.append("port", .number(port))
        case .unix(let path):
            object.append("url", .string("unix:\(path)"))
            object.append("host", .null)
            object.append("port", .null)
        }
        object.append("control", control.map { .string($0) } ?? .null)
        if let controlToken { object.append("token", .string(controlToken)) }
        if let page { object.append("ui", .string(page)) }
        object.append("path", pathSocket.map { .string($0) } ?? .null)
        object.append("pid", .number(CurrentProcess.identifier))
        object.append("profile", .string(profile.name))
        if let secondPath { object.append("secondPath", .string(secondPath.name)) }
        if !networks.isEmpty { object.append("routes", .array(networks.map { .string($0.text) })) }
        object.append("seed", .number(seed))
        object.append("schedule", .string(scheduleText))
        let listeners = routes.map { route -> JSONValue in
            [
                "listen": .string(route.listen.description),
                "upstream": .string(route.upstreamText),
            ]
        }
        object.append("listeners", .array(listeners))
        if let lookups { object.append("dns", lookups.json) }
        if !further.isEmpty { object.append("proxies", .array(further.map { .object($0) })) }
        return .object(object)
    }

    /// The profile for people: with its summary, unless that would deny what was changed.
    private var profileText: String {
        let name =
            ([profile.name] + (changes.isEmpty ? [] : ["with \(changes.joined(separator: ", "))"]))
            .joined(separator: " ")
        return profile.kind == .none && !changes.isEmpty ? name : "\(name): \(profile.summary)"
    }

    /// What a person needs to go on, for standard error.
    var advice: [String] {
        var lines = [
            PrintableText.escaped(profileText),
            "  down: \(LinkDescription.direction(profile.link.down))",
            "  up:   \(LinkDescription.direction(profile.link.up))",
        ]
        if let secondPath {
            let words = "second path \(secondPath.name): \(secondPath.summary)"
            lines.append("  " + PrintableText.escaped(words))
        }
        for network in networks {
            let words = "\(network.text): \(network.profile.summary)"
            lines.append("  " + PrintableText.escaped(words))
        }
        for fault in faults { lines.append("  fault: \(fault.canonicalText)") }
        if let curl { lines += ["A test server answers. In another terminal, try:", "  \(curl)"] }
        if let proxy = routes.first?.proxyURL {
            lines += [
                "Make it your client's proxy, for example:",
                "  curl -x \(proxy) http://localhost:8080/",
            ]
            if routes.contains(where: {
                $0.forward?.rules.patterns.contains(where: \.isEverything) ?? false
            }) {
                lines.append("Every client that reaches it may connect anywhere (--allow '*').")
            }
            if case .tcp(let host, let port)? = routes.first?.listen,
                SocketAddress(numericHost: host, port: port)?.isLoopback == false
            {
                lines.append("Other machines can reach the servers of this one through it.")
            }
        } else if let route = routes.first, let upstream = route.upstream {
            let verb = route.carriesDatagrams ? "Point" : "Connect"
            lines.append("\(verb) your client to \(route.listen) instead of \(upstream).")
        }
        if let lookups, let address = lookups.address {
            lines += lookups.names.map {
                "\($0.names.canonicalText) leads to"
                    + " \($0.addresses.map(\.text).joined(separator: " and ")) for whoever asks \(address)."
            }
            if let trial = DNSText.trial(at: address, lookups.names) {
                lines.append("Try: \(trial)")
            }
        }
        if let via { lines.append("Servers are reached through the proxy \(via).") }
        return lines + ["Control-C ends it."]
    }

    /// A command that shows the embedded origin through the link; nil with an upstream.
    var curl: String? {
        guard let route = routes.first, route.upstream == nil else { return nil }
        switch route.listen {
        case .tcp: return "curl -o /dev/null http://\(route.listen)/bytes/1000000"
        case .unix(let path):
            return "curl -o /dev/null --unix-socket \(path) http://localhost/bytes/1000000"
        }
    }
}
