internal import Arguments
internal import Basics
internal import Proxy

/// The option that names a proxy through which servers are reached.
enum ViaOption {
    /// The variables in which programs look for a proxy, the first one that is set being meant.
    private static let variables = [
        "https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY",
    ]

    /// Understands the option.
    ///
    /// - Parameters:
    ///   - invocation: with the option.
    ///   - environment: finds variables.
    /// - Returns: the proxy that is meant; nil without the option.
    /// - Throws: `usage` or `configuration`, with the place where it was given and no password.
    static func proxy(
        _ invocation: Invocation,
        environment: (String) -> String?
    ) throws(Failure) -> NextProxy? {
        guard let option = invocation.options("via").last else { return nil }
        var (text, place) = (option.value, "")
        if text == "env" {
            guard let name = variables.first(where: { environment($0)?.isEmpty == false }) else {
                throw option.origin.failure(
                    "via",
                    "none of https_proxy, http_proxy and all_proxy is set, in small or capital letters"
                )
            }
            (text, place) = (environment(name) ?? "", "\(name): ")
        }
        var proxy: NextProxy
        do throws(ProxyError) {
            proxy = try NextProxy(parsing: text)
        } catch {
            throw option.origin.failure("via", place + error.description)
        }
        guard option.value == "env" else { return proxy }
        let list = environment("no_proxy") ?? environment("NO_PROXY")
        if let list { proxy.exceptions = ProxyExceptions(list) }
        return proxy
    }

    /// Throws unless connections go to servers that a proxy could reach.
    static func check(
        _ invocation: Invocation,
        forwards: Bool,
        upstreams: [UpstreamOption]
    ) throws(Failure) {
        guard invocation.has("via"), !forwards else { return }
        guard !upstreams.isEmpty else {
            throw invocation.failure(
                "via",
                "the test server is reached directly; give --upstream or --forward, too"
            )
        }
        for upstream in upstreams {
            if case .unix = upstream.endpoint {
                throw invocation.failure(
                    "via",
                    "no proxy leads to \(upstream.endpoint); leave one out"
                )
            }
            guard upstream.transport == .connections else {
                throw invocation.failure("via", "a proxy carries no datagrams; leave one out")
            }
        }
    }
}

extension OptionSpecification {
    static let via = OptionSpecification(
        long: "via",
        value: ValueSpecification(name: "URL"),
        help: """
            Reach servers through another proxy, with CONNECT or SOCKS5: \
            http://[USER:PASSWORD@]HOST:PORT, socks5://..., or env to use https_proxy, http_proxy \
            or all_proxy, except for the hosts in no_proxy. That proxy resolves names, so --allow \
            is compared with names and addresses as written.
            """,
        group: .addresses,
        bearsOnResult: true
    )
}
