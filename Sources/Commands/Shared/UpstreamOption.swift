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
        return upstreams
    }
}
