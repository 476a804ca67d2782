/// Variables by which programs are told to use a proxy, for every host.
enum ProxyEnvironment {
    private static let proxies = [
        "http_proxy", "https_proxy", "all_proxy", "npm_config_proxy", "npm_config_https_proxy",
    ]
    private static let exceptions = ["no_proxy", "npm_config_noproxy"]
    /// Those that programs read in capital letters, too.
    private static let doubled = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]

    /// - Parameters:
    ///   - host: of the proxy.
    ///   - port: of the proxy.
    /// - Returns: the variables with their values.
    static func variables(host: String, port: UInt16) -> [(name: String, value: String)] {
        let name = host.contains(":") ? "[\(host)]" : host
        let plain = proxies.map { ($0, "http://\(name):\(port)") } + exceptions.map { ($0, "") }
        let capital = plain.filter { doubled.contains($0.0) }.map { ($0.0.uppercased(), $0.1) }
        // Node reads the variables from version 24 on if it is told to.
        return plain + capital + [("NODE_USE_ENV_PROXY", "1")]
    }

    /// The properties by which Java is told.
    static func java(_ host: String, _ port: UInt16) -> [String] {
        ["http", "https"].flatMap { ["-D\($0).proxyHost=\(host)", "-D\($0).proxyPort=\(port)"] }
            + ["-Dhttp.nonProxyHosts="]
    }
}
