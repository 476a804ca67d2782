internal import Arguments
internal import Basics
internal import Proxy

/// What `--upstream` says: where the server is, and how it is reached.
struct UpstreamOption: Hashable, Sendable {
    var endpoint: Endpoint
    /// Whom its certificate must be for; nil for one that is not reached by TLS.
    var name: String?
    var transport = Transport.connections

    /// - Throws: what is wrong with it.
    init(parsing text: String) throws(ProxyError) {
        for transport in Transport.allCases {
            guard let server = text.dropping(prefix: "\(transport.rawValue)://") else { continue }
            endpoint = try Endpoint(parsing: server)
            self.transport = transport
            if case .unix = endpoint, transport != .connections {
                throw ProxyError(.badEndpoint, "'\(text)': a Unix socket takes no datagrams here")
            }
            return
        }
        if let secure = try Endpoint.secure(parsing: text), case .tcp(let host, _) = secure {
            endpoint = secure
            name = host
        } else {
            endpoint = try Endpoint(parsing: text)
        }
    }
}

extension String {
    /// What follows a prefix in any case; nil without it.
    fileprivate func dropping(prefix: String) -> String? {
        lowercased().hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}

extension OptionSpecification {
    /// What reaches an upstream, apart from where it is.
    static let toUpstream = [hostHeader] + upstreamTLS

    /// The names of all options about an upstream.
    static let upstreamNames = ["upstream"] + toUpstream.map(\.long)

    private static let hostHeader = OptionSpecification(
        long: "host-header",
        value: ValueSpecification(name: "HOST"),
        help: """
            Send this host (HOST or HOST:PORT) in the Host field of every request, or :authority \
            in HTTP/2, instead of the proxy's address; for servers with several sites. For an \
            https upstream, it is also the SNI name, and the certificate must be valid for it.
            """,
        group: .addresses
    )
}

extension Invocation {
    /// The `--upstream` options.
    func upstreams() throws(Failure) -> [UpstreamOption] {
        var upstreams: [UpstreamOption] = []
        for option in options("upstream") {
            do throws(ProxyError) {
                upstreams.append(try UpstreamOption(parsing: option.value))
            } catch {
                throw option.origin.failure("upstream", error.description)
            }
        }
        if let host = try requestHost() {
            guard upstreams.contains(where: { $0.transport != .datagrams }) else {
                throw failure("host-header", "needs --upstream with a server that speaks HTTP")
            }
            for index in upstreams.indices where upstreams[index].name != nil {
                upstreams[index].name = Self.withoutPort(host)
            }
        }
        return upstreams
    }

    /// What `--host-header` names to servers; nil for what clients name.
    func requestHost() throws(Failure) -> String? {
        guard let host = value("host-header") else { return nil }
        let (name, port) = Self.parts(host)
        let isPort = port.map { !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } } ?? true
        guard !name.isEmpty, isPort, name.utf8.allSatisfy(Self.isOfHost) else {
            throw failure("host-header", "'\(host)' is not a HOST or HOST:PORT")
        }
        return host
    }

    private static func withoutPort(_ host: String) -> String {
        let name = parts(host).name
        return name.hasPrefix("[") && name.hasSuffix("]")
            ? String(name.dropFirst().dropLast()) : name
    }

    private static func parts(_ host: String) -> (name: String, port: String?) {
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else {
            return (host, nil)
        }
        return (String(host[..<colon]), String(host[host.index(after: colon)...]))
    }

    /// RFC 3986 §3.2.2, without percent-encoding, which no server expects here.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:[]".utf8.contains(byte)
        }
    }
}
